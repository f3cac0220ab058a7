package chains

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// logBlocks is how many blocks one node is asked for at once; logSpans how many such parts one request may have.
	logBlocks = 10_000
	logSpans  = 20
	// logCalls bounds the calls that one request becomes when nodes want smaller parts.
	logCalls = 64
	// logsAtOnce is how many of them are under way at once.
	logsAtOnce = 4
)

// logs answers eth_getLogs. A wide range goes to the nodes in parts, smaller ones where they say that it is too much, and comes back
// whole and in order, or not at all.
func (d *door) logs(ctx context.Context, q request, c call) (outcome, error) {
	d.pool.acquaint(ctx)
	height := d.pool.height.get()
	f, refusal := parseLogFilter(q.Params)
	if refusal == nil {
		// It was checked when it was read, but the height may have been unknown then.
		refusal = f.checkSpan(height)
	}
	if refusal != nil {
		return outcome{response: response{Error: refusal}}, nil
	}
	if f.blockHash != "" || f.from.tag != "" {
		return d.pool.ask(ctx, c)
	}
	if f.to.tag == "safe" || f.to.tag == "finalized" {
		number, refusal, err := d.numberOf(ctx, f.to.tag)
		if err != nil {
			return outcome{}, err
		}
		f.to = logBlock{number: number}
		if refusal == nil {
			refusal = f.checkSpan(height)
		}
		if refusal != nil {
			return outcome{response: response{Error: refusal}}, nil
		}
	}
	last := f.to.or(height)
	if last < f.from.number {
		if f.to.tag == "" {
			return d.pool.ask(ctx, c)
		}
		// A node may know of a block that is not agreed upon yet.
		last = f.from.number
	}
	parts := f.parts(height)
	if len(parts) == 1 {
		// The common case: one node's own words.
		c := f.call(c)
		// A node that is behind would answer with the logs of fewer blocks, and not say so.
		c.atLeast = min(last, height)
		o, err := d.pool.ask(ctx, c)
		if err != nil || o.response.Error == nil || !isTooMuchOfLogs(*o.response.Error) || last <= f.from.number {
			return o, err
		}
		parts = f.halves(height)
	}
	calls := make(chan struct{}, logCalls)
	answers := make([][]json.RawMessage, len(parts))
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(logsAtOnce)
	for i, part := range parts {
		g.Go(func() (err error) {
			answers[i], err = d.logsOf(ctx, part, c, height, calls)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if refusal, ok := errors.AsType[*refusedLogs](err); ok {
			return outcome{response: refusal.response}, nil
		}
		return outcome{}, err
	}
	merged := []json.RawMessage{}
	for _, answer := range answers {
		merged = append(merged, answer...)
	}
	return outcome{response: response{Result: encode(merged)}}, nil
}

// numberOf is the number of the block that a tag names, or the node's refusal.
func (d *door) numberOf(ctx context.Context, tag string) (number uint64, refusal *jsonrpc.Error, err error) {
	q := request{Request: jsonrpc.Request{Method: methodBlock, Params: encode([]any{tag, false})}, known: evmMethods[methodBlock]}
	o, err := d.pool.ask(ctx, q.call())
	if err != nil || o.response.Error != nil {
		return 0, o.response.Error, err
	}
	number, ok := shownBlock(o.response.Result)
	if !ok {
		return 0, invalidParams("the chain knows no block that is " + tag), nil
	}
	return number, nil, nil
}

// call is c with this filter.
func (f logFilter) call(c call) call {
	q := c.asked[0]
	q.Params = f.params()
	c.asked = []request{q}
	c.body = jsonrpc.AppendRequest(nil, singleID, q.Method, q.Params)
	return c
}

// logsOf returns the logs of one part, halving it while the nodes say that it is too much.
func (d *door) logsOf(ctx context.Context, part logFilter, c call, height uint64, calls chan struct{}) ([]json.RawMessage, error) {
	select {
	case calls <- struct{}{}:
	default:
		return nil, &refusedLogs{response{Error: &jsonrpc.Error{
			Code: jsonrpc.CodeLimitExceeded, Message: "the filter matches too much: ask for fewer blocks",
		}}}
	}
	last := max(part.from.number, part.to.or(height))
	asked := part.call(c)
	asked.atLeast = min(last, height)
	asked.fresh = part.to.tag != ""
	o, err := d.pool.ask(ctx, asked)
	if err != nil {
		return nil, err
	}
	if o.response.Error == nil {
		var logs []json.RawMessage
		err := json.Unmarshal(o.response.Result, &logs)
		return logs, err
	}
	if !isTooMuchOfLogs(*o.response.Error) || last == part.from.number {
		return nil, &refusedLogs{o.response}
	}
	var logs []json.RawMessage
	for _, half := range part.halves(height) {
		some, err := d.logsOf(ctx, half, c, height, calls)
		if err != nil {
			return nil, err
		}
		logs = append(logs, some...)
	}
	return logs, nil
}

func isTooMuchOfLogs(e jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeLimitExceeded || isTooMuch(e)
}

// refusedLogs is a node's refusal of one part, which is then the answer to the whole.
type refusedLogs struct{ response response }

func (*refusedLogs) Error() string { return "a node refused a part of the logs" }
