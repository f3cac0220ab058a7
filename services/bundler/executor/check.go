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

	"github.com/hawser-dev/hawser/services/bundler/rollup"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

// maxGas bounds the gas of one transaction (EIP-7825).
const maxGas = 1 << 24

// ready is the key that sends an operation, and the number of transactions that the key has sent.
type ready struct {
	key   account.Key
	nonce uint64
}

// check runs an operation against the newest block, in one round trip, and selects a key that can pay for it.
func (e *Executor) check(ctx context.Context, t Target, o *userop.Operation) (ready, error) {
	if err := checkGas(o); err != nil {
		return ready{}, err
	}
	if o.Authorization != nil {
		if err := o.Authorization.Check(o.Sender, t.Number); err != nil {
			return ready{}, refuse(CodeInvalid, "%s", err)
		}
	}
	first := int(e.turn.Add(1) % uint32(len(e.keys)))
	ordered := append(append([]account.Key{}, e.keys[first:]...), e.keys[:first]...)
	calls := []chainclient.Call{
		handleCall(t, o, ordered[0]),
		{Method: "eth_getBlockByNumber", Params: []any{"latest", false}},
		{Method: "eth_getTransactionCount", Params: []any{o.Sender, "latest"}},
	}
	for _, k := range ordered {
		calls = append(calls, chainclient.Call{Method: "eth_getBalance", Params: []any{k.Address(), "latest"}},
			chainclient.Call{Method: "eth_getTransactionCount", Params: []any{k.Address(), "pending"}})
	}
	keys := len(calls)
	if t.Rollup != rollup.None {
		calls = append(calls, t.Rollup.Call(t.Number, t.EntryPoint, o))
	}
	results, err := e.connect(t.ChainID).Batch(ctx, calls...)
	if err != nil {
		return ready{}, err
	}
	if err := refusalOf(results[0].Err()); err != nil {
		return ready{}, err
	}
	var block struct {
		BaseFee chainclient.Amount `json:"baseFeePerGas"`
	}
	if err := results[1].Decode(&block); err != nil {
		return ready{}, err
	}
	if o.MaxFeePerGas.ToBig().Cmp(block.BaseFee.OrZero()) < 0 {
		return ready{}, refuse(CodeInvalid, "maxFeePerGas is below the base fee of %s wei", block.BaseFee.OrZero())
	}
	if t.Rollup != rollup.None {
		if err := checkL1(t, o, results[keys], rollup.Price(o, block.BaseFee.OrZero())); err != nil {
			return ready{}, err
		}
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
	return selectKey(ordered, results[3:], cost(o))
}

// checkGas checks the limits that the EntryPoint does not.
func checkGas(o *userop.Operation) error {
	if gasLimit(o) > maxGas {
		return refuse(CodeInvalid, "the gas limits are over %d together", maxGas)
	}
	if least := userop.NewQuantity(o.LeastPreVerificationGas()); o.PreVerificationGas.Lt(&least.Int) {
		return refuse(CodeInvalid, "preVerificationGas is below %d", least.Uint64())
	}
	return nil
}

// checkL1 checks that preVerificationGas also pays for the data on L1. result is the result of the rollup's call.
func checkL1(t Target, o *userop.Operation, result chainclient.Result, price *big.Int) error {
	l1, err := t.Rollup.Gas(result, price)
	if err != nil {
		return err
	}
	if least := userop.NewQuantity(o.LeastPreVerificationGas() + l1); o.PreVerificationGas.Lt(&least.Int) {
		return refuse(CodeInvalid, "preVerificationGas is below %d, of which %d is for data on L1", least.Uint64(), l1)
	}
	return nil
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
			return ready{k, nonce.Uint64()}, nil
		}
	}
	if failed == nil {
		failed = ErrNoFunds
	}
	return ready{}, failed
}

// handleCall returns the call of the EntryPoint as the key would send it. An authorization is treated as already
// included.
func handleCall(t Target, o *userop.Operation, key account.Key) chainclient.Call {
	tx := map[string]any{"from": key.Address(), "to": t.EntryPoint, "data": hexutil.Bytes(o.HandleOps(key.Address())), "gas": hexutil.Uint64(gasLimit(o))}
	params := []any{tx, "latest"}
	if o.Authorization != nil {
		params = append(params, Overrides(o))
	}
	return chainclient.Call{Method: "eth_call", Params: params}
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

func cost(o *userop.Operation) *big.Int {
	return new(big.Int).Mul(new(big.Int).SetUint64(gasLimit(o)), o.MaxFeePerGas.ToBig())
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
	Status chainclient.Uint64    `json:"status"`
	Block  *common.Hash          `json:"blockHash"`
	Number chainclient.Uint64    `json:"blockNumber"`
	Logs   []chainclient.LogJSON `json:"logs"`
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
