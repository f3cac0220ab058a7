// Package network finds out what smart accounts can do on a chain, by sending requests to its nodes.
package network

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// lifetime is how long a result is cached: code is deployed and forks are activated rarely.
	lifetime = 10 * time.Minute
	// failureLifetime is how long a failure is cached.
	failureLifetime = 5 * time.Second
)

// Contracts are the contracts of smart accounts on a chain. The zero address means none.
type Contracts struct {
	// Delegate is the code that accounts delegate to (EIP-7702), for EntryPoint v0.7.
	Delegate evm.Address
	// Factory creates accounts that run the code of Hybrid, or of MultiSig.
	Factory, Hybrid, MultiSig evm.Address
	// DelegationManager keeps delegations (ERC-7710).
	DelegationManager evm.Address
	// Paymaster is a VerifyingPaymaster of EntryPoint v0.7.
	Paymaster evm.Address
}

// Public are the contracts of the Delegation Framework 1.3.0, whose addresses are the same on every public chain.
var Public = Contracts{
	Delegate:          evm.MustAddress("0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"),
	Factory:           evm.MustAddress("0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c"),
	Hybrid:            evm.MustAddress("0x48dBe696A4D990079e039489bA2053B36E8FFEC4"),
	MultiSig:          evm.MustAddress("0x56a9EdB16a0105eb5a4C54f4C062e2868844f3A7"),
	DelegationManager: evm.MustAddress("0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3"),
}

// Network is what smart accounts can do on a chain. Contracts without code are the zero address.
type Network struct {
	Contracts
	// Number is the reference of the chain id.
	Number *big.Int
	// Accepted is the code that may validate operations.
	Accepted executor.Accepted
	// EntryPoints are those of the chain, v0.7 first.
	EntryPoints []evm.Address
	// Delegation reports whether accounts can delegate to code (EIP-7702).
	Delegation bool
	// Fees are what the chain charges for a transaction. FeesErr is [fees.ErrUnknown] if that is not known: this bundler does not serve the chain.
	Fees    fees.Rules
	FeesErr error
}

// Settings are what is configured for a chain.
type Settings struct {
	Contracts Contracts
	// FeeModel and Gas take precedence over what is known of the chain, where they are not empty or 0.
	FeeModel fees.Model
	Gas      fees.Gas
	// Code, Hashes, Factories and Paymasters are trusted in addition to the contracts.
	Code       []evm.Address
	Hashes     []common.Hash
	Factories  []evm.Address
	Paymasters []evm.Address
}

// Accepted returns the code that may validate operations on a chain.
func (s Settings) Accepted(c Contracts) executor.Accepted {
	a := executor.Accepted{
		Code: slices.Concat(s.Code, []evm.Address{c.Delegate, c.Hybrid, c.MultiSig}), Hashes: s.Hashes, Factory: c.Factory, Factories: s.Factories,
		Paymasters: slices.Concat(s.Paymasters, []evm.Address{c.Paymaster}),
	}
	none := func(a evm.Address) bool { return a == evm.Address{} }
	a.Code, a.Paymasters = slices.DeleteFunc(a.Code, none), slices.DeleteFunc(a.Paymasters, none)
	return a
}

// Table finds networks and caches them. It is safe for concurrent use.
type Table struct {
	connect    func(chainID string) chainclient.Transport
	local      devnet.Source
	configured map[string]Settings
	clock      clock.Clock

	mu    sync.Mutex
	known map[string]entry
}

type entry struct {
	network Network
	err     error
	until   time.Time
}

// New returns a table. Contracts of configured chains take precedence over those of development chains, and those over [Public].
func New(connect func(chainID string) chainclient.Transport, local devnet.Source, configured map[string]Settings, c clock.Clock) *Table {
	return &Table{connect: connect, local: local, configured: configured, clock: c, known: map[string]entry{}}
}

// Of returns a network by its CAIP-2 id, which must be of the namespace eip155.
func (t *Table) Of(ctx context.Context, chainID string) (Network, error) {
	now := t.clock.Now()
	t.mu.Lock()
	found, ok := t.known[chainID]
	t.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.network, found.err
	}
	n, err := t.probe(ctx, chainID)
	if ctx.Err() != nil {
		return n, err
	}
	// A chain does not lose EIP-7702, so a node without it is behind.
	n.Delegation = n.Delegation || ok && found.network.Delegation
	found = entry{n, err, now.Add(lifetime)}
	if err != nil {
		found.until = now.Add(failureLifetime)
	}
	t.mu.Lock()
	t.known[chainID] = found
	t.mu.Unlock()
	return n, err
}

func (t *Table) contracts(chainID string) Contracts {
	if s, ok := t.configured[chainID]; ok && s.Contracts != (Contracts{}) {
		return s.Contracts
	}
	if chain, ok := t.local.Describe().Chain(chainID); ok && chain.SmartAccounts != nil {
		s := chain.SmartAccounts
		return Contracts{Delegate: s.Delegate, Factory: s.Factory, Hybrid: s.Hybrid, MultiSig: s.MultiSig, DelegationManager: s.DelegationManager, Paymaster: s.Paymaster}
	}
	return Public
}

// probe reads which contracts have code, and whether the chain's nodes accept an authorization.
func (t *Table) probe(ctx context.Context, chainID string) (Network, error) {
	reference, err := strconv.ParseUint(strings.TrimPrefix(chainID, "eip155:"), 10, 63)
	if err != nil {
		return Network{}, err
	}
	n := Network{Contracts: t.contracts(chainID), Number: new(big.Int).SetUint64(reference)}
	contracts := []*evm.Address{&n.Delegate, &n.Factory, &n.Hybrid, &n.MultiSig, &n.DelegationManager, &n.Paymaster}
	entryPoints := []evm.Address{userop.EntryPoint07, userop.EntryPoint08}
	tried, err := tryDelegation(n.Number)
	if err != nil {
		return Network{}, err
	}
	calls := []chainclient.Call{tried}
	for _, c := range contracts {
		calls = append(calls, codeOf(*c))
	}
	for _, e := range entryPoints {
		calls = append(calls, codeOf(e))
	}
	models := slices.Sorted(maps.Keys(fees.Signs))
	for _, m := range models {
		calls = append(calls, codeOf(fees.Signs[m]))
	}
	results, err := t.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return Network{}, err
	}
	for i, c := range contracts {
		code, err := results[1+i].Bytes()
		if err != nil {
			return Network{}, err
		}
		if len(code) == 0 {
			*c = evm.Address{}
		}
	}
	for i, e := range entryPoints {
		code, err := results[1+len(contracts)+i].Bytes()
		if err != nil {
			return Network{}, err
		}
		if len(code) > 0 {
			n.EntryPoints = append(n.EntryPoints, e)
		}
	}
	settings := t.configured[chainID]
	n.Accepted = settings.Accepted(n.Contracts)
	n.Fees, n.FeesErr = fees.Of(chainID, settings.FeeModel, settings.Gas)
	for i, m := range models {
		code, err := results[len(results)-len(models)+i].Bytes()
		if err != nil {
			return Network{}, err
		}
		if len(code) > 0 && n.Fees.Model != m {
			n.FeesErr = fmt.Errorf("%w: it has a contract of the model %s", fees.ErrUnknown, m)
		}
	}
	if n.Delegation, err = readDelegation(results[0]); err != nil {
		return Network{}, err
	}
	return n, nil
}

// Codes of JSON-RPC errors that do not depend on the request: an internal error, and a limit of the node (EIP-1474).
const (
	codeInternal      = -32603
	codeLimitExceeded = -32005
)

// readDelegation returns whether a chain accepts the authorization of [tryDelegation]. It fails if the node did not try it.
func readDelegation(r chainclient.Result) (bool, error) {
	gas, err := r.Quantity()
	if refused, ok := errors.AsType[*chainclient.NodeError](err); ok && refused.Code != codeInternal && refused.Code != codeLimitExceeded {
		return false, nil
	}
	return err == nil && gas.Cmp(big.NewInt(leastDelegationGas)) >= 0, err
}

func codeOf(a evm.Address) chainclient.Call {
	return chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
}

// leastDelegationGas is less than the gas of a transaction with an authorization, and more than that of a node that ignores it.
const leastDelegationGas = 40_000

// tryDelegation returns the call for the gas estimate of a transaction with an authorization of a new account. Nodes
// without EIP-7702 refuse or ignore the authorization.
func tryDelegation(number *big.Int) (chainclient.Call, error) {
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		return chainclient.Call{}, err
	}
	signed, err := key.SignAuthorization(types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(number), Address: userop.EntryPoint07})
	if err != nil {
		return chainclient.Call{}, err
	}
	tx := map[string]any{
		"from": key.Address(), "to": key.Address(), "value": hexutil.Uint64(0),
		"authorizationList": []any{map[string]any{
			"chainId": hexutil.EncodeBig(number), "address": signed.Address, "nonce": hexutil.Uint64(signed.Nonce), "yParity": hexutil.Uint64(signed.V),
			"r": signed.R.Hex(), "s": signed.S.Hex(),
		}},
	}
	return chainclient.Call{Method: "eth_estimateGas", Params: []any{tx, "latest"}}, nil
}
