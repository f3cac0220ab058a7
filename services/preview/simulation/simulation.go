// Package simulation runs calls of an account on the newest block of a chain, without sending them.
package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/plain"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/preview/cause"
)

// reasonLimit bounds the reason of a revert, in characters.
const reasonLimit = 200

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
	first := r.Head.next(r.Now, r.Fees, len(r.Calls))
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
	results, err := r.run(ctx, node, r.Head.next(r.Now, r.Fees, len(r.Calls)))
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
			r.Calls[i].Gas = times * (used[i] + used[i]/3 + reserve)
		}
	}
	return r
}

// run runs the calls under each of some conditions. Nodes validate the transactions of an account, unless it is a
// contract or the nodes refuse to.
func (r Request) run(ctx context.Context, node chainclient.Transport, list ...conditions) ([]Result, error) {
	if len(r.Calls) == 1 && r.Calls[0].Value.Cmp(r.Balance) > 0 {
		return slices.Repeat([]Result{unpaid()}, len(list)), nil
	}
	if slices.ContainsFunc(r.Calls, func(c Call) bool { return c.Gas > mostNamed }) {
		return nil, ErrUnsupported
	}
	results, err := r.send(ctx, node, !r.HasCode, list)
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok && !r.HasCode && failed.Code != jsonrpc.CodeMethodNotFound {
		return r.send(ctx, node, false, list)
	}
	return results, err
}

// send sends the simulations in one batch, so that all are of nearly the same state.
func (r Request) send(ctx context.Context, node chainclient.Transport, validates bool, list []conditions) (results []Result, err error) {
	var calls []chainclient.Call
	for _, c := range list {
		calls = append(calls, r.call(c, validates))
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

// leastGas is the least gas limit with which calls are run that could use more.
const leastGas = 100_000

// affordable returns the gas limit of each call that the account's balance pays for, with a quarter left for other fees.
func (r Request) affordable(c conditions) uint64 {
	left := new(big.Int).Set(r.Balance)
	for _, of := range r.Calls {
		left.Sub(left, of.Value)
	}
	price := new(big.Int).Mul(c.maxFee, big.NewInt(int64(len(r.Calls))))
	if left.Sign() <= 0 || price.Sign() == 0 {
		return 0
	}
	left.Quo(left, price)
	if !left.IsUint64() {
		return math.MaxUint64
	}
	return left.Uint64() / 4 * 3
}

// call returns the JSON-RPC call that simulates the request under conditions.
func (r Request) call(c conditions, validates bool) chainclient.Call {
	reader := evm.Address(random().Bytes()[:len(evm.Address{})])
	var list []any
	for _, w := range r.Watched {
		if w.Before == nil {
			list = append(list, read(c, reader, w.Token, balanceOf.Write(r.Account)))
		}
	}
	reserved, paid := new(big.Int), new(big.Int)
	for _, of := range r.Calls {
		call := map[string]any{"from": r.Account, "value": (*hexutil.Big)(of.Value), "input": hexutil.Bytes(of.Data)}
		if of.To != nil {
			call["to"] = *of.To
		}
		gas := of.limit(c)
		c.pay(call, gas)
		paid.Add(paid, of.Value)
		reserved.Add(reserved, new(big.Int).Mul(c.maxFee, new(big.Int).SetUint64(gas)))
		list = append(list, call)
	}
	for _, w := range r.Watched {
		list = append(list, read(c, reader, w.Token, balanceOf.Write(r.Account)))
	}
	for _, a := range r.Allowances {
		list = append(list, read(c, reader, a.Token, allowance.Write(r.Account, a.Spender)))
	}
	overrides := r.overrides(reserved, paid)
	overrides[reader.String()] = map[string]any{"balance": (*hexutil.Big)(new(big.Int).Lsh(big.NewInt(1), 120))}
	// Some nodes run calls that they do not validate with a base fee of 0.
	return chainclient.Call{Method: "eth_simulateV1", Params: []any{map[string]any{
		"blockStateCalls": []any{map[string]any{"blockOverrides": c.overrides(), "stateOverrides": overrides, "calls": list}},
		"traceTransfers":  true, "validation": validates,
	}, "latest"}}
}

// readGas is the gas limit of a call that only reads: proxies of large tokens need about 40,000.
const readGas = 300_000

// read returns a call that only reads. Its sender is an address that no contract knows, which can pay.
func read(c conditions, reader, token evm.Address, data []byte) map[string]any {
	call := map[string]any{"from": reader, "to": token, "input": hexutil.Bytes(data)}
	c.pay(call, readGas)
	return call
}

// dataFee is more than rollups take for the data of a transaction, in wei.
var dataFee = big.NewInt(1e16)

// overrides returns the changes of the state: the code of the account, and its balance if only the fees make it short.
// Who pays for gas differs, and the gas limits are larger than what is used.
func (r Request) overrides(reserved, paid *big.Int) map[string]any {
	account := map[string]any{}
	if r.Delegate != nil {
		account["code"] = hexutil.Bytes(types.AddressToDelegation(*r.Delegate))
	}
	if r.Balance.Cmp(new(big.Int).Add(reserved, paid)) < 0 {
		account["balance"] = (*hexutil.Big)(new(big.Int).Add(r.Balance, new(big.Int).Add(reserved, dataFee)))
	}
	if len(account) == 0 {
		return map[string]any{}
	}
	return map[string]any{r.Account.String(): account}
}

// read returns the result of a simulation. A node's refusal is that of a call that the account cannot pay for, or [ErrUnsupported].
func (r Request) read(answer chainclient.Result, c conditions) (Result, error) {
	raw, err := answer.JSON()
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok {
		if strings.Contains(strings.ToLower(failed.Message), "insufficient") {
			return unpaid(), nil
		}
		return Result{}, errors.Join(ErrUnsupported, err)
	}
	if err != nil {
		return Result{}, err
	}
	return r.parse(raw, c)
}

// simulated is the result of one call.
type simulated struct {
	Status chainclient.Uint64    `json:"status"`
	Gas    chainclient.Uint64    `json:"gasUsed"`
	Return chainclient.Bytes     `json:"returnData"`
	Logs   []chainclient.LogJSON `json:"logs"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (r Request) parse(raw json.RawMessage, c conditions) (found Result, err error) {
	var blocks []struct {
		Calls []simulated `json:"calls"`
	}
	// Nodes put empty blocks before a block whose number is not the next one.
	if err := json.Unmarshal(raw, &blocks); err != nil || len(blocks) == 0 {
		return found, errors.Join(ErrUnsupported, chainclient.ErrAnswer, err)
	}
	all := blocks[len(blocks)-1].Calls
	unread := 0
	for _, w := range r.Watched {
		if w.Before == nil {
			unread++
		}
	}
	if len(all) != unread+len(r.Calls)+len(r.Watched)+len(r.Allowances) {
		return found, errors.Join(ErrUnsupported, chainclient.ErrAnswer)
	}
	before, calls, rest := all[:unread], all[unread:unread+len(r.Calls)], all[unread+len(r.Calls):]
	for i, call := range calls {
		found.Gas, found.Used = found.Gas+uint64(call.Gas), append(found.Used, uint64(call.Gas))
		if call.Status == 1 {
			found.Logs = append(found.Logs, call.Logs...)
			continue
		}
		reason, err := abi.UnpackRevert(call.Return)
		if err != nil && call.Error != nil {
			reason = call.Error.Message
		}
		// A contract that another one calls gets 63 of 64 parts of the gas, so that the other one has some left.
		isOut := uint64(call.Gas) >= r.Calls[i].limit(c)/10*9
		return Result{Reverts: true, Reason: plain.Text(reason, reasonLimit), Gas: found.Gas, OutOfGas: isOut}, nil
	}
	found.Moved, found.Allowed = map[evm.Address]*big.Int{}, map[Allowance]*big.Int{}
	for i, w := range r.Watched {
		was, ok := w.Before, true
		if was == nil {
			was, ok = before[0].word()
			before = before[1:]
		}
		if is, isRead := rest[i].word(); ok && isRead {
			found.Moved[w.Token] = is.Sub(is, was)
		}
	}
	for i, a := range r.Allowances {
		if amount, ok := rest[len(r.Watched)+i].word(); ok {
			found.Allowed[a] = amount
		}
	}
	return found, nil
}

// word returns the amount that a call returned.
func (s simulated) word() (*big.Int, bool) {
	const word = 32
	if s.Status != 1 || len(s.Return) != word {
		return nil, false
	}
	return new(big.Int).SetBytes(s.Return), true
}
