package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/userop"
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
	if url := e.url(chainID); url != "" && (!paymasterMethods[item.Method] || !e.Paymaster.Pays(project)) {
		return e.Remote.Forward(ctx, url, body)
	}
	if item.ID == nil {
		item.ID = json.RawMessage("null")
	}
	r := request{project: project, chainID: chainID}
	if item.Params != nil && json.Unmarshal(item.Params, &r.params) != nil {
		return jsonrpc.AppendError(nil, item.ID, jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params is not an array"}), nil
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
	x, err := e.executor()
	if err != nil {
		return nil, err
	}
	return x.Send(ctx, r.project, t, o)
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
	if errors.Is(err, executor.ErrUnknown) || err == nil && !included {
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
	if errors.Is(err, executor.ErrUnknown) {
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

// sponsored returns the operation of a request that the paymaster may sponsor, and the paymaster's contract.
func (e *Endpoint) sponsored(ctx context.Context, r request) (executor.Target, *userop.Operation, evm.Address, error) {
	t, o, err := e.operation(ctx, r)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	n, err := e.Network(ctx, r.chainID)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	if !e.Paymaster.Pays(r.project) || n.Paymaster == (evm.Address{}) || t.EntryPoint != userop.EntryPoint07 {
		return t, nil, evm.Address{}, &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return t, o, n.Paymaster, nil
}

// PaymasterFields are the members of a user operation that a paymaster fills in.
type PaymasterFields struct {
	Paymaster       evm.Address        `json:"paymaster"`
	Data            hexutil.Bytes      `json:"paymasterData"`
	VerificationGas hexutil.Uint64     `json:"paymasterVerificationGasLimit"`
	PostOpGas       hexutil.Uint64     `json:"paymasterPostOpGasLimit"`
	Sponsor         *paymaster.Sponsor `json:"sponsor,omitempty"`
	IsFinal         *bool              `json:"isFinal,omitempty"`
}

func (e *Endpoint) paymasterStubData(ctx context.Context, r request) (any, error) {
	_, _, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	f := PaymasterFields{Paymaster: contract, Data: e.Paymaster.StubData(), VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}
	final := false
	f.IsFinal = &final
	if s := e.Paymaster.Sponsor(); s.Name != "" {
		f.Sponsor = &s
	}
	return f, nil
}

func (e *Endpoint) paymasterData(ctx context.Context, r request) (any, error) {
	t, o, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	return e.sign(ctx, r, t, contract, o)
}

func (e *Endpoint) sign(ctx context.Context, r request, t executor.Target, contract evm.Address, o *userop.Operation) (PaymasterFields, error) {
	data, err := e.Paymaster.Data(ctx, r.project, t.ChainID, t.Number, contract, o)
	if errors.Is(err, paymaster.ErrRefused) {
		err = &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return PaymasterFields{Paymaster: contract, Data: data, VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}, err
}

// sponsorUserOperation estimates the gas of an operation and signs for it.
func (e *Endpoint) sponsorUserOperation(ctx context.Context, r request) (any, error) {
	t, o, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	o.Paymaster, o.PaymasterData = contract.Bytes(), e.Paymaster.StubData()
	gas, err := e.Estimate(ctx, t, o)
	if err != nil {
		return nil, err
	}
	o.PreVerificationGas, o.VerificationGasLimit = userop.NewQuantity(uint64(gas.PreVerification)), userop.NewQuantity(uint64(gas.Verification))
	o.CallGasLimit = userop.NewQuantity(uint64(gas.Call))
	fields, err := e.sign(ctx, r, t, contract, o)
	if err != nil {
		return nil, err
	}
	return struct {
		PaymasterFields
		PreVerification hexutil.Uint64 `json:"preVerificationGas"`
		Verification    hexutil.Uint64 `json:"verificationGasLimit"`
		Call            hexutil.Uint64 `json:"callGasLimit"`
	}{fields, gas.PreVerification, gas.Verification, gas.Call}, nil
}
