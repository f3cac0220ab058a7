package evm

import (
	"context"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
)

// Call is one call of one contract.
type Call struct {
	To   Address
	Data []byte
}

// CallEach makes every call by itself, at the newest block and with all the gas that the node allows. It is for answers that are long or expensive; a
// [Reader] makes many cheap calls at a lower price. It returns one whole answer a call, in order, and fails when no node is reached or a node
// refuses.
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

// wholeAnswer reads what a contract returned. A call that the contract failed is an answer; one that the node refused is an error.
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

// Bytes reads an answer as an ABI-encoded string or byte sequence, as it is; nil when the call failed or the answer is malformed.
func (a Answer) Bytes() []byte {
	if !a.OK {
		return nil
	}
	return stringData(a.Data)
}
