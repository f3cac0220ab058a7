// Package estimate measures the gas of user operations.
package estimate

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/revert"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const (
	// reasonLimit bounds the reason of a revert, in characters.
	reasonLimit = 200
	// measuredGas is the gas limit of each part during the measurement.
	measuredGas = 10_000_000
	// paymasterPostOpGas is enough for a paymaster that verifies a signature, whose postOp does nothing.
	paymasterPostOpGas = 60_000
	// newKeyGas is what the EntryPoint writes for the first nonce of a key.
	newKeyGas = 35_000
	// byteGas is what the EntryPoint uses to copy and hash a byte of an operation while it validates it.
	byteGas = 2
	// sizeGas is added for members that may be larger in the final operation.
	sizeGas = 2_500
)

// richBalance is the balance of the sender and the EntryPoint during the measurement, in wei.
var richBalance = hexutil.EncodeBig(new(big.Int).Exp(big.NewInt(10), big.NewInt(21), nil))

// Gas is the gas of an operation.
type Gas struct {
	PreVerification   hexutil.Uint64  `json:"preVerificationGas"`
	Verification      hexutil.Uint64  `json:"verificationGasLimit"`
	Call              hexutil.Uint64  `json:"callGasLimit"`
	PaymasterVerify   *hexutil.Uint64 `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterFollowUp *hexutil.Uint64 `json:"paymasterPostOpGasLimit,omitempty"`
}

// part is one call of the EntryPoint.
type part struct {
	name string
	to   evm.Address
	data []byte
}

// Measure returns the gas of an operation whose signature may be a dummy. The parts are run in one request, by eth_simulateV1 or, on nodes
// that do not support it, by a program in place of the EntryPoint. It fails with an [*executor.Refusal] if a part reverts.
func Measure(ctx context.Context, node chainclient.Transport, t executor.Target, o *userop.Operation, now time.Time) (Gas, error) {
	full := *o
	full.CallGasLimit, full.VerificationGasLimit = userop.NewQuantity(measuredGas), userop.NewQuantity(measuredGas)
	if len(o.Paymaster) > 0 {
		full.PaymasterVerificationGasLimit, full.PaymasterPostOpGasLimit = userop.NewQuantity(measuredGas), userop.NewQuantity(measuredGas)
	}
	parts := partsOf(&full, full.Hash(t.EntryPoint, t.Number))
	overrides := overridesOf(&full, t.EntryPoint)
	used, err := simulate(ctx, node, t, parts, overrides, time.Time{})
	if _, refused := errors.AsType[*executor.Refusal](err); refused {
		// The newest block of an idle chain is old, and conditions of the operation may have become true since.
		if later, failed := simulate(ctx, node, t, parts, overrides, now); failed == nil {
			used, err = later, nil
		}
	}
	if isUnsupported(err) || errors.Is(err, errFloor) {
		used, err = sequence(ctx, node, t.EntryPoint, parts, overrides)
	}
	if err != nil {
		return Gas{}, err
	}
	g := Gas{
		Call: hexutil.Uint64(used["execution"]*13/10 + 15_000), PreVerification: hexutil.Uint64(t.Fees.Gas.PreVerification(&full) + sizeGas),
		Verification: hexutil.Uint64((used["factory"]+used["validation"])*12/10 + newKeyGas + byteGas*uint64(len(o.CallData)+len(o.FactoryData))),
	}
	if len(o.Paymaster) > 0 {
		verify, followUp := hexutil.Uint64(used["paymaster"]*13/10+10_000), hexutil.Uint64(paymasterPostOpGas)
		g.PaymasterVerify, g.PaymasterFollowUp = &verify, &followUp
	}
	charge, err := measureCharge(ctx, node, t, &full, g.sum())
	g.PreVerification += hexutil.Uint64(charge)
	return g, err
}

// sum returns the gas of a transaction of the operation, at most.
func (g Gas) sum() uint64 {
	sum := g.PreVerification + g.Verification + g.Call
	if g.PaymasterVerify != nil {
		sum += *g.PaymasterVerify + *g.PaymasterFollowUp
	}
	return uint64(sum)
}

// measureCharge returns what the network charges beside gas for an operation whose transaction has a gas limit, in gas, plus a quarter, because the
// price may change until the operation is sent.
func measureCharge(ctx context.Context, node chainclient.Transport, t executor.Target, o *userop.Operation, gasLimit uint64) (uint64, error) {
	calls := t.Fees.Model.Calls(t.Number, t.EntryPoint, fees.Incompressible(o), gasLimit)
	if len(calls) == 0 {
		return 0, nil
	}
	results, err := node.Batch(ctx, append(calls, chainclient.LatestBlock())...)
	if err != nil {
		return 0, err
	}
	var block struct {
		BaseFee chainclient.Amount `json:"baseFeePerGas"`
	}
	if err := results[len(calls)].Decode(&block); err != nil {
		return 0, err
	}
	gas, err := t.Fees.Model.Charge(results[:len(calls)], fees.Price(o, block.BaseFee.OrZero()))
	return gas + gas/4, err
}

func partsOf(o *userop.Operation, hash common.Hash) (parts []part) {
	missing := big.NewInt(1) // the account pays once, so that its write in the EntryPoint is measured
	if len(o.Paymaster) > 0 {
		missing = new(big.Int)
	}
	if len(o.Factory) == common.AddressLength && !o.Delegates() {
		parts = append(parts, part{"factory", common.BytesToAddress(o.Factory), o.FactoryData})
	}
	parts = append(parts, part{"validation", o.Sender, o.ValidateUserOp(hash, missing)})
	if len(o.Paymaster) > 0 {
		parts = append(parts, part{"paymaster", common.BytesToAddress(o.Paymaster), o.ValidatePaymasterUserOp(hash, big.NewInt(1))})
	}
	return append(parts, part{"execution", o.Sender, o.CallData})
}

func overridesOf(o *userop.Operation, entryPoint evm.Address) map[string]map[string]any {
	overrides := executor.Overrides(o)
	sender := overrides[o.Sender.String()]
	if sender == nil {
		sender = map[string]any{}
	}
	sender["balance"] = richBalance
	overrides[o.Sender.String()] = sender
	overrides[entryPoint.String()] = map[string]any{"balance": richBalance}
	return overrides
}

func (p part) call(from evm.Address) map[string]any {
	return map[string]any{"from": from, "to": p.to, "input": hexutil.Bytes(p.data)}
}

// errFloor is returned by [simulate] if it cannot tell what a part used, because its data cost more (EIP-7623).
var errFloor = errors.New("the gas of the data is above that of the code")

// simulate runs all parts in sequence on the newest state, in a block with the given time; the zero time means that of
// the node's next block. Each is a transaction, so what its data cost is subtracted.
func simulate(
	ctx context.Context, node chainclient.Transport, t executor.Target, parts []part, overrides map[string]map[string]any, at time.Time,
) (map[string]uint64, error) {
	calls := make([]any, len(parts))
	for i, p := range parts {
		calls[i] = p.call(t.EntryPoint)
	}
	block := map[string]any{"stateOverrides": overrides, "calls": calls}
	if !at.IsZero() {
		block["blockOverrides"] = map[string]any{"time": hexutil.Uint64(at.Unix())}
	}
	raw, err := node.Call(ctx, "eth_simulateV1", map[string]any{"blockStateCalls": []any{block}, "validation": false}, "latest")
	if err != nil {
		return nil, err
	}
	var blocks []struct {
		Calls []struct {
			Status  chainclient.Uint64 `json:"status"`
			GasUsed chainclient.Uint64 `json:"gasUsed"`
			Return  chainclient.Bytes  `json:"returnData"`
		} `json:"calls"`
	}
	if err := json.Unmarshal(raw, &blocks); err != nil || len(blocks) != 1 || len(blocks[0].Calls) != len(parts) {
		return nil, errors.Join(chainclient.ErrAnswer, err)
	}
	used := map[string]uint64{}
	for i, c := range blocks[0].Calls {
		if c.Status != 1 {
			return nil, reverted(parts[i].name, c.Return)
		}
		standard, floor := t.Fees.Gas.Data(parts[i].data)
		if uint64(c.GasUsed) <= t.Fees.Gas.Transaction+floor {
			return nil, errFloor
		}
		used[parts[i].name] = uint64(c.GasUsed) - standard
	}
	return used, nil
}

func reverted(name string, data []byte) error {
	code := executor.CodeRejected
	switch name {
	case "execution":
		code = executor.CodeReverted
	case "paymaster":
		code = executor.CodePaymaster
	}
	message := "the " + name + " of the user operation reverted"
	if reason := revert.Reason(data, reasonLimit); reason != "" {
		message += ": " + reason
	}
	return &executor.Refusal{Code: code, Message: message, Data: data}
}

// isUnsupported reports whether a node does not have the method.
func isUnsupported(err error) bool {
	node, ok := errors.AsType[*chainclient.NodeError](err)
	return ok && !node.Executed()
}
