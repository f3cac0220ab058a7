package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// maxLogCalls bounds the calls for one request when nodes refuse larger parts.
	maxLogCalls = 64
	// logConcurrency is how many of these calls are in flight at once.
	logConcurrency = 4
)

// logs handles eth_getLogs. A wide range is requested in parts, and in smaller parts if nodes refuse the size of the
// result. The logs are returned complete and in order, or not at all.
func (p *Proxy) logs(ctx context.Context, q rpc.Request, c pool.Call) (pool.Outcome, error) {
	p.pool.EnsureProbed(ctx)
	height := p.pool.Height()
	f, refusal := rpc.ParseLogFilter(q.Params)
	if refusal == nil {
		// The span was checked when the request was read, but the height may have been unknown then.
		refusal = f.CheckSpan(height)
	}
	if refusal != nil {
		return refused(refusal), nil
	}
	if f.BlockHash != "" || f.From.Tag != "" {
		return p.logsOfOne(ctx, c)
	}
	if f.To.Tag == "safe" || f.To.Tag == "finalized" {
		number, refusal, err := p.resolveTag(ctx, f.To.Tag)
		if err != nil {
			return pool.Outcome{}, err
		}
		f.To = rpc.LogBlock{Number: number}
		if refusal == nil {
			refusal = f.CheckSpan(height)
		}
		if refusal != nil {
			return refused(refusal), nil
		}
	}
	last := f.To.NumberAt(height)
	if last < f.From.Number {
		if f.To.Tag == "" {
			return p.pool.Do(ctx, c)
		}
		// The range starts above the chain's height; a node may already have such a block.
		last = f.From.Number
	}
	parts := f.Parts(height)
	if len(parts) == 1 {
		// The common case. MinHeight is set because a lagging node would silently return the logs of fewer blocks.
		c := c.With(f.Request())
		c.MinHeight = min(last, height)
		if last <= f.From.Number {
			return p.logsOfOne(ctx, c)
		}
		o, err := p.pool.Do(ctx, c)
		if err != nil || o.Response.Error == nil || !isTooManyLogs(*o.Response.Error) {
			return o, err
		}
		parts = f.Halves(height)
	}
	return p.logParts(ctx, parts, c, height)
}

func refused(refusal *jsonrpc.Error) pool.Outcome {
	return pool.Outcome{Response: rpc.Response{Error: refusal}}
}

// logParts reads the parts concurrently and joins their logs. Their bytes are taken as they are read: when what can be returned is used up, the
// rest is cancelled.
func (p *Proxy) logParts(ctx context.Context, parts []rpc.LogFilter, c pool.Call, height uint64) (pool.Outcome, error) {
	calls := make(chan struct{}, maxLogCalls)
	results := make([][]json.RawMessage, len(parts))
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(logConcurrency)
	for i, part := range parts {
		g.Go(func() (err error) {
			results[i], err = p.logsOf(ctx, part, c, height, calls)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if refusal, ok := errors.AsType[*logsRefused](err); ok {
			return pool.Outcome{Response: refusal.response}, nil
		}
		return pool.Outcome{}, err
	}
	return pool.Outcome{Response: rpc.Response{Result: joinLists(slices.Concat(results...))}}, nil
}

// joinLists returns the elements of several JSON arrays as one.
func joinLists(lists []json.RawMessage) json.RawMessage {
	size := 2
	for _, list := range lists {
		size += len(list)
	}
	joined := append(make(json.RawMessage, 0, size), '[')
	for _, list := range lists {
		list = bytes.TrimSpace(list)
		elements := bytes.TrimSpace(list[1 : len(list)-1])
		if len(elements) == 0 {
			continue
		}
		if len(joined) > 1 {
			joined = append(joined, ',')
		}
		joined = append(joined, elements...)
	}
	return append(joined, ']')
}

// resolveTag returns the number of the block that a tag names, or the node's error.
func (p *Proxy) resolveTag(ctx context.Context, tag string) (number uint64, refusal *jsonrpc.Error, err error) {
	o, err := p.pool.Do(ctx, pool.NewCall(rpc.NewRequest(rpc.MethodBlock, tag, false)))
	if err != nil || o.Response.Error != nil {
		return 0, o.Response.Error, err
	}
	number, ok := rpc.BlockNumber(o.Response.Result)
	if !ok {
		return 0, rpc.InvalidParams("the chain knows no block that is " + tag), nil
	}
	return number, nil, nil
}

// logsOf returns the lists of logs of one part, halving it while nodes refuse the size of the result.
func (p *Proxy) logsOf(ctx context.Context, part rpc.LogFilter, c pool.Call, height uint64, calls chan struct{}) ([]json.RawMessage, error) {
	select {
	case calls <- struct{}{}:
	default:
		return nil, &logsRefused{rpc.Response{Error: jsonrpc.TooLarge("the filter matches too much: ask for fewer blocks")}}
	}
	last := max(part.From.Number, part.To.NumberAt(height))
	q, final := part.Request(), p.finalNow()
	if found, err := p.find(ctx, []rpc.Request{q}, final); err != nil {
		return nil, err
	} else if found[0] != nil {
		return []json.RawMessage{found[0]}, nil
	}
	c = c.With(q)
	c.Avoid = p.results.claimants(p.key(q), p.clock.Now())
	c.MinHeight = min(last, height)
	c.NeedsNewest = part.To.Tag != ""
	do := p.pool.Do
	if last == part.From.Number {
		do = p.logsOfOne
	}
	o, err := do(ctx, c)
	if err != nil {
		return nil, err
	}
	if o.Response.Error == nil {
		if list := bytes.TrimSpace(o.Response.Result); len(list) == 0 || list[0] != '[' {
			return nil, fmt.Errorf("%w: a node returned logs that are no list", pool.ErrNoNode)
		}
		p.recordPart(ctx, q, o.Node, o.Response.Result, final)
		return []json.RawMessage{o.Response.Result}, nil
	}
	if !isTooManyLogs(*o.Response.Error) || last == part.From.Number {
		return nil, &logsRefused{o.Response}
	}
	var logs []json.RawMessage
	for _, half := range part.Halves(height) {
		some, err := p.logsOf(ctx, half, c, height, calls)
		if err != nil {
			return nil, err
		}
		logs = append(logs, some...)
	}
	return logs, nil
}

// recordPart caches the logs of a part of a range. Without a database only whole ranges are cached.
func (p *Proxy) recordPart(ctx context.Context, q rpc.Request, n *pool.Node, result json.RawMessage, final finalUntil) {
	if p.keeps(q, final) {
		p.record(ctx, q, n, result, final)
	}
}

// logsOfOne reads the logs of one block, which cannot be read in parts: what a node refuses as too much is too large, which the code of a limit alone
// does not say: a quota may have the same.
func (p *Proxy) logsOfOne(ctx context.Context, c pool.Call) (pool.Outcome, error) {
	o, err := p.pool.Do(ctx, c)
	if refusal := o.Response.Error; err == nil && refusal != nil && rpc.IsTooMuch(*refusal) {
		o.Response.Error = jsonrpc.TooLarge(refusal.Message)
	}
	return o, err
}

func isTooManyLogs(e jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeLimitExceeded || rpc.IsTooMuch(e)
}

// logsRefused is a node's error for one part, which becomes the response to the whole request.
type logsRefused struct{ response rpc.Response }

func (*logsRefused) Error() string { return "a node refused a part of the logs" }
