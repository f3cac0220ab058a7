// Package operation builds and sends the user operations of sessions, with the bundler of the suite and the paymaster
// that a site names.
package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	paymasterTimeout = 10 * time.Second
	// maxResponse bounds the response of a paymaster, in bytes.
	maxResponse = 256 << 10
	// ownerGas is added to the validation gas for each owner's signature, because the estimate stops at the first
	// signature, which is not valid.
	ownerGas = 25_000
)

// ErrPaymaster is returned for a paymaster that the configuration does not allow, or that does not pay.
var ErrPaymaster = errors.New("the paymaster does not pay")

// RefusedError is the refusal of the bundler or the paymaster.
type RefusedError struct {
	Code    int
	Message string
}

// Error returns the message.
func (e *RefusedError) Error() string { return e.Message }

// Sender builds and sends user operations. It is safe for concurrent use.
type Sender struct {
	bundler    bundlerv1.UserOperationServiceClient
	paymasters *fetch.Client
}

// New returns a sender. hosts are the hosts of paymasters that sites may name.
func New(bundler bundlerv1.UserOperationServiceClient, hosts []string) *Sender {
	return &Sender{bundler, fetch.New(fetch.Options{Hosts: hosts, Timeout: paymasterTimeout})}
}

// Close closes idle connections.
func (s *Sender) Close() { s.paymasters.Close() }

// dummySignature is a well-formed signature that recovers to an arbitrary account.
var dummySignature = hexutil.MustDecode("0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c")

// Complete fills in the fees, the gas and the paymaster of an operation with sender, nonce, factory and call. owners is
// the number of signatures. paymaster is a URL, or empty for the bundler's paymaster if that sponsors the operation. It
// fails with a [*RefusedError] or [ErrPaymaster].
func (s *Sender) Complete(ctx context.Context, chainID string, number *big.Int, o *userop.Operation, owners int, paymaster string) error {
	for range owners {
		o.Signature = append(o.Signature, dummySignature...)
	}
	var price struct {
		Standard struct {
			Max userop.Quantity `json:"maxFeePerGas"`
			Tip userop.Quantity `json:"maxPriorityFeePerGas"`
		} `json:"standard"`
	}
	if err := s.call(ctx, chainID, &price, "pimlico_getUserOperationGasPrice"); err != nil {
		return err
	}
	o.MaxFeePerGas, o.MaxPriorityFeePerGas = price.Standard.Max, price.Standard.Tip
	pays, err := s.sponsor(ctx, chainID, number, o, paymaster, "pm_getPaymasterStubData")
	if err != nil {
		return err
	}
	var gas struct {
		PreVerification userop.Quantity `json:"preVerificationGas"`
		Verification    userop.Quantity `json:"verificationGasLimit"`
		Call            userop.Quantity `json:"callGasLimit"`
	}
	if err := s.call(ctx, chainID, &gas, "eth_estimateUserOperationGas", o, userop.EntryPoint07); err != nil {
		return err
	}
	o.PreVerificationGas, o.CallGasLimit = gas.PreVerification, gas.Call
	o.VerificationGasLimit = userop.NewQuantity(gas.Verification.Uint64() + uint64(owners)*ownerGas)
	if !pays {
		return nil
	}
	pays, err = s.sponsor(ctx, chainID, number, o, paymaster, "pm_getPaymasterData")
	if err == nil && !pays {
		// Its budget may have been used up meanwhile: the account pays, as it does without a paymaster.
		o.Paymaster, o.PaymasterData = nil, nil
		o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit = userop.Quantity{}, userop.Quantity{}
	}
	return err
}

// sponsor adds the paymaster's fields, and reports whether there is a paymaster that pays.
func (s *Sender) sponsor(ctx context.Context, chainID string, number *big.Int, o *userop.Operation, paymaster, method string) (pays bool, err error) {
	var fields struct {
		Paymaster       common.Address  `json:"paymaster"`
		Data            userop.Data     `json:"paymasterData"`
		VerificationGas userop.Quantity `json:"paymasterVerificationGasLimit"`
		PostOpGas       userop.Quantity `json:"paymasterPostOpGasLimit"`
	}
	params := []any{o, userop.EntryPoint07, hexutil.EncodeBig(number), struct{}{}}
	if paymaster == "" {
		err = s.call(ctx, chainID, &fields, method, params...)
		if _, refused := errors.AsType[*RefusedError](err); refused {
			return false, nil
		}
	} else {
		err = s.callPaymaster(ctx, paymaster, &fields, method, params)
	}
	if err != nil {
		return false, err
	}
	o.Paymaster, o.PaymasterData = fields.Paymaster[:], fields.Data
	if !fields.VerificationGas.IsZero() {
		o.PaymasterVerificationGasLimit = fields.VerificationGas
	}
	if !fields.PostOpGas.IsZero() {
		o.PaymasterPostOpGasLimit = fields.PostOpGas
	}
	return true, nil
}

// Send sends a signed operation. It fails with a [*RefusedError].
func (s *Sender) Send(ctx context.Context, chainID string, o *userop.Operation) (hash common.Hash, err error) {
	return hash, s.call(ctx, chainID, &hash, "eth_sendUserOperation", o, userop.EntryPoint07)
}

// Receipt is the receipt of an operation.
type Receipt struct {
	Success bool `json:"success"`
	Logs    []struct {
		Address common.Address `json:"address"`
		Data    hexutil.Bytes  `json:"data"`
		Topics  []common.Hash  `json:"topics"`
	} `json:"logs"`
	Receipt struct {
		BlockHash       common.Hash    `json:"blockHash"`
		BlockNumber     hexutil.Uint64 `json:"blockNumber"`
		GasUsed         hexutil.Uint64 `json:"gasUsed"`
		TransactionHash common.Hash    `json:"transactionHash"`
	} `json:"receipt"`
}

// Receipt returns the receipt of an operation; nil if it is not included.
func (s *Sender) Receipt(ctx context.Context, chainID string, hash common.Hash) (r *Receipt, err error) {
	return r, s.call(ctx, chainID, &r, "eth_getUserOperationReceipt", hash)
}

// call calls a method of the bundler for the caller's project.
func (s *Sender) call(ctx context.Context, chainID string, result any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	list, err := json.Marshal(params)
	if err != nil {
		return err
	}
	res, err := s.bundler.Forward(caller.Forward(ctx), &bundlerv1.ForwardRequest{ChainId: chainID, Body: jsonrpc.AppendRequest(nil, 1, method, list)})
	if err != nil {
		return err
	}
	return read(res.GetBody(), result)
}

func (s *Sender) callPaymaster(ctx context.Context, url string, result any, method string, params []any) error {
	list, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer, err := s.paymasters.PostJSON(ctx, url, jsonrpc.AppendRequest(nil, 1, method, list), fetch.Want{MaxBytes: maxResponse})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPaymaster, err)
	}
	if err := read(answer, result); err != nil {
		return fmt.Errorf("%w: %w", ErrPaymaster, err)
	}
	return nil
}

func read(body []byte, result any) error {
	var r struct {
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc.Error  `json:"error"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return fmt.Errorf("read a response: %w", err)
	}
	if r.Error != nil {
		return &RefusedError{r.Error.Code, r.Error.Message}
	}
	return json.Unmarshal(r.Result, result)
}
