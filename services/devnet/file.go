// Package devnet reads the file in which the local chains describe themselves.
package devnet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Chain is what one local chain holds.
type Chain struct {
	// CAIP2 is the chain's id, such as `eip155:31337`.
	CAIP2 string `json:"caip2"`
	// Name is for people.
	Name           string   `json:"name"`
	NativeCurrency Currency `json:"nativeCurrency"`
	Tokens         []Token  `json:"tokens"`
	Feeds          []Feed   `json:"feeds"`
	// Wrapped is the wrapped native currency; nil where the chain has none.
	Wrapped *common.Address `json:"wrapped"`
	// Hubs are the tokens that most others are traded against.
	Hubs   []common.Address `json:"hubs"`
	Venues []Venue          `json:"venues"`
	// ENS is the chain's name service; nil where it has none.
	ENS *NameService `json:"ens"`
}

// Currency is what a chain's gas is paid with.
type Currency struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals uint8  `json:"decimals"`
}

// NameService is where names are resolved as the Ethereum Name Service does it.
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

// Feed is one price feed in the shape of Chainlink's AggregatorV3Interface.
type Feed struct {
	// Pair is such as `ETH / USD`.
	Pair    string         `json:"pair"`
	Address common.Address `json:"address"`
	// Token is the priced token's address; nil for the native currency.
	Token *common.Address `json:"token"`
}

// Venue is a router and the factories whose pools it trades.
type Venue struct {
	Name string `json:"name"`
	// Kind is how the router is called: swap-router-02, v2-router, v3-router or algebra-router.
	Kind   string         `json:"kind"`
	Router common.Address `json:"router"`
	// V2, V3 and Algebra are nil where the router trades no such pools.
	V2      *FactoryV2      `json:"v2"`
	V3      *FactoryV3      `json:"v3"`
	Algebra *FactoryAlgebra `json:"algebra"`
}

// FactoryAlgebra makes pools of Algebra V1.
type FactoryAlgebra struct {
	Factory common.Address `json:"factory"`
}

// FactoryV2 makes constant-product pools.
type FactoryV2 struct {
	Factory common.Address `json:"factory"`
	// FeeNumerator over FeeDenominator is what is left of an input after the fee.
	FeeNumerator   uint64 `json:"feeNumerator"`
	FeeDenominator uint64 `json:"feeDenominator"`
	// InitCodeHash is 0x and 64 hex digits, or empty.
	InitCodeHash string `json:"initCodeHash"`
}

// FactoryV3 makes concentrated-liquidity pools.
type FactoryV3 struct {
	Factory common.Address `json:"factory"`
	Quoter  common.Address `json:"quoter"`
	// Fees are in hundredths of a basis point.
	Fees []uint32 `json:"fees"`
	// InitCodeHash is 0x and 64 hex digits, or empty.
	InitCodeHash string `json:"initCodeHash"`
}

// Description is what all local chains say of themselves. It is never changed: a changed file gives another one.
type Description struct {
	Chains []Chain `json:"chains"`
}

// Chain returns the chain with the given CAIP-2 id.
func (d *Description) Chain(chainID string) (Chain, bool) {
	i := slices.IndexFunc(d.Chains, func(c Chain) bool { return c.CAIP2 == chainID })
	if i < 0 {
		return Chain{}, false
	}
	return d.Chains[i], true
}

// Source describes the local chains as they are now. [File] and chainclient's Client are sources.
type Source interface {
	Describe() *Description
}

// none describes no chain.
var none = &Description{}

// File holds the description, read when it is first needed and again whenever the file has changed. It is safe for concurrent use.
type File struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	changed time.Time
	known   *Description
}

// Open returns the file at path without reading it. An empty path, or a file that does not exist, describes no chain; of one that
// cannot be read, the last state that could is kept, and log says why.
func Open(path string, log *slog.Logger) *File { return &File{path: path, log: log, known: none} }

// Describe returns what the file says now.
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
		f.log.Error("the local chains' description cannot be read", "error", err)
	case !info.ModTime().Equal(f.changed):
		f.changed = info.ModTime()
		f.readAgain()
	}
	return f.known
}

func (f *File) readAgain() {
	described, err := read(f.path)
	if err != nil {
		f.log.Error("the local chains' description cannot be read", "error", err)
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
