package evm

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
)

// Question is one JSON-RPC call of any method.
type Question struct {
	Method string
	Params []any
}

// Result is what a node said to one question.
type Result struct{ response response }

// Ask asks a node several questions in one body and returns one result a question, in order. It fails when no node is reached or when the
// answer is no batch; what a node refuses is that result's own error.
func Ask(ctx context.Context, send Transport, questions ...Question) ([]Result, error) {
	if len(questions) == 0 {
		return nil, nil
	}
	requests := make([]request, len(questions))
	for i, q := range questions {
		requests[i] = newRequest(i, q.Method, q.Params...)
	}
	responses, err := batch(ctx, send, requests)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(responses))
	for i, r := range responses {
		results[i] = Result{r}
	}
	return results, nil
}

// Err is the node's refusal; nil when it gave a result.
func (r Result) Err() error {
	_, err := r.response.outcome()
	return err
}

// JSON returns the result as it came, or the node's refusal.
func (r Result) JSON() (json.RawMessage, error) { return r.response.outcome() }

// Bytes reads the result as hex digits.
func (r Result) Bytes() ([]byte, error) {
	raw, err := r.response.outcome()
	if err != nil {
		return nil, err
	}
	return decodeHex(raw)
}

// Quantity reads the result as a number.
func (r Result) Quantity() (*big.Int, error) {
	raw, err := r.response.outcome()
	if err != nil {
		return nil, err
	}
	word, err := decodeQuantity(raw)
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(word), nil
}

// Executed says that the node ran the call and the contract failed it, and returns what it reverted with, where the node tells.
func (r Result) Executed() (data []byte, failed bool) {
	node, ok := errors.AsType[*nodeError](r.Err())
	if !ok || !node.executed() {
		return nil, false
	}
	data, _ = revertData(node.Data)
	return data, true
}

// Hex writes bytes as JSON-RPC wants them: 0x and hex digits.
func Hex(b []byte) string { return encodeHex(b) }

// Keccak is the hash that the EVM calls KECCAK256.
func Keccak(b []byte) [32]byte { return [32]byte(keccak(b)) }
