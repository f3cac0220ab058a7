package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

const (
	// logBlocks is how many blocks one node is asked for at once; logSpans how many such parts one request may have.
	logBlocks = 10_000
	logSpans  = 20
	// logCalls bounds the calls that one request becomes when nodes want smaller parts.
	logCalls = 64
	// logsAtOnce is how many of them are under way at once.
	logsAtOnce = 4
	// logAlternatives bounds the addresses of a filter, and the alternatives at each of its topics.
	logAlternatives = 1000
	logTopics       = 4
)

// logSpan is the blocks that an eth_getLogs filter covers.
type logSpan struct {
	from, to uint64
	// closed says that both ends are numbers, open that only the first is; hashed that one block is named by its hash.
	closed, open, hashed bool
}

// logFilter is an eth_getLogs filter; what is not here travels on in rest.
type logFilter struct {
	FromBlock json.RawMessage   `json:"fromBlock"`
	ToBlock   json.RawMessage   `json:"toBlock"`
	BlockHash json.RawMessage   `json:"blockHash"`
	Address   json.RawMessage   `json:"address"`
	Topics    []json.RawMessage `json:"topics"`
}

func readLogFilter(params json.RawMessage) (f logFilter, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) != 1 {
		return f, false
	}
	return f, json.Unmarshal(list[0], &f) == nil
}

func readLogSpan(params json.RawMessage) (logSpan, bool) {
	f, ok := readLogFilter(params)
	if !ok {
		return logSpan{}, false
	}
	if len(f.BlockHash) > 0 && string(f.BlockHash) != "null" {
		return logSpan{hashed: true}, true
	}
	from, to := readBlock(f.FromBlock), readBlock(f.ToBlock)
	var tag string
	_ = json.Unmarshal(f.ToBlock, &tag)
	return logSpan{
		from: from.number, to: to.number, closed: from.exact && to.exact,
		open: from.exact && (tag == "" || tag == "latest"),
	}, true
}

// tooManyLogs says why a filter asks for more than the door lets one caller ask for; empty means that it does not.
func tooManyLogs(params json.RawMessage, height uint64) string {
	f, ok := readLogFilter(params)
	if !ok {
		return ""
	}
	if len(f.Topics) > logTopics {
		return "a filter has at most 4 topics"
	}
	for _, alternatives := range append(f.Topics, f.Address) {
		var list []json.RawMessage
		if json.Unmarshal(alternatives, &list) == nil && len(list) > logAlternatives {
			return fmt.Sprintf("a filter has at most %d addresses, and as many alternatives a topic", logAlternatives)
		}
	}
	span, _ := readLogSpan(params)
	last := span.to
	if span.open {
		last = max(span.from, height)
	}
	if (span.closed || span.open) && last >= span.from && last-span.from >= logSpans*logBlocks {
		return fmt.Sprintf("a filter covers at most %d blocks", logSpans*logBlocks)
	}
	return ""
}

// logs answers eth_getLogs. A wide range goes to the nodes in parts, smaller ones where they say that it is too much, and comes back
// whole and in order, or not at all.
func (d *door) logs(ctx context.Context, q request) (outcome, error) {
	d.pool.acquaint(ctx)
	span, _ := readLogSpan(q.Params)
	if span.open {
		span.to = max(span.from, d.pool.height.get())
	}
	if !span.closed && !span.open || span.to < span.from {
		return d.pool.ask(ctx, q.call())
	}
	// A node that is behind would answer with the logs of fewer blocks, and not say so.
	known := min(span.to, d.pool.height.get())
	calls := make(chan struct{}, logCalls)
	parts := span.parts()
	answers := make([][]json.RawMessage, len(parts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(logsAtOnce)
	if len(parts) == 1 {
		// The common case: the caller's own body, and a node's own words.
		c := q.call()
		c.atLeast = known
		o, err := d.pool.ask(ctx, c)
		if err != nil || o.response.Error == nil || !isTooMuchOfLogs(*o.response.Error) || span.to == span.from {
			return o, err
		}
		parts = span.halves()
		answers = make([][]json.RawMessage, len(parts))
	}
	for i, part := range parts {
		g.Go(func() (err error) {
			answers[i], err = d.logsOf(ctx, q, part, calls)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if refusal, ok := errors.AsType[*refusedLogs](err); ok {
			return outcome{answer: reply(q.ID, refusal.response), response: refusal.response}, nil
		}
		return outcome{}, err
	}
	merged := []json.RawMessage{}
	for _, answer := range answers {
		merged = append(merged, answer...)
	}
	r := response{ID: q.ID, Result: encode(merged)}
	return outcome{answer: reply(q.ID, r), response: r}, nil
}

// logsOf returns the logs of one part, halving it while the nodes say that it is too much.
func (d *door) logsOf(ctx context.Context, q request, part logSpan, calls chan struct{}) ([]json.RawMessage, error) {
	select {
	case calls <- struct{}{}:
	default:
		return nil, &refusedLogs{response{Error: &rpcError{Code: codeLimitExceeded, Message: "the filter matches too much: ask for fewer blocks"}}}
	}
	body, err := q.over(part)
	if err != nil {
		return nil, err
	}
	o, err := d.pool.ask(ctx, call{body: body, id: q.ID, heavy: true, logs: true, atLeast: min(part.to, d.pool.height.get())})
	if err != nil {
		return nil, err
	}
	if o.response.Error == nil {
		var logs []json.RawMessage
		err := json.Unmarshal(o.response.Result, &logs)
		return logs, err
	}
	if !isTooMuchOfLogs(*o.response.Error) || part.to == part.from {
		return nil, &refusedLogs{o.response}
	}
	var logs []json.RawMessage
	for _, half := range part.halves() {
		some, err := d.logsOf(ctx, q, half, calls)
		if err != nil {
			return nil, err
		}
		logs = append(logs, some...)
	}
	return logs, nil
}

func isTooMuchOfLogs(e rpcError) bool { return e.Code == codeLimitExceeded || isTooMuch(e) }

// refusedLogs is a node's refusal of one part, which is then the answer to the whole.
type refusedLogs struct{ response response }

func (*refusedLogs) Error() string { return "a node refused a part of the logs" }

// parts cuts the span into parts that a node takes. The last part of an open span stays open at its end.
func (s logSpan) parts() []logSpan {
	var parts []logSpan
	for from := s.from; ; from += logBlocks {
		if s.to-from < logBlocks {
			return append(parts, logSpan{from: from, to: s.to, closed: s.closed, open: s.open})
		}
		parts = append(parts, logSpan{from: from, to: from + logBlocks - 1, closed: true})
	}
}

func (s logSpan) halves() []logSpan {
	middle := s.from + (s.to-s.from)/2
	return []logSpan{{from: s.from, to: middle, closed: true}, {from: middle + 1, to: s.to, closed: s.closed, open: s.open}}
}

// over is q for another span: all that its filter says but the blocks.
func (q request) over(span logSpan) ([]byte, error) {
	var filters []map[string]any
	if err := json.Unmarshal(q.Params, &filters); err != nil {
		return nil, err
	}
	filters[0]["fromBlock"] = quantity(span.from)
	filters[0]["toBlock"] = quantity(span.to)
	if span.open {
		filters[0]["toBlock"] = "latest"
	}
	return encode(map[string]any{"jsonrpc": "2.0", "id": q.ID, "method": methodGetLogs, "params": filters}), nil
}
