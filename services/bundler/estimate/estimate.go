// Package estimate measures the gas of user operations.
package estimate

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/userop"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// measuredGas is the limit of each part while it is measured.
	measuredGas = 10_000_000
	// paymasterPostOpGas is enough for a paymaster that verifies a signature, whose postOp does nothing.
	paymasterPostOpGas = 60_000
	// newKeyGas is what the EntryPoint writes for the first nonce of a key.
	newKeyGas = 35_000
	// sizeGas is for members that are larger in the final operation.
	sizeGas = 2_500
)

// richBalance is what the sender and the EntryPoint have while they are measured, in wei.
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

// Measure returns the gas of an operation whose signature may be a dummy. The parts are run in one request (eth_simulateV1), or one by one on nodes
// that do not support it. It fails with an [*executor.Refusal] if a part reverts.
func Measure(ctx context.Context, node chainclient.Transport, t executor.Target, o *userop.Operation) (Gas, error) {
	full := *o
	full.CallGasLimit, full.VerificationGasLimit = userop.NewQuantity(measuredGas), userop.NewQuantity(measuredGas)
	if len(o.Paymaster) > 0 {
		full.PaymasterVerificationGasLimit, full.PaymasterPostOpGasLimit = userop.NewQuantity(measuredGas), userop.NewQuantity(measuredGas)
	}
	parts := partsOf(&full, full.Hash(t.EntryPoint, t.Number))
	overrides := overridesOf(&full, t.EntryPoint)
	used, err := simulate(ctx, node, t.EntryPoint, parts, overrides)
	if isUnsupported(err) {
		used, err = estimateEach(ctx, node, t.EntryPoint, parts, overrides)
	}
	if err != nil {
		return Gas{}, err
	}
	pre := full.LeastPreVerificationGas() + sizeGas
	g := Gas{
		PreVerification: hexutil.Uint64(pre), Call: hexutil.Uint64(used["execution"]*13/10 + 15_000),
		Verification: hexutil.Uint64((used["factory"]+used["validation"])*12/10 + newKeyGas),
	}
	if len(o.Paymaster) > 0 {
		verify, followUp := hexutil.Uint64(used["paymaster"]*13/10+10_000), hexutil.Uint64(paymasterPostOpGas)
		g.PaymasterVerify, g.PaymasterFollowUp = &verify, &followUp
	}
	return g, nil
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

// simulate runs all parts one after the other on the newest state.
func simulate(ctx context.Context, node chainclient.Transport, from evm.Address, parts []part, overrides map[string]map[string]any) (map[string]uint64, error) {
	calls := make([]any, len(parts))
	for i, p := range parts {
		calls[i] = p.call(from)
	}
	block := map[string]any{"stateOverrides": overrides, "calls": calls}
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
		used[parts[i].name] = uint64(c.GasUsed)
	}
	return used, nil
}

// estimateEach runs the parts one by one. Those after a factory do not see the account that it deploys, so they are not measured: they get a limit
// that is enough for common accounts.
func estimateEach(ctx context.Context, node chainclient.Transport, from evm.Address, parts []part, overrides map[string]map[string]any) (map[string]uint64, error) {
	const unmeasured = 300_000
	used := map[string]uint64{}
	for _, p := range parts {
		if used["factory"] > 0 && p.name != "paymaster" {
			used[p.name] = unmeasured
			continue
		}
		raw, err := node.Call(ctx, "eth_estimateGas", p.call(from), "latest", overrides)
		if err != nil {
			if failed, ok := errors.AsType[*chainclient.NodeError](err); ok && failed.Executed() {
				data, _ := failed.RevertData()
				return nil, reverted(p.name, data)
			}
			return nil, err
		}
		var gas chainclient.Uint64
		if err := json.Unmarshal(raw, &gas); err != nil {
			return nil, err
		}
		used[p.name] = uint64(gas)
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
	return &executor.Refusal{Code: code, Message: "the " + name + " of the user operation reverted", Data: data}
}

// isUnsupported reports whether a node does not have the method.
func isUnsupported(err error) bool {
	node, ok := errors.AsType[*chainclient.NodeError](err)
	return ok && !node.Executed()
}
