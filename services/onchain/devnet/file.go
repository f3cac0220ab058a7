// Package devnet reads the file that describes the contracts of the local development chains.
package devnet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Chain describes one local chain.
type Chain struct {
	// CAIP2 is the CAIP-2 chain id, such as `eip155:31337`.
	CAIP2 string `json:"caip2"`
	// Name is the display name.
	Name           string   `json:"name"`
	NativeCurrency Currency `json:"nativeCurrency"`
	Tokens         []Token  `json:"tokens"`
	Feeds          []Feed   `json:"feeds"`
	// Wrapped is the wrapped native token, or nil.
	Wrapped *common.Address `json:"wrapped"`
	// Hubs are the tokens that most other tokens have pools with.
	Hubs   []common.Address `json:"hubs"`
	Venues []Venue          `json:"venues"`
	// ENS is the name service of the chain, or nil.
	ENS *NameService `json:"ens"`
	// SmartAccounts has the contracts of smart accounts, or is nil.
	SmartAccounts *SmartAccounts `json:"smartAccounts"`
}

// Currency is a native token.
type Currency struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals uint8  `json:"decimals"`
}

// SmartAccounts has the contracts of smart accounts.
type SmartAccounts struct {
	// Delegate is the code that an account delegates to (EIP-7702), for EntryPoint v0.7.
	Delegate common.Address `json:"delegate"`
	// Factory creates accounts that run the code of Hybrid.
	Factory common.Address `json:"factory"`
	Hybrid  common.Address `json:"hybrid"`
	// MultiSig is the code of accounts that need the signatures of several keys.
	MultiSig common.Address `json:"multiSig"`
	// DelegationManager stores delegations (ERC-7710).
	DelegationManager common.Address `json:"delegationManager"`
	// Paymaster is a VerifyingPaymaster of EntryPoint v0.7.
	Paymaster common.Address `json:"paymaster"`
	// Enforcers are the contracts of caveats, by contract name.
	Enforcers map[string]common.Address `json:"enforcers"`
}

// NameService has the contracts of the Ethereum Name Service.
type NameService struct {
	Registry          common.Address `json:"registry"`
	UniversalResolver common.Address `json:"universalResolver"`
}

// Token is one ERC-20 contract.
type Token struct {
	Symbol   string         `json:"symbol"`
	Name     string         `json:"name"`
	Address  common.Address `json:"address"`
	Decimals uint8          `json:"decimals"`
}

// Feed is a price feed with Chainlink's AggregatorV3Interface.
type Feed struct {
	// Pair is for example `ETH / USD`.
	Pair    string         `json:"pair"`
	Address common.Address `json:"address"`
	// Token is the address of the priced token, or nil for the native token.
	Token *common.Address `json:"token"`
}

// Venue is a router and the factories whose pools it trades.
type Venue struct {
	Name string `json:"name"`
	// Kind is the interface of the router: swap-router-02, v2-router, v3-router or algebra-router.
	Kind   string         `json:"kind"`
	Router common.Address `json:"router"`
	// V2, V3 and Algebra are nil if the router does not use such pools.
	V2      *FactoryV2      `json:"v2"`
	V3      *FactoryV3      `json:"v3"`
	Algebra *FactoryAlgebra `json:"algebra"`
}

// FactoryAlgebra is a factory of Algebra V1 pools.
type FactoryAlgebra struct {
	Factory common.Address `json:"factory"`
}

// FactoryV2 is a factory of constant-product pools.
type FactoryV2 struct {
	Factory common.Address `json:"factory"`
	// FeeNumerator over FeeDenominator is the share of an input that remains after the fee.
	FeeNumerator   uint64 `json:"feeNumerator"`
	FeeDenominator uint64 `json:"feeDenominator"`
	// InitCodeHash is 0x and 64 hex digits, or empty.
	InitCodeHash string `json:"initCodeHash"`
}

// FactoryV3 is a factory of concentrated-liquidity pools.
type FactoryV3 struct {
	Factory common.Address `json:"factory"`
	Quoter  common.Address `json:"quoter"`
	// Fees are in hundredths of a basis point.
	Fees []uint32 `json:"fees"`
	// InitCodeHash is 0x and 64 hex digits, or empty.
	InitCodeHash string `json:"initCodeHash"`
}

// Description describes all local chains. It does not change after it was read: a changed file is read as a new one.
type Description struct {
	// Chains are the EVM chains.
	Chains []Chain `json:"chains"`
	// Solana is the Solana chain, or nil.
	Solana *Solana `json:"solana"`
}

// Solana describes the local Solana chain.
type Solana struct {
	// CAIP2 is the CAIP-2 chain id.
	CAIP2 string `json:"caip2"`
	// Name is the display name.
	Name           string        `json:"name"`
	NativeCurrency Currency      `json:"nativeCurrency"`
	Tokens         []SolanaToken `json:"tokens"`
	Feeds          []SolanaFeed  `json:"feeds"`
	// Names are the names of wallets on the chain.
	Names []SolanaName `json:"names"`
}

// SolanaName is a name that resolves to a wallet.
type SolanaName struct {
	// Name is for example `name.sns`.
	Name string `json:"name"`
	// Address is the address of the wallet, in base58.
	Address string `json:"address"`
}

// SolanaFeed is a price feed of Pyth.
type SolanaFeed struct {
	// Pair is for example `SOL / USD`.
	Pair string `json:"pair"`
	// ID is 32 bytes in hex.
	ID string `json:"id"`
	// Token is the mint of the priced token, in base58; empty for SOL.
	Token string `json:"token"`
}

// SolanaToken is one mint.
type SolanaToken struct {
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
	// Address is the address of the mint, in base58.
	Address  string `json:"address"`
	Decimals uint8  `json:"decimals"`
	// Program is the address of the token program, in base58.
	Program string `json:"program"`
}

// Chain returns the chain with a CAIP-2 id, and false if there is none.
func (d *Description) Chain(chainID string) (Chain, bool) {
	i := slices.IndexFunc(d.Chains, func(c Chain) bool { return c.CAIP2 == chainID })
	if i < 0 {
		return Chain{}, false
	}
	return d.Chains[i], true
}

// Network returns the description of the chain with a CAIP-2 id: a [Chain] or a [*Solana], or nil.
func (d *Description) Network(chainID string) any {
	if d.Solana != nil && d.Solana.CAIP2 == chainID {
		return d.Solana
	}
	if chain, ok := d.Chain(chainID); ok {
		return chain
	}
	return nil
}

// Add adds a chain from the JSON of what [Description.Network] returned for its CAIP-2 id.
func (d *Description) Add(chainID string, description []byte) error {
	if strings.HasPrefix(chainID, "solana:") {
		return json.Unmarshal(description, &d.Solana)
	}
	var chain Chain
	if err := json.Unmarshal(description, &chain); err != nil {
		return err
	}
	d.Chains = append(d.Chains, chain)
	return nil
}

// Source returns the current description. It is implemented by [File] and chainclient.Client.
type Source interface {
	Describe() *Description
}

// none is a description without chains.
var none = &Description{}

// File reads the description when it is first needed, and again when the file has changed. It is safe for concurrent use.
type File struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	changed time.Time
	known   *Description
}

// Open returns the file at path without reading it. An empty path or a missing file describes no chain. If the file cannot be read, the last
// description stays, and the error is logged.
func Open(path string, log *slog.Logger) *File { return &File{path: path, log: log, known: none} }

// Describe implements [Source].
func (f *File) Describe() *Description {
	if f.path == "" {
		return none
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.known, f.changed = none, time.Time{}
	case err != nil:
		f.log.Error("could not read the description of the local chains", "error", err)
	case !info.ModTime().Equal(f.changed):
		f.changed = info.ModTime()
		f.readAgain()
	}
	return f.known
}

func (f *File) readAgain() {
	described, err := read(f.path)
	if err != nil {
		f.log.Error("could not read the description of the local chains", "error", err)
		return
	}
	f.known = described
}

func read(path string) (*Description, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &Description{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}
