// Package onchain reads the state of delegations, and of the accounts that use them, from the contracts of a chain.
package onchain

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/sessions/grant"
)

// Chains returns transports to the nodes of chains; chainclient.Client implements it.
type Chains interface {
	devnet.Source
	// Transport returns a transport to one node.
	Transport(chainID string) chainclient.Transport
	// Agreed returns a transport for answers on which several nodes agree.
	Agreed(chainID string) chainclient.Transport
}

// Reader reads chains. It is safe for concurrent use.
type Reader struct {
	chains Chains
	// served are the CAIP-2 ids of the public chains on which sessions can be granted.
	served []string
}

// New returns a reader. served are the CAIP-2 ids of public chains; development chains are added to them.
func New(chains Chains, served []string) *Reader { return &Reader{chains, served} }

// Contracts returns the contracts of a chain, and false for a chain on which sessions cannot be granted.
func (r *Reader) Contracts(chainID string) (delegation.Contracts, bool) {
	if chain, ok := r.chains.Describe().Chain(chainID); ok && chain.SmartAccounts != nil {
		s := chain.SmartAccounts
		return delegation.Contracts{Manager: s.DelegationManager, Factory: s.Factory, MultiSig: s.MultiSig, Enforcers: s.Enforcers}, true
	}
	return delegation.Public, slices.Contains(r.served, chainID)
}

// Served returns the ids of the chains whose contracts are deployed and whose nodes answer.
func (r *Reader) Served(ctx context.Context) (ids []string) {
	all := slices.Clone(r.served)
	for _, c := range r.chains.Describe().Chains {
		if c.SmartAccounts != nil && !slices.Contains(all, c.CAIP2) {
			all = append(all, c.CAIP2)
		}
	}
	found := routine.Collect(ctx, len(all), func(i int) (bool, error) {
		c, _ := r.Contracts(all[i])
		results, err := r.chains.Transport(all[i]).Batch(ctx, codeOf(c.Manager), codeOf(c.MultiSig))
		if err != nil {
			return false, err
		}
		for _, result := range results {
			if code, err := result.Bytes(); err != nil || len(code) == 0 {
				return false, err
			}
		}
		return true, nil
	})
	for i, f := range found {
		if f.Err == nil && f.Value {
			ids = append(ids, all[i])
		}
	}
	return ids
}

// Number returns the reference of a CAIP-2 id of eip155.
func Number(chainID string) *big.Int {
	n, _ := strconv.ParseUint(strings.TrimPrefix(chainID, "eip155:"), 10, 63)
	return new(big.Int).SetUint64(n)
}

var (
	currentNonce = calldata.Parse("currentNonce(address,address)")
	disabled     = calldata.Parse("disabledDelegations(bytes32)")
	callCounts   = calldata.Parse("callCounts(address,bytes32)")
	available    = calldata.Parse("getAvailableAmount(bytes32,address,bytes)")
	getNonce     = calldata.Parse("getNonce(address,uint192)")
)

// Nonce returns the nonce of a delegator at NonceEnforcer.
func (r *Reader) Nonce(ctx context.Context, chainID string, delegator evm.Address) (*big.Int, error) {
	c, _ := r.Contracts(chainID)
	results, err := r.chains.Agreed(chainID).Batch(ctx, call(c.Enforcers[delegation.Nonce], currentNonce.Write(c.Manager, delegator)))
	if err != nil {
		return nil, err
	}
	return number(results[0])
}

// Account returns the next nonce of an account at the EntryPoint, and whether it is deployed.
func (r *Reader) Account(ctx context.Context, chainID string, account evm.Address) (nonce *big.Int, deployed bool, err error) {
	results, err := r.chains.Transport(chainID).Batch(ctx, call(userop.EntryPoint07, getNonce.Write(account, 0)), codeOf(account))
	if err != nil {
		return nil, false, err
	}
	if nonce, err = number(results[0]); err != nil {
		return nil, false, err
	}
	code, err := results[1].Bytes()
	return nonce, len(code) > 0, err
}

// Query is a delegation and its grant.
type Query struct {
	Hash      common.Hash
	Delegator evm.Address
	// Nonce is the nonce of its caveat. A higher nonce at NonceEnforcer ends the delegation.
	Nonce *big.Int
	Grant grant.Grant
}

// State is the state of a delegation on chain.
type State struct {
	// Ended reports whether the delegator disabled the delegation, or all of them by the nonce.
	Ended bool
	// Calls is the number of calls that used the delegation.
	Calls uint64
	// Spent is how much of each allowance is spent in the current period, in the order of [grant.Grant.Allowances].
	Spent []*big.Int
}

// States returns the states of delegations on a chain. Ended is true only if several nodes agree.
func (r *Reader) States(ctx context.Context, chainID string, queries []Query) ([]State, error) {
	c, _ := r.Contracts(chainID)
	var calls []chainclient.Call
	for _, q := range queries {
		calls = append(append(calls, endCalls(c, q)...), call(c.Enforcers[delegation.LimitedCalls], callCounts.Write(c.Manager, [32]byte(q.Hash))))
		for _, a := range q.Grant.Allowances() {
			enforcer, counted, terms := q.Grant.State(c, a)
			calls = append(calls, call(enforcer, available.Write([32]byte(q.Hash), counted, terms)))
		}
	}
	if len(calls) == 0 {
		return nil, nil
	}
	results, err := r.chains.Transport(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	states := make([]State, len(queries))
	for i, q := range queries {
		var read [3]*big.Int
		for j := range read {
			if read[j], err = number(results[j]); err != nil {
				return nil, err
			}
		}
		results = results[len(read):]
		states[i] = State{Ended: ended(read[0], read[1], q), Calls: read[2].Uint64()}
		for _, a := range q.Grant.Allowances() {
			left, err := number(results[0])
			if err != nil {
				return nil, err
			}
			results = results[1:]
			states[i].Spent = append(states[i].Spent, new(big.Int).Sub(a.Amount, left))
		}
	}
	return states, r.confirm(ctx, chainID, queries, states)
}

// ended reports whether a delegation ended, from the results of disabledDelegations and currentNonce.
func ended(disabled, nonce *big.Int, q Query) bool {
	return disabled.Sign() != 0 || nonce.Cmp(q.Nonce) > 0
}

// confirm sets Ended to false for delegations if several nodes do not agree that they ended.
func (r *Reader) confirm(ctx context.Context, chainID string, queries []Query, states []State) error {
	c, _ := r.Contracts(chainID)
	var calls []chainclient.Call
	var of []int
	for i, q := range queries {
		if states[i].Ended {
			states[i].Ended = false
			calls, of = append(calls, endCalls(c, q)...), append(of, i)
		}
	}
	if len(calls) == 0 {
		return nil
	}
	results, err := r.chains.Agreed(chainID).Batch(ctx, calls...)
	if err != nil {
		return err
	}
	for _, i := range of {
		disabled, err := number(results[0])
		if err != nil {
			return err
		}
		nonce, err := number(results[1])
		if err != nil {
			return err
		}
		results = results[2:]
		states[i].Ended = ended(disabled, nonce, queries[i])
	}
	return nil
}

// endCalls returns the calls that show whether a delegation ended.
func endCalls(c delegation.Contracts, q Query) []chainclient.Call {
	return []chainclient.Call{
		call(c.Manager, disabled.Write([32]byte(q.Hash))), call(c.Enforcers[delegation.Nonce], currentNonce.Write(c.Manager, q.Delegator)),
	}
}

var errResult = errors.New("a contract returned no number")

// number returns the first word of a result.
func number(r chainclient.Result) (*big.Int, error) {
	b, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	if len(b) < 32 {
		return nil, errResult
	}
	return new(big.Int).SetBytes(b[:32]), nil
}

func call(to evm.Address, data []byte) chainclient.Call {
	return chainclient.Call{Method: "eth_call", Params: []any{map[string]any{"to": to, "data": hexutil.Bytes(data)}, "latest"}}
}

func codeOf(a evm.Address) chainclient.Call {
	return chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
}
