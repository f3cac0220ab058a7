package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// batchLimit is how many calls one body holds.
const batchLimit = 100

// ErrAnswer says that what a node answered cannot be used.
var ErrAnswer = errors.New("the node's answer cannot be used")

// Refusal is an error that a node reports: it was reached, and does not want to answer this.
type Refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error gives the node's code and the beginning of its text.
func (r *Refusal) Error() string { return fmt.Sprintf("node error %d: %.200s", r.Code, r.Message) }

// Transport sends one JSON-RPC 2.0 body to a node and returns its answer.
type Transport func(ctx context.Context, body []byte) ([]byte, error)

// call is one JSON-RPC call, and where its result goes.
type call struct {
	method string
	params []any
	into   any
}

type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

type response struct {
	ID     *int            `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *Refusal        `json:"error"`
}

// send makes the calls, as many in one body as a node takes, and decodes their results. The error of a node is a [*Refusal].
func (t Transport) send(ctx context.Context, calls []call) error {
	for len(calls) > 0 {
		n := min(len(calls), batchLimit)
		if err := t.sendBatch(ctx, calls[:n]); err != nil {
			return err
		}
		calls = calls[n:]
	}
	return nil
}

func (t Transport) sendBatch(ctx context.Context, calls []call) error {
	requests := make([]request, len(calls))
	for i, c := range calls {
		requests[i] = request{Version: "2.0", ID: i, Method: c.method, Params: c.params}
	}
	body, err := json.Marshal(requests)
	if err != nil {
		return err
	}
	answer, err := t(ctx, body)
	if err != nil {
		return err
	}
	results, err := parseBatch(answer, len(calls))
	if err != nil {
		return err
	}
	for i, c := range calls {
		if err := json.Unmarshal(results[i], c.into); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrAnswer, c.method, err)
		}
	}
	return nil
}

// parseBatch puts the results, which may come in any order, where they were asked.
func parseBatch(body []byte, asked int) ([]json.RawMessage, error) {
	var answers []response
	if err := json.Unmarshal(body, &answers); err != nil {
		return nil, wholeRefusal(body)
	}
	results := make([]json.RawMessage, asked)
	for _, r := range answers {
		switch {
		case r.Error != nil:
			return nil, r.Error
		case r.ID == nil || *r.ID < 0 || *r.ID >= asked || results[*r.ID] != nil:
			return nil, fmt.Errorf("%w: an id that was not asked", ErrAnswer)
		case len(r.Result) == 0:
			return nil, fmt.Errorf("%w: no result", ErrAnswer)
		}
		results[*r.ID] = r.Result
	}
	for i := range results {
		if results[i] == nil {
			return nil, fmt.Errorf("%w: %d answers to %d calls", ErrAnswer, len(answers), asked)
		}
	}
	return results, nil
}

// wholeRefusal reads one error that stands for a whole batch.
func wholeRefusal(body []byte) error {
	var r response
	if err := json.Unmarshal(body, &r); err == nil && r.Error != nil {
		return r.Error
	}
	return fmt.Errorf("%w: it is no batch", ErrAnswer)
}
