package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"google.golang.org/grpc"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/operation"
)

// bundler sends user operations to the EntryPoint without prior checks.
type bundler struct {
	t     testing.TB
	chain devnettest.Chain

	mu   sync.Mutex
	sent map[common.Hash]json.RawMessage
}

// Forward implements the bundler service.
func (b *bundler) Forward(_ context.Context, r *bundlerv1.ForwardRequest, _ ...grpc.CallOption) (*bundlerv1.ForwardResponse, error) {
	item := jsonrpc.Parse(r.GetBody()).Items[0]
	var params []json.RawMessage
	if err := json.Unmarshal(item.Params, &params); err != nil {
		return nil, err
	}
	result, refusal := b.answer(item.Method, params)
	if refusal != "" {
		return &bundlerv1.ForwardResponse{Body: jsonrpc.AppendError(nil, item.ID, jsonrpc.Error{Code: -32500, Message: refusal})}, nil
	}
	encoded, err := json.Marshal(result)
	return &bundlerv1.ForwardResponse{Body: jsonrpc.AppendResult(nil, item.ID, encoded)}, err
}

func (b *bundler) answer(method string, params []json.RawMessage) (result any, refusal string) {
	switch method {
	case "pimlico_getUserOperationGasPrice":
		return map[string]any{"standard": map[string]string{"maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1"}}, ""
	case "eth_estimateUserOperationGas":
		return map[string]string{"preVerificationGas": "0x186a0", "verificationGasLimit": "0xf4240", "callGasLimit": "0xf4240"}, ""
	case "eth_sendUserOperation":
		o, err := userop.Parse(params[0])
		if err != nil {
			return nil, err.Error()
		}
		return b.send(o)
	case "eth_getUserOperationReceipt":
		var hash common.Hash
		if err := json.Unmarshal(params[0], &hash); err != nil {
			return nil, err.Error()
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if receipt, ok := b.sent[hash]; ok {
			return receipt, ""
		}
		return nil, ""
	}
	return nil, "no paymaster"
}

var operationEvent = crypto.Keccak256Hash([]byte("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"))

func (b *bundler) send(o *userop.Operation) (result any, refusal string) {
	const executor = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	b.chain.Call(b.t, "anvil_setBalance", executor, "0xde0b6b3a7640000")
	b.chain.Call(b.t, "anvil_impersonateAccount", executor)
	tx := map[string]any{"from": executor, "to": userop.EntryPoint07, "data": hexutil.Bytes(o.HandleOps(evm.MustAddress(executor))), "gas": "0x5b8d80"}
	if why := callError(b.t, b.chain, "eth_call", tx, "latest"); why != "" {
		return nil, why
	}
	var receipt struct {
		operation.Receipt
		Logs []struct {
			Topics []common.Hash `json:"topics"`
			Data   hexutil.Bytes `json:"data"`
		} `json:"logs"`
	}
	raw := b.chain.Send(b.t, tx)
	decode(b.t, raw, &receipt)
	hash := o.Hash(userop.EntryPoint07, onchain.Number(local))
	for _, l := range receipt.Logs {
		if l.Topics[0] == operationEvent && l.Topics[1] == hash {
			b.mu.Lock()
			b.sent[hash] = json.RawMessage(fmt.Sprintf(`{"success":%t,"logs":[],"receipt":%s}`, new(big.Int).SetBytes(l.Data[32:64]).Sign() != 0, raw))
			b.mu.Unlock()
			return hash, ""
		}
	}
	return nil, "the operation was not executed"
}

// callError returns the error of a call of a node, or an empty string.
func callError(t testing.TB, chain devnettest.Chain, method string, params ...any) string {
	t.Helper()
	list, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	body, err := chain.Forward(t.Context(), jsonrpc.AppendRequest(nil, 1, method, list))
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Error *struct {
			Message string `json:"message"`
			Data    string `json:"data"`
		} `json:"error"`
	}
	decode(t, body, &r)
	if r.Error == nil {
		return ""
	}
	if reason, ok := userop.FailedOp(common.FromHex(r.Error.Data)); ok {
		return reason
	}
	return r.Error.Message
}
