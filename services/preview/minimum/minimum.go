// Package minimum decodes the least that calls of routers bring to the account that makes them.
//
// Routers run contracts that their caller names, and these may pay in a simulation and keep everything once the call is sent. A router reverts if less arrives
// than the minimum in its arguments, whatever such contracts do.
package minimum

import (
	"math/big"
	"sync"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

const (
	// maxDepth bounds how deeply calls of routers may be nested.
	maxDepth = 2
	// maxParts bounds the calls, commands and actions that are read of one call: lists of lists may name one of them millions of times.
	maxParts = 256
)

// Amounts are sums in base units by fungible asset.
type Amounts map[effect.Asset]*big.Int

// Add adds an amount.
func (a Amounts) Add(asset effect.Asset, amount *big.Int) {
	sum := new(big.Int).Set(amount)
	if a[asset] != nil {
		sum.Add(sum, a[asset])
	}
	a[asset] = sum
}

// Of returns the least amounts that a call of a router brings to the account that makes it. Functions that are not known bring nothing. The caller must know that the
// contract is a router of a table of this repository: another contract need not keep to its arguments. A call of very many parts brings nothing.
func Of(account evm.Address, c simulation.Call) Amounts {
	r := reader{account: account, value: c.Value, found: Amounts{}, left: maxParts}
	r.read(c.Data, maxDepth)
	if r.left < 0 {
		return Amounts{}
	}
	return r.found
}

// reader collects the minimums of one call.
type reader struct {
	account evm.Address
	value   *big.Int
	found   Amounts
	// left is how many more parts are read.
	left int
}

// take counts parts, and reports whether they may be read.
func (r *reader) take(parts int) bool {
	r.left -= parts
	return r.left >= 0
}

// function is a function of a router with the reader of its arguments.
type function struct {
	calldata.Function
	read func(*reader, calldata.Value)
}

var functions = sync.OnceValue(func() (all []function) {
	for _, list := range [][]function{constantProduct(), concentrated(), payments(), universal(), seaport()} {
		all = append(all, list...)
	}
	for _, call := range aggregator.All() {
		all = append(all, function{call.Function, termsOf(call)})
	}
	return all
})

func (r *reader) read(data []byte, depth int) {
	for _, list := range []calldata.Function{multicall, multicallDeadline, multicallHash} {
		v, ok := list.Read(data)
		if !ok {
			continue
		}
		calls := v.At(0)
		if v.Len() > 1 {
			calls = v.At(1)
		}
		if !r.take(calls.Len()) || depth == 0 {
			return
		}
		for i := range calls.Len() {
			r.read(calls.At(i).Bytes(), depth-1)
		}
		return
	}
	for _, f := range functions() {
		if v, ok := f.Read(data); ok {
			f.read(r, v)
			return
		}
	}
}

var (
	multicall         = calldata.Parse("multicall(bytes[])")
	multicallDeadline = calldata.Parse("multicall(uint256,bytes[])")
	multicallHash     = calldata.Parse("multicall(bytes32,bytes[])")
)

// add adds an amount of a token that is paid to an account. The zero address, and the one that stands for it, are the native token.
func (r *reader) add(token, to evm.Address, amount *big.Int) {
	if to != r.account || amount.Sign() <= 0 {
		return
	}
	asset := effect.Asset{Kind: effect.ERC20, Contract: token}
	if token == (evm.Address{}) || token == evm.Native {
		asset = effect.Asset{Kind: effect.Native}
	}
	r.found.Add(asset, amount)
}

// termsOf reads a call of an aggregator's router. What a contract receives that is not pinned is bounded by that contract alone.
func termsOf(call aggregator.Call) func(*reader, calldata.Value) {
	return func(r *reader, v calldata.Value) {
		terms, ok := call.Terms(v, r.value)
		if !ok || terms.Unbounded || terms.MinOut == nil {
			return
		}
		to := terms.Receiver
		if to == (evm.Address{}) {
			to = r.account
		}
		r.add(terms.To, to, terms.MinOut)
	}
}
