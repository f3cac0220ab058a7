package executor

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// maxVerificationGas bounds the gas of the validation by an account and a paymaster: what an executor pays for if the validation fails in a block.
const maxVerificationGas = 1_000_000

// maxDataSize bounds the data of a transaction, in bytes: nodes refuse transactions of more than 128 KiB, with signatures and authorizations.
const maxDataSize = 127 << 10

// ready is what an operation is sent with.
type ready struct {
	key account.Key
	// nonce is the number of transactions that the key has sent.
	nonce uint64
	// fee is what the first transaction pays, and maxFee the most that another one pays for a unit of gas, in wei.
	fee    Fee
	maxFee *big.Int
	// loss is what a failure costs the key at most, in wei.
	loss *big.Int
}

// header is the header of a block, as far as a check needs it.
type header struct {
	Number  chainclient.Uint64 `json:"number"`
	Time    chainclient.Uint64 `json:"timestamp"`
	BaseFee chainclient.Amount `json:"baseFeePerGas"`
}

// check checks an operation against the newest block, selects a key that can pay for it, and calls the EntryPoint as the transaction of that key would in
// the next block. It fails with a [*Refusal] if the operation would fail, or would not pay for its transaction.
func (e *Executor) check(ctx context.Context, t Target, o *userop.Operation) (ready, error) {
	if err := checkGas(t, o); err != nil {
		return ready{}, err
	}
	if o.Authorization != nil {
		if err := o.Authorization.Check(o.Sender, t.Number); err != nil {
			return ready{}, refuse(CodeInvalid, "%s", err)
		}
	}
	keys := e.inTurn()
	calls := []chainclient.Call{
		chainclient.LatestBlock(), {Method: "eth_maxPriorityFeePerGas"}, {Method: "eth_getTransactionCount", Params: []any{o.Sender, "latest"}},
	}
	calls = append(calls, t.Accepted.Calls(o.Sender)...)
	data := len(calls)
	calls = append(calls, t.Fees.Model.Calls(t.Number, t.EntryPoint, o, gasLimit(o))...)
	balances := len(calls)
	results, err := e.connect(t.ChainID).Batch(ctx, append(calls, balancesOf(keys)...)...)
	if err != nil {
		return ready{}, err
	}
	if err := t.Accepted.Check(o, results[3:data]); err != nil {
		return ready{}, err
	}
	var newest header
	if err := results[0].Decode(&newest); err != nil {
		return ready{}, err
	}
	tip, err := results[1].Quantity()
	if err != nil {
		return ready{}, err
	}
	base := nextBaseFee(newest.BaseFee.OrZero())
	if err := checkFee(o, base, tip, new(big.Int).SetUint64(t.Fees.LeastTip)); err != nil {
		return ready{}, err
	}
	price := fees.Price(o, newest.BaseFee.OrZero())
	charge, err := t.Fees.Model.Charge(results[data:balances], price)
	if err != nil {
		return ready{}, err
	}
	if least := userop.NewQuantity(t.Fees.Gas.PreVerification(o) + charge); o.PreVerificationGas.Lt(&least.Int) {
		return ready{}, refuse(CodeInvalid, "preVerificationGas is below %d, of which %d is for data on L1", least.Uint64(), charge)
	}
	if o.Authorization != nil {
		sent, err := results[2].Quantity()
		if err != nil {
			return ready{}, err
		}
		if sent.Cmp(o.Authorization.Nonce.ToBig()) != 0 {
			return ready{}, refuse(CodeInvalid, "the nonce of the authorization is not that of the account, %s", sent)
		}
	}
	fee := firstFee(o, base, tip)
	maxFee := mostFee(o, fee)
	// What a rollup charges for data is charged for a failed transaction too, and may rise by a quarter until then.
	charged := scale(new(big.Int).Mul(new(big.Int).SetUint64(charge), price), 5, 4)
	cost := new(big.Int).Mul(new(big.Int).SetUint64(gasLimit(o)), maxFee)
	r, err := selectKey(keys, results[balances:], cost.Add(cost, charged))
	if errors.Is(err, ErrNoFunds) {
		e.metrics.unfunded(ctx, t.ChainID)
	}
	if err != nil {
		return ready{}, err
	}
	r.fee, r.maxFee, r.loss = fee, maxFee, new(big.Int).Mul(lostGas(o), maxFee)
	r.loss.Add(r.loss, charged)
	return r, e.try(ctx, t, o, r, newest, base)
}

// checkGas checks the limits that the EntryPoint does not.
func checkGas(t Target, o *userop.Operation) error {
	if gasLimit(o) > t.Fees.Gas.Most {
		return refuse(CodeInvalid, "the gas limits are over %d together", t.Fees.Gas.Most)
	}
	if size := len(o.HandleOps(common.MaxAddress)); size > maxDataSize {
		return refuse(CodeInvalid, "the operation has %d bytes, and nodes take at most %d", size, maxDataSize)
	}
	if gas := verificationGas(o); gas > maxVerificationGas {
		return refuse(CodeInvalid, "verificationGasLimit and paymasterVerificationGasLimit are over %d together", maxVerificationGas)
	}
	if least := userop.NewQuantity(t.Fees.Gas.PreVerification(o)); o.PreVerificationGas.Lt(&least.Int) {
		return refuse(CodeInvalid, "preVerificationGas is below %d", least.Uint64())
	}
	return nil
}

// verificationGas returns the gas that the validation of an operation may use.
func verificationGas(o *userop.Operation) uint64 {
	sum := new(big.Int).Add(o.VerificationGasLimit.ToBig(), o.PaymasterVerificationGasLimit.ToBig())
	if !sum.IsUint64() {
		return 1 << 63
	}
	return sum.Uint64()
}

// recheck checks an operation or a removal again before another transaction of it.
func (e *Executor) recheck(ctx context.Context, c Chain, r Record) (ready, error) {
	if r.IsRemoval() {
		return e.checkRemoval(ctx, c, r.Operation, false)
	}
	return e.check(ctx, Target{c, r.EntryPoint}, r.Operation)
}

// inTurn returns the keys, each time with another one first.
func (e *Executor) inTurn() []account.Key {
	first := int(e.turn.Add(1) % uint32(len(e.keys)))
	return append(append([]account.Key{}, e.keys[first:]...), e.keys[:first]...)
}

// balancesOf returns the calls that [selectKey] reads the results of.
func balancesOf(keys []account.Key) (calls []chainclient.Call) {
	for _, k := range keys {
		calls = append(calls, chainclient.Call{Method: "eth_getBalance", Params: []any{k.Address(), "latest"}},
			chainclient.Call{Method: "eth_getTransactionCount", Params: []any{k.Address(), "pending"}})
	}
	return calls
}

// selectKey returns the first key whose balance pays for a transaction. results are balance and nonce of each key.
func selectKey(keys []account.Key, results []chainclient.Result, cost *big.Int) (ready, error) {
	var failed error
	for i, k := range keys {
		balance, err := results[2*i].Quantity()
		if err != nil {
			failed = err
			continue
		}
		nonce, err := results[2*i+1].Quantity()
		if err != nil {
			failed = err
			continue
		}
		if balance.Cmp(cost) >= 0 {
			return ready{key: k, nonce: nonce.Uint64()}, nil
		}
	}
	if failed == nil {
		failed = ErrNoFunds
	}
	return ready{}, failed
}

// codeParams is the code of nodes for parameters that they do not support.
const codeParams = -32602

// try calls the EntryPoint as the transaction would, in the block after the newest. An authorization is treated as already included.
func (e *Executor) try(ctx context.Context, t Target, o *userop.Operation, r ready, newest header, base *big.Int) error {
	from := r.key.Address()
	tx := map[string]any{
		"from": from, "to": t.EntryPoint, "data": hexutil.Bytes(o.HandleOps(from)), "gas": hexutil.Uint64(gasLimit(o)),
		"maxFeePerGas": (*hexutil.Big)(r.fee.Max), "maxPriorityFeePerGas": (*hexutil.Big)(r.fee.Tip),
	}
	next := map[string]any{
		"number": hexutil.Uint64(newest.Number + 1), "time": hexutil.Uint64(max(uint64(newest.Time)+1, uint64(e.clock.Now().Unix()))), //nolint:gosec // after 1970
		"baseFeePerGas": (*hexutil.Big)(base),
	}
	_, err := e.connect(t.ChainID).Call(ctx, "eth_call", tx, "latest", Overrides(o), next)
	if node, ok := errors.AsType[*chainclient.NodeError](err); ok && !node.Executed() && node.Code == codeParams {
		// The node does not support another block's header.
		_, err = e.connect(t.ChainID).Call(ctx, "eth_call", tx, "latest", Overrides(o))
	}
	return refusalOf(err)
}

// Overrides returns the state override that replaces the authorization of an operation.
func Overrides(o *userop.Operation) map[string]map[string]any {
	overrides := map[string]map[string]any{}
	if o.Authorization != nil {
		overrides[o.Sender.String()] = map[string]any{"code": hexutil.Bytes(types.AddressToDelegation(o.Authorization.Address))}
	}
	return overrides
}

// gasLimit returns the gas of the transaction of an operation: the EntryPoint forwards at most 63/64 of its remaining
// gas (EIP-150).
func gasLimit(o *userop.Operation) uint64 {
	gas := new(big.Int).Mul(o.GasLimit(), big.NewInt(66))
	gas.Div(gas, big.NewInt(64))
	gas.Add(gas, o.PreVerificationGas.ToBig())
	gas.Add(gas, big.NewInt(100_000))
	if !gas.IsUint64() {
		return 1 << 63
	}
	return gas.Uint64()
}

// refusalOf converts the error of an EntryPoint call that failed in the contract to a refusal, and returns any other
// error unchanged.
func refusalOf(err error) error {
	node, ok := errors.AsType[*chainclient.NodeError](err)
	if !ok || !node.Executed() {
		return err
	}
	data, _ := node.RevertData()
	reason, ok := userop.FailedOp(data)
	if !ok {
		return &Refusal{Code: CodeRejected, Message: "the EntryPoint reverted: " + Clip(node.Message), Data: data}
	}
	code := CodeRejected
	switch {
	case strings.HasPrefix(reason, "AA24"), strings.HasPrefix(reason, "AA34"):
		code = CodeSignature
	case strings.HasPrefix(reason, "AA3"):
		code = CodePaymaster
	}
	return &Refusal{Code: code, Message: Clip(reason), Data: data}
}

// Clip shortens text of a contract or node to 200 bytes.
func Clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), 200)], "") }

// receiptJSON is the receipt of a transaction.
type receiptJSON struct {
	GasUsed  chainclient.Uint64 `json:"gasUsed"`
	GasPrice chainclient.Amount `json:"effectiveGasPrice"`
	// L1Fee is what a rollup charged for data, in wei.
	L1Fee  chainclient.Amount    `json:"l1Fee"`
	Block  *common.Hash          `json:"blockHash"`
	Number chainclient.Uint64    `json:"blockNumber"`
	Logs   []chainclient.LogJSON `json:"logs"`
}

// cost returns what the transaction cost its executor, in wei.
func (r *receiptJSON) cost() *big.Int {
	cost := new(big.Int).Mul(new(big.Int).SetUint64(uint64(r.GasUsed)), r.GasPrice.OrZero())
	return cost.Add(cost, r.L1Fee.OrZero())
}

// readReceipt returns the receipt of a transaction, and nil if it is not in a block. raw is the receipt as the node returned it.
func readReceipt(r chainclient.Result) (receipt *receiptJSON, raw json.RawMessage, err error) {
	if raw, err = r.JSON(); err != nil {
		return nil, nil, err
	}
	if err := r.Decode(&receipt); err != nil || receipt == nil || receipt.Block == nil {
		return nil, nil, err
	}
	return receipt, raw, nil
}
