package evm

import (
	"context"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

// Call is one call to one contract.
type Call struct {
	To   Address
	Data []byte
}

// CallEach makes separate calls in one batch, at the newest block and each with all the gas that the node allows. It is for answers that are long
// or expensive; for many cheap calls use a [Reader]. It returns one complete answer per call, in order, and fails if no node is reached or
// a node refuses.
func CallEach(ctx context.Context, send chainclient.Transport, calls []Call) ([]Answer, error) {
	requests := make([]chainclient.Call, len(calls))
	for i, c := range calls {
		requests[i] = chainclient.Call{Method: "eth_call", Params: []any{map[string]string{"to": c.To.String(), "data": hexutil.Encode(c.Data)}, "latest"}}
	}
	results, err := send.Batch(ctx, requests...)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(calls))
	for i, r := range results {
		if answers[i], err = wholeAnswer(r); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// wholeAnswer returns the answer of a contract. A call that failed in the contract is an answer, one that the node refused is an error.
func wholeAnswer(r chainclient.Result) (Answer, error) {
	if _, failed := r.Executed(); failed {
		return Answer{}, nil
	}
	data, err := r.Bytes()
	if err != nil {
		return Answer{}, err
	}
	return Answer{OK: true, Data: data}, nil
}

// Bytes returns the bytes of an ABI-encoded string or byte sequence; nil if the call failed or the answer is malformed.
func (a Answer) Bytes() []byte {
	if !a.OK {
		return nil
	}
	return stringData(a.Data)
}
