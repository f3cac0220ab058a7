// Package simulation runs calls of an account on the newest block of a chain, without sending them.
package simulation

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/preview/cause"
)

// ErrUnsupported is returned if the nodes of the chain cannot simulate.
var ErrUnsupported = errors.New("the nodes of the chain cannot simulate transactions")

// Call is one call. To is nil for the creation of a contract; Value is in wei. Gas is its gas limit; 0 for a usual one.
type Call struct {
	To    *evm.Address
	Value *big.Int
	Data  []byte
	Gas   uint64
}

// Request is what is run: calls of an account in sequence.
type Request struct {
	Account evm.Address
	// Delegate is the code that the account runs (EIP-7702), or nil.
	Delegate *evm.Address
	Calls    []Call
	Fees     Fees
	// Head is the newest block, and Now the time in seconds since 1970.
	Head Head
	Now  uint64
	// Balance is the account's balance in wei, and HasCode reports whether it is a contract, which sends no transactions itself.
	Balance *big.Int
	HasCode bool
	// Atomic is set if the account's code makes the calls at once, in a transaction of another sender. Code is that code; empty for none yet. The gas limit of all calls is
	// that of the first.
	Atomic bool
	Code   []byte
	// Support is what is known of the nodes of the chain.
	Support *Support
	// Watched are tokens whose balances are read after the calls, and Allowances are rights that are read after them.
	Watched    []Watched
	Allowances []Allowance
}

// Watched is a token whose balance is compared. Before is the balance before the calls, in base units; nil if it is read in the same block, which a
// contract could notice: only that of a contract that is trusted may be.
type Watched struct {
	Token  evm.Address
	Before *big.Int
}

// Allowance is a right of a spender to take a token of the account.
type Allowance struct{ Token, Spender evm.Address }

// Result is the result of the calls.
type Result struct {
	// Reverts reports whether a call reverts, and Reason has the contract's reason.
	Reverts bool
	Reason  string
	// Cause is the reason if it is not text of the contract.
	Cause cause.Cause
	// OutOfGas reports whether the call that reverts used nearly all of its gas.
	OutOfGas bool
	// Logs are the logs of all calls. A transfer of the native token is a Transfer event of [NativeToken].
	Logs []chainclient.LogJSON
	// Gas is the gas of all calls, and Used that of each of those that ran.
	Gas  uint64
	Used []uint64
	// Moved is the increase of the account's balance of each watched token, in base units; tokens without a balance are
	// left out.
	Moved map[evm.Address]*big.Int
	// Allowed are the allowances after the calls, in base units; those that cannot be read are left out.
	Allowed map[Allowance]*big.Int
}

var (
	balanceOf = calldata.Parse("balanceOf(address)")
	allowance = calldata.Parse("allowance(address,address)")
)

// NativeToken is the contract in events that represent transfers of the native token.
var NativeToken = evm.Native

// mostNamed is the largest gas limit that is simulated as a call names it: nodes lower what is above 50 million.
const mostNamed = 48_000_000

// limit returns the gas limit of a call.
func (c Call) limit(under conditions) uint64 {
	if c.Gas > 0 {
		return c.Gas
	}
	return under.gas
}

// unpaid is the result of calls whose values the account cannot pay.
func unpaid() Result {
	return Result{Reverts: true, Reason: "The account has too little of the native token", Cause: cause.NativeLow}
}

// Run runs the calls twice: in the next block, and in one that differs from it in all that a contract can see of it. A
// contract that does something else where it is simulated can only know that by such a difference. It fails with
// [ErrUnsupported] and with errors of the transport.
func Run(ctx context.Context, node chainclient.Transport, r Request) (next, other Result, err error) {
	first := r.Head.next(r.Now, r.Fees, r.count())
	second := r.Head.another(first, r.Fees)
	// The balance that the account has, not one that pays for any gas: a contract can see it.
	if most := r.affordable(second); most >= leastGas {
		second.gas = min(second.gas, most)
	}
	results, err := r.run(ctx, node, first, second)
	if err != nil {
		return next, other, err
	}
	next, other = results[0], results[1]
	if roomy, names := r.withoutLimits(); names && other.OutOfGas && !next.Reverts {
		// Gas limits as they are estimated in the newest block may be too low in another one. A call that reverts and has gas left does so for another reason.
		if results, err = roomy.run(ctx, node, second); err != nil {
			return next, other, err
		}
		other = results[0]
	}
	if !next.Reverts && (other.Cause == cause.NativeLow || other.OutOfGas && next.Gas+next.Gas/2 > second.gas) {
		// It had less gas than it needs.
		other = next
	}
	return next, other, nil
}

// RunOnce runs the calls in the next block only, as [Run] does.
func RunOnce(ctx context.Context, node chainclient.Transport, r Request) (Result, error) {
	results, err := r.run(ctx, node, r.Head.next(r.Now, r.Fees, r.count()))
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// withoutLimits returns the request without the gas limits of its calls, and whether any call names one.
func (r Request) withoutLimits() (roomy Request, names bool) {
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		names = names || r.Calls[i].Gas > 0
		r.Calls[i].Gas = 0
	}
	return r, names
}

// RunLimited runs the calls in the next block with gas limits as a wallet sets them, by what each call used. Where such a limit is too low, wallets set a higher one: it
// then runs them again with twice as much.
func RunLimited(ctx context.Context, node chainclient.Transport, r Request, used []uint64) (Result, error) {
	result, err := RunOnce(ctx, node, r.limited(used, 1))
	if err != nil || !result.OutOfGas {
		return result, err
	}
	return RunOnce(ctx, node, r.limited(used, 2))
}

// limited returns the request with gas limits that are a third above a multiple of what each call used.
func (r Request) limited(used []uint64, times uint64) Request {
	const reserve = 20_000
	r.Calls = slices.Clone(r.Calls)
	for i := range used {
		if r.Calls[i].Gas == 0 {
			r.Calls[i].Gas = min(mostNamed, times*(used[i]+used[i]/3+reserve))
		}
	}
	return r
}

// Support remembers what the nodes of a chain do not take. It is safe for concurrent use.
type Support struct{ noBeaconRoot atomic.Bool }

// form is a form of a simulation: nodes validate the transactions of an account, and take the root of another chain, or do not.
type form struct{ validates, takesRoot bool }

// forms returns the forms of a simulation in order of preference. A contract sends no transactions that could be validated.
func (r Request) forms() (list []form) {
	for _, validates := range []bool{true, false} {
		for _, takesRoot := range []bool{true, false} {
			if (!validates || !r.HasCode || r.Atomic) && (!takesRoot || r.Head.HasBeaconRoot && !r.Support.noBeaconRoot.Load()) {
				list = append(list, form{validates, takesRoot})
			}
		}
	}
	return list
}

// run runs the calls under each of some conditions, in the first form that the nodes take.
func (r Request) run(ctx context.Context, node chainclient.Transport, list ...conditions) (results []Result, err error) {
	if len(r.Calls) == 1 && r.Calls[0].Value.Cmp(r.Balance) > 0 {
		return slices.Repeat([]Result{unpaid()}, len(list)), nil
	}
	isAbove := func(c Call) bool { return c.Gas > mostNamed || r.Atomic && c.To == nil }
	if slices.ContainsFunc(r.Calls, isAbove) {
		return nil, ErrUnsupported
	}
	for _, f := range r.forms() {
		results, err = r.send(ctx, node, f, list)
		failed, ok := errors.AsType[*chainclient.NodeError](err)
		if !ok || failed.Code == jsonrpc.CodeMethodNotFound {
			return results, err
		}
		if says := strings.ToLower(failed.Message); f.takesRoot && (strings.Contains(says, "beaconroot") || strings.Contains(says, "unknown field")) {
			r.Support.noBeaconRoot.Store(true)
		}
	}
	return results, err
}

// send sends the simulations in one batch, so that all are of nearly the same state.
func (r Request) send(ctx context.Context, node chainclient.Transport, f form, list []conditions) (results []Result, err error) {
	var calls []chainclient.Call
	for _, c := range list {
		calls = append(calls, r.call(c, f))
	}
	answers, err := node.Batch(ctx, calls...)
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok {
		return nil, errors.Join(ErrUnsupported, failed)
	}
	if err != nil {
		return nil, err
	}
	for i, answer := range answers {
		result, err := r.read(answer, list[i])
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}
