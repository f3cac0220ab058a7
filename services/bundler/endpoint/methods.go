package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// ErrMethod is returned for a method that bundlers do not have.
var ErrMethod = errors.New("no such method")

// request is one call of a method.
type request struct {
	project, chainID string
	params           []json.RawMessage
}

// method answers a request. Its error may be an [*executor.Refusal].
type method func(e *Endpoint, ctx context.Context, r request) (any, error)

// methods are the methods of ERC-7769 and ERC-7677, and two methods of Pimlico that clients use.
var methods = map[string]method{
	"eth_chainId":                      (*Endpoint).chainID,
	"eth_supportedEntryPoints":         (*Endpoint).entryPoints,
	"eth_sendUserOperation":            (*Endpoint).sendUserOperation,
	"eth_estimateUserOperationGas":     (*Endpoint).estimateUserOperationGas,
	"eth_getUserOperationByHash":       (*Endpoint).userOperationByHash,
	"eth_getUserOperationReceipt":      (*Endpoint).userOperationReceipt,
	"pimlico_getUserOperationGasPrice": (*Endpoint).gasPrice,
	"pm_getPaymasterStubData":          (*Endpoint).paymasterStubData,
	"pm_getPaymasterData":              (*Endpoint).paymasterData,
	"pm_sponsorUserOperation":          (*Endpoint).sponsorUserOperation,
}

// paymasterMethods are handled here even if a chain has another bundler.
var paymasterMethods = map[string]bool{"pm_getPaymasterStubData": true, "pm_getPaymasterData": true}

// Answer handles one JSON-RPC body. named is the bundler that the caller chose, or empty. It fails with [ErrMethod],
// [ErrChain], [remote.ErrRefused], or an error of the chain; every other failure is an error response.
func (e *Endpoint) Answer(ctx context.Context, project, chainID, named string, body []byte) ([]byte, error) {
	m := jsonrpc.Parse(body)
	item := m.Items[0]
	if m.Batch {
		item.Refusal = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: batches are not supported"}
		item.ID = json.RawMessage("null")
	}
	if item.Refusal != nil {
		return jsonrpc.AppendError(nil, item.ID, *item.Refusal), nil
	}
	answer, known := methods[item.Method]
	if !known {
		return nil, ErrMethod
	}
	if named != "" {
		return e.Remote.ForwardListed(ctx, named, body)
	}
	if _, ok := e.URLs[chainID]; !ok {
		return nil, ErrChain
	}
	if item.ID == nil {
		item.ID = json.RawMessage("null")
	}
	r := request{project: project, chainID: chainID}
	if item.Params != nil && json.Unmarshal(item.Params, &r.params) != nil {
		return jsonrpc.AppendError(nil, item.ID, jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params is not an array"}), nil
	}
	if url := e.url(chainID); url != "" && (!paymasterMethods[item.Method] || !e.Paymaster.Pays(project)) {
		sender, err := e.admit(ctx, item.Method, r)
		if err == nil {
			return e.forward(ctx, url, r, sender, body)
		}
		answer = func(*Endpoint, context.Context, request) (any, error) { return nil, err }
	}
	result, err := answer(e, ctx, r)
	if refused, ok := errors.AsType[*executor.Refusal](err); ok {
		return jsonrpc.AppendError(nil, item.ID, errorOf(refused)), nil
	}
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	return jsonrpc.AppendResult(nil, item.ID, encoded), nil
}

// admit checks that the bundler of another operator, whose key is that of the configuration, gets a request. It returns the sender of an operation, which
// is counted, and nil for another request.
func (e *Endpoint) admit(ctx context.Context, method string, r request) (*evm.Address, error) {
	if strings.HasPrefix(method, "pm_") && !e.ForwardsPaymaster[r.chainID] {
		return nil, &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	if method != "eth_sendUserOperation" {
		return nil, nil
	}
	if len(r.params) == 0 {
		return nil, invalid("the parameters are a user operation and an EntryPoint")
	}
	o, err := userop.Parse(r.params[0])
	if err != nil {
		return nil, invalid("%s", err)
	}
	return &o.Sender, e.countForwarded(ctx, r.project, r.chainID, o.Sender)
}

// forward sends a request to the bundler of another operator. An operation that it refuses does not count.
func (e *Endpoint) forward(ctx context.Context, url string, r request, sender *evm.Address, body []byte) ([]byte, error) {
	answer, err := e.Remote.Forward(ctx, url, body)
	if sender == nil {
		return answer, err
	}
	var answered struct {
		Error json.RawMessage `json:"error"`
	}
	if err != nil || json.Unmarshal(answer, &answered) != nil || len(answered.Error) > 0 {
		e.uncount(ctx, r.project, r.chainID, *sender)
	}
	return answer, err
}

// uncount takes back the count of an operation that another bundler refused.
func (e *Endpoint) uncount(ctx context.Context, project, chainID string, sender evm.Address) {
	// Without it the limit is reached earlier, which is no reason to fail.
	_ = e.Count(context.WithoutCancel(ctx), project, chainID, sender, -1)
}

func (e *Endpoint) countForwarded(ctx context.Context, project, chainID string, sender evm.Address) error {
	err := e.Count(ctx, project, chainID, sender, 1)
	if limited, ok := errors.AsType[*executor.LimitError](err); ok {
		return &executor.Refusal{Code: executor.CodeLimited, Message: limited.Error()}
	}
	return err
}

func errorOf(r *executor.Refusal) jsonrpc.Error {
	answer := jsonrpc.Error{Code: r.Code, Message: r.Message}
	if len(r.Data) > 0 {
		answer.Data = json.RawMessage(`"` + hexutil.Encode(r.Data) + `"`)
	}
	return answer
}

func invalid(format string, args ...any) error {
	return &executor.Refusal{Code: executor.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// operation returns the operation and EntryPoint of a request.
func (e *Endpoint) operation(ctx context.Context, r request) (executor.Target, *userop.Operation, error) {
	if len(r.params) < 2 {
		return executor.Target{}, nil, invalid("the parameters are a user operation and an EntryPoint")
	}
	o, err := userop.Parse(r.params[0])
	if err != nil {
		return executor.Target{}, nil, invalid("%s", err)
	}
	var entryPoint evm.Address
	if err := json.Unmarshal(r.params[1], &entryPoint); err != nil {
		return executor.Target{}, nil, invalid("the EntryPoint is not an address")
	}
	t, err := e.target(ctx, r.chainID, entryPoint)
	return t, o, err
}

func (r request) hash() (hash common.Hash, err error) {
	if len(r.params) != 1 || json.Unmarshal(r.params[0], &hash) != nil {
		return hash, invalid("the parameter is the hash of a user operation")
	}
	return hash, nil
}

func (e *Endpoint) chainID(ctx context.Context, r request) (any, error) {
	n, err := e.Network(ctx, r.chainID)
	return (*hexutil.Big)(n.Number), err
}

func (e *Endpoint) entryPoints(ctx context.Context, r request) (any, error) {
	n, err := e.Network(ctx, r.chainID)
	return n.EntryPoints, err
}

func (e *Endpoint) sendUserOperation(ctx context.Context, r request) (any, error) {
	t, o, err := e.operation(ctx, r)
	if err != nil {
		return nil, err
	}
	return e.execute(ctx, r.project, t, o)
}

func (e *Endpoint) estimateUserOperationGas(ctx context.Context, r request) (any, error) {
	t, o, err := e.operation(ctx, r)
	if err != nil {
		return nil, err
	}
	return e.Estimate(ctx, t, o)
}

func (e *Endpoint) userOperationReceipt(ctx context.Context, r request) (any, error) {
	hash, err := r.hash()
	if err != nil {
		return nil, err
	}
	x, err := e.executor()
	if err != nil {
		return nil, err
	}
	receipt, included, err := x.Receipt(ctx, r.chainID, hash)
	if errors.Is(err, executor.ErrUnknown) || err == nil && (!included || receipt.IsRemoval()) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return receiptOf(receipt), nil
}

func (e *Endpoint) userOperationByHash(ctx context.Context, r request) (any, error) {
	hash, err := r.hash()
	if err != nil {
		return nil, err
	}
	x, err := e.executor()
	if err != nil {
		return nil, err
	}
	receipt, included, err := x.Receipt(ctx, r.chainID, hash)
	if errors.Is(err, executor.ErrUnknown) || err == nil && receipt.IsRemoval() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[string]any{
		"userOperation": receipt.Operation, "entryPoint": receipt.EntryPoint, "transactionHash": nil, "blockHash": nil, "blockNumber": nil,
	}
	if included {
		var in struct {
			Hash   common.Hash    `json:"blockHash"`
			Number hexutil.Uint64 `json:"blockNumber"`
		}
		if err := json.Unmarshal(receipt.JSON, &in); err != nil {
			return nil, err
		}
		found["transactionHash"], found["blockHash"], found["blockNumber"] = receipt.Transaction, in.Hash, in.Number
	}
	return found, nil
}

func (e *Endpoint) gasPrice(ctx context.Context, r request) (any, error) {
	x, err := e.executor()
	if err != nil {
		return nil, err
	}
	fee, err := x.Price(ctx, r.chainID)
	if err != nil {
		return nil, err
	}
	price := map[string]*hexutil.Big{"maxFeePerGas": (*hexutil.Big)(fee.Max), "maxPriorityFeePerGas": (*hexutil.Big)(fee.Tip)}
	return map[string]any{"slow": price, "standard": price, "fast": price}, nil
}
