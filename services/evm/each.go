package evm

import (
	"context"
	"errors"
)

// Call is one call of one contract.
type Call struct {
	To   Address
	Data []byte
}

// CallEach asks every call by itself, in one request to a node, with all the gas that the node allows. It is for answers that are long or
// dear; a [Reader] asks many cheap ones at a lower price. One answer a call is given, whole and in order, at the newest block. It fails when
// no node is reached or the node refuses.
func CallEach(ctx context.Context, send Transport, calls []Call) ([]Answer, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	requests := make([]request, len(calls))
	for i, c := range calls {
		requests[i] = newRequest(i, "eth_call", map[string]string{"to": c.To.String(), "data": encodeHex(c.Data)}, "latest")
	}
	responses, err := batch(ctx, send, requests)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(calls))
	for i, r := range responses {
		if answers[i], err = wholeAnswer(r); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// wholeAnswer is what a contract returned; a call that it failed is an answer, a node that failed is an error.
func wholeAnswer(r response) (Answer, error) {
	raw, err := r.outcome()
	if node, ok := errors.AsType[*nodeError](err); ok && node.executed() {
		return Answer{}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	data, err := decodeHex(raw)
	if err != nil {
		return Answer{}, err
	}
	return Answer{OK: true, Data: data}, nil
}

// Bytes reads an answer as an ABI-encoded string or byte sequence, as it is; nil when the call failed or the answer is no such thing.
func (a Answer) Bytes() []byte {
	if !a.OK {
		return nil
	}
	return stringData(a.Data)
}
