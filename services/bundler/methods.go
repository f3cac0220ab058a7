package bundler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/bundler/userop"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// errMethod is returned for a method that bundlers do not have.
var errMethod = errors.New("no such method")

// request is one call of a method.
type request struct {
	project, chainID string
	params           []json.RawMessage
}

// method answers a request. Its error may be an [*executor.Refusal].
type method func(b *Bundler, ctx context.Context, r request) (any, error)

// methods are those of ERC-7769, ERC-7677 and two of Pimlico that clients use.
var methods = map[string]method{
	"eth_chainId":                      (*Bundler).chainID,
	"eth_supportedEntryPoints":         (*Bundler).entryPoints,
	"eth_sendUserOperation":            (*Bundler).sendUserOperation,
	"eth_estimateUserOperationGas":     (*Bundler).estimateUserOperationGas,
	"eth_getUserOperationByHash":       (*Bundler).userOperationByHash,
	"eth_getUserOperationReceipt":      (*Bundler).userOperationReceipt,
	"pimlico_getUserOperationGasPrice": (*Bundler).gasPrice,
	"pm_getPaymasterStubData":          (*Bundler).paymasterStubData,
	"pm_getPaymasterData":              (*Bundler).paymasterData,
	"pm_sponsorUserOperation":          (*Bundler).sponsorUserOperation,
}

// paymasterMethods are answered here also if a chain has another bundler.
var paymasterMethods = map[string]bool{"pm_getPaymasterStubData": true, "pm_getPaymasterData": true}

// Answer answers one JSON-RPC body. named is the bundler that the caller chose, or empty. It fails with [errMethod], [ErrChain],
// [remote.ErrRefused], or an error of the chain; everything else is an error response.
func (b *Bundler) Answer(ctx context.Context, project, chainID, named string, body []byte) ([]byte, error) {
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
		return nil, errMethod
	}
	if named != "" {
		return b.remote.ForwardListed(ctx, named, body)
	}
	if _, ok := b.chains[chainID]; !ok {
		return nil, ErrChain
	}
	if url := b.url(chainID); url != "" && (!paymasterMethods[item.Method] || !b.paymaster.Pays(project)) {
		return b.remote.Forward(ctx, url, body)
	}
	if item.ID == nil {
		item.ID = json.RawMessage("null")
	}
	r := request{project: project, chainID: chainID}
	if item.Params != nil && json.Unmarshal(item.Params, &r.params) != nil {
		return jsonrpc.AppendError(nil, item.ID, jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params is not an array"}), nil
	}
	result, err := answer(b, ctx, r)
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
	e := jsonrpc.Error{Code: r.Code, Message: r.Message}
	if len(r.Data) > 0 {
		e.Data = json.RawMessage(`"` + hexutil.Encode(r.Data) + `"`)
	}
	return e
}

func invalid(format string, args ...any) error {
	return &executor.Refusal{Code: executor.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// operation returns the operation and EntryPoint of a request.
func (b *Bundler) operation(ctx context.Context, r request) (executor.Target, *userop.Operation, error) {
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
	t, err := b.target(ctx, r.chainID, entryPoint)
	return t, o, err
}

func (r request) hash() (hash common.Hash, err error) {
	if len(r.params) != 1 || json.Unmarshal(r.params[0], &hash) != nil {
		return hash, invalid("the parameter is the hash of a user operation")
	}
	return hash, nil
}

func (b *Bundler) chainID(ctx context.Context, r request) (any, error) {
	n, err := b.network(ctx, r.chainID)
	return (*hexutil.Big)(n.Number), err
}

func (b *Bundler) entryPoints(ctx context.Context, r request) (any, error) {
	n, err := b.network(ctx, r.chainID)
	return n.EntryPoints, err
}

func (b *Bundler) sendUserOperation(ctx context.Context, r request) (any, error) {
	t, o, err := b.operation(ctx, r)
	if err != nil {
		return nil, err
	}
	return b.executor.Send(ctx, r.project, t, o)
}

func (b *Bundler) estimateUserOperationGas(ctx context.Context, r request) (any, error) {
	t, o, err := b.operation(ctx, r)
	if err != nil {
		return nil, err
	}
	return b.Estimate(ctx, t, o)
}

func (b *Bundler) userOperationReceipt(ctx context.Context, r request) (any, error) {
	hash, err := r.hash()
	if err != nil {
		return nil, err
	}
	receipt, included, err := b.executor.Receipt(ctx, r.chainID, hash)
	if errors.Is(err, executor.ErrUnknown) || err == nil && !included {
		return nil, nil
	}
	return receiptOf(receipt), err
}

func (b *Bundler) userOperationByHash(ctx context.Context, r request) (any, error) {
	hash, err := r.hash()
	if err != nil {
		return nil, err
	}
	receipt, included, err := b.executor.Receipt(ctx, r.chainID, hash)
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

func (b *Bundler) gasPrice(ctx context.Context, r request) (any, error) {
	fee, err := b.executor.Price(ctx, r.chainID)
	if err != nil {
		return nil, err
	}
	price := map[string]*hexutil.Big{"maxFeePerGas": (*hexutil.Big)(fee.Max), "maxPriorityFeePerGas": (*hexutil.Big)(fee.Tip)}
	return map[string]any{"slow": price, "standard": price, "fast": price}, nil
}

// sponsored returns the operation of a request that the paymaster may pay for, and the paymaster's contract.
func (b *Bundler) sponsored(ctx context.Context, r request) (executor.Target, *userop.Operation, evm.Address, error) {
	t, o, err := b.operation(ctx, r)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	n, err := b.network(ctx, r.chainID)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	if !b.paymaster.Pays(r.project) || n.Paymaster == (evm.Address{}) || t.EntryPoint != userop.EntryPoint07 {
		return t, nil, evm.Address{}, &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return t, o, n.Paymaster, nil
}

// paymasterFields are the members of a user operation that a paymaster fills in.
type paymasterFields struct {
	Paymaster       evm.Address        `json:"paymaster"`
	Data            hexutil.Bytes      `json:"paymasterData"`
	VerificationGas hexutil.Uint64     `json:"paymasterVerificationGasLimit"`
	PostOpGas       hexutil.Uint64     `json:"paymasterPostOpGasLimit"`
	Sponsor         *paymaster.Sponsor `json:"sponsor,omitempty"`
	IsFinal         *bool              `json:"isFinal,omitempty"`
}

func (b *Bundler) paymasterStubData(ctx context.Context, r request) (any, error) {
	_, _, contract, err := b.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	f := paymasterFields{Paymaster: contract, Data: b.paymaster.StubData(), VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}
	final := false
	f.IsFinal = &final
	if s := b.paymaster.Sponsor(); s.Name != "" {
		f.Sponsor = &s
	}
	return f, nil
}

func (b *Bundler) paymasterData(ctx context.Context, r request) (any, error) {
	t, o, contract, err := b.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	return b.sign(ctx, r, t, contract, o)
}

func (b *Bundler) sign(ctx context.Context, r request, t executor.Target, contract evm.Address, o *userop.Operation) (paymasterFields, error) {
	data, err := b.paymaster.Data(ctx, r.project, t.ChainID, t.Number, contract, o)
	if errors.Is(err, paymaster.ErrRefused) {
		err = &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return paymasterFields{Paymaster: contract, Data: data, VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}, err
}

// sponsorUserOperation estimates the gas of an operation and signs for it.
func (b *Bundler) sponsorUserOperation(ctx context.Context, r request) (any, error) {
	t, o, contract, err := b.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	o.Paymaster, o.PaymasterData = contract.Bytes(), b.paymaster.StubData()
	gas, err := b.Estimate(ctx, t, o)
	if err != nil {
		return nil, err
	}
	o.PreVerificationGas, o.VerificationGasLimit = userop.NewQuantity(uint64(gas.PreVerification)), userop.NewQuantity(uint64(gas.Verification))
	o.CallGasLimit = userop.NewQuantity(uint64(gas.Call))
	fields, err := b.sign(ctx, r, t, contract, o)
	if err != nil {
		return nil, err
	}
	return struct {
		paymasterFields
		PreVerification hexutil.Uint64 `json:"preVerificationGas"`
		Verification    hexutil.Uint64 `json:"verificationGasLimit"`
		Call            hexutil.Uint64 `json:"callGasLimit"`
	}{fields, gas.PreVerification, gas.Verification, gas.Call}, nil
}
