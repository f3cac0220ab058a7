package chainclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// ErrAnswer is returned for a response that is invalid or does not belong to the calls.
var ErrAnswer = errors.New("the node's response cannot be used")

// Transport sends one JSON-RPC 2.0 body to a node of one chain and returns the node's response unchanged.
type Transport func(ctx context.Context, body []byte) ([]byte, error)

// TransportError is a failure to reach a node. It wraps the error of the [Transport].
type TransportError struct{ cause error }

// Error returns the text of the cause.
func (e *TransportError) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.cause }

// NodeError is an error response of a node: it refused the call, or the call failed.
type NodeError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error returns the node's code and the first 200 bytes of its message.
func (e *NodeError) Error() string { return fmt.Sprintf("node error %d: %.200s", e.Code, e.Message) }

// IsTooLarge reports whether an error is that of a call whose answer is always too large, see [jsonrpc.TooLarge].
func IsTooLarge(err error) bool {
	refusal, ok := errors.AsType[*NodeError](err)
	return ok && jsonrpc.IsTooLarge(refusal.Code, refusal.Data)
}

// executionMessages are parts of the messages of nodes for calls that failed in the contract. Code 3 (of geth) means the same, for REVERT only.
var executionMessages = []string{
	"revert", "out of gas", "outofgas", "invalid opcode", "opcode", "invalid jump", "stack underflow", "stack limit", "vm execution error", "evm error", "contract execution",
}

// Executed reports whether the call failed in the contract, as opposed to a node that refuses or fails.
func (e *NodeError) Executed() bool {
	if e.Code == 3 {
		return true
	}
	message := strings.ToLower(e.Message)
	for _, text := range executionMessages {
		if strings.Contains(message, text) {
			return true
		}
	}
	return false
}

// RevertData returns the data that the call reverted with, and false if the node does not return it. Most nodes return hex, some with a word before
// it, some in a nested object.
func (e *NodeError) RevertData() ([]byte, bool) {
	raw := e.Data
	var deeper struct {
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &deeper) == nil && deeper.Data != nil {
		raw = deeper.Data
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil, false
	}
	out, err := hexutil.Decode(strings.TrimPrefix(text, "Reverted "))
	return out, err == nil || errors.Is(err, hexutil.ErrEmptyString)
}

// Call is one JSON-RPC call.
type Call struct {
	Method string
	Params []any
}

// Result is a node's response to one call: a result, or a [NodeError].
type Result struct{ response response }

type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

type response struct {
	ID     *int            `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *NodeError      `json:"error"`
}

func newRequest(id int, c Call) request {
	if c.Params == nil {
		c.Params = []any{}
	}
	return request{Version: "2.0", ID: id, Method: c.Method, Params: c.Params}
}

// Call makes one call and returns its result. The error is a [*TransportError], a [*NodeError] or [ErrAnswer].
func (t Transport) Call(ctx context.Context, method string, params ...any) (json.RawMessage, error) {
	body, err := json.Marshal(newRequest(0, Call{method, params}))
	if err != nil {
		return nil, err
	}
	answer, err := t(ctx, body)
	if err != nil {
		return nil, &TransportError{err}
	}
	if result, ok := longResult(answer); ok {
		return result, nil
	}
	var r response
	if err := json.Unmarshal(answer, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return Result{r}.JSON()
}

// longResult returns the hex string of a response without decoding it, because for a result of 300 kB encoding/json
// takes as long as the call itself. The response without the string must be a JSON-RPC response with an empty result.
func longResult(answer []byte) (json.RawMessage, bool) {
	const key = `"result":`
	start := bytes.Index(answer, []byte(key+`"0x`))
	if start < 0 {
		return nil, false
	}
	start += len(key)
	length := bytes.IndexByte(answer[start+1:], '"')
	if length < 0 {
		return nil, false
	}
	end := start + length + 2
	var r response
	rest := append(append(bytes.Clone(answer[:start]), `""`...), answer[end:]...)
	if json.Unmarshal(rest, &r) != nil || r.Error != nil || string(r.Result) != `""` {
		return nil, false
	}
	return answer[start:end:end], true
}

// Batch makes calls, at most 100 in a body, and returns one result per call, in order. It fails if no node is reached, if a node refuses a body as
// a whole, or if a response does not belong to the calls. The error of a single call is in its result.
func (t Transport) Batch(ctx context.Context, calls ...Call) ([]Result, error) {
	results := make([]Result, 0, len(calls))
	for len(results) < len(calls) {
		part := calls[len(results):min(len(results)+jsonrpc.BatchLimit, len(calls))]
		requests := make([]request, len(part))
		for i, c := range part {
			requests[i] = newRequest(i, c)
		}
		body, err := json.Marshal(requests)
		if err != nil {
			return nil, err
		}
		answer, err := t(ctx, body)
		if err != nil {
			return nil, &TransportError{err}
		}
		ordered, err := parseBatch(answer, len(part))
		if err != nil {
			return nil, err
		}
		results = append(results, ordered...)
	}
	return results, nil
}

// parseBatch returns the responses, which may be in any order, in the order of the calls. Each response must occur
// exactly once.
func parseBatch(body []byte, n int) ([]Result, error) {
	responses, err := jsonrpc.DecodeList[response](body, n)
	if err != nil {
		var whole response
		if json.Unmarshal(body, &whole) == nil && whole.Error != nil {
			return nil, whole.Error
		}
		return nil, fmt.Errorf("%w: not a batch: %w", ErrAnswer, err)
	}
	if len(responses) != n {
		return nil, fmt.Errorf("%w: %d responses to %d calls", ErrAnswer, len(responses), n)
	}
	ordered := make([]Result, n)
	for _, r := range responses {
		if r.ID == nil || *r.ID < 0 || *r.ID >= n || ordered[*r.ID].response.ID != nil {
			return nil, fmt.Errorf("%w: an unknown or repeated id", ErrAnswer)
		}
		ordered[*r.ID] = Result{r}
	}
	return ordered, nil
}

// Err returns the node's error, or [ErrAnswer] if the response has neither a result nor an error.
func (r Result) Err() error {
	_, err := r.JSON()
	return err
}

// JSON returns the result unchanged. It returns the errors of [Result.Err].
func (r Result) JSON() (json.RawMessage, error) {
	if r.response.Error != nil {
		return nil, r.response.Error
	}
	if len(r.response.Result) == 0 {
		return nil, fmt.Errorf("%w: no result", ErrAnswer)
	}
	return r.response.Result, nil
}

// Decode unmarshals the result. It returns the errors of [Result.Err], and [ErrAnswer] for a result of another type.
func (r Result) Decode(into any) error {
	raw, err := r.JSON()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return nil
}

// Bytes decodes the result as DATA: 0x and an even number of hex digits.
func (r Result) Bytes() ([]byte, error) {
	raw, err := r.JSON()
	if err != nil {
		return nil, err
	}
	return DecodeBytes(raw)
}

// Quantity decodes the result as a QUANTITY of at most 256 bits.
func (r Result) Quantity() (*big.Int, error) {
	var n Amount
	if err := r.Decode(&n); err != nil {
		return nil, err
	}
	if n.Int == nil {
		return nil, fmt.Errorf("%w: want a quantity", ErrAnswer)
	}
	return n.Int, nil
}

// Executed reports whether the call failed in the contract, and returns the revert data if the node does.
func (r Result) Executed() (data []byte, failed bool) {
	node, ok := errors.AsType[*NodeError](r.Err())
	if !ok || !node.Executed() {
		return nil, false
	}
	data, _ = node.RevertData()
	return data, true
}
