package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

const (
	// maxRefusal is how much of a node's error is repeated, in runes.
	maxRefusal = 200
	// traceTimeout bounds the trace of a block. After one that took longer, no block is traced for tracePause, because the index waits for each.
	traceTimeout, tracePause = 8 * time.Second, time.Minute
	// movedPause is how often a trace of another block is a reason to read the chain again: a node may never return the right one.
	movedPause = 10 * time.Second
)

// tracing is what is known of the traces of a chain.
type tracing struct {
	mu sync.Mutex
	// slowUntil is until when blocks are not traced, and movedUntil until when a trace of another block counts as none.
	slowUntil, movedUntil time.Time
}

// isSlow reports whether a block took too long a short time ago.
func (t *tracing) isSlow(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Before(t.slowUntil)
}

// setSlow records that a block took too long.
func (t *tracing) setSlow(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slowUntil = now.Add(tracePause)
}

// setMoved records a trace of another block, and reports whether it is the first in a while.
func (t *tracing) setMoved(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.movedUntil) {
		return false
	}
	t.movedUntil = now.Add(movedPause)
	return true
}

// Trace returns what calls inside the transactions of a block moved, as one node states it. The error wraps [traces.ErrUntraced] if
// no node does, or [traces.ErrMoved] if the block may have been replaced, or is that of ctx or a refusal of bytes. A trace says nothing about the health
// of a node.
func (p *Proxy) Trace(ctx context.Context, method string, b traces.Block) (traces.Trace, error) {
	final := p.finalNow()
	if trace, ok := p.findTrace(ctx, method, b, final); ok {
		return trace, nil
	}
	if p.tracing.isSlow(p.clock.Now()) {
		return traces.Trace{}, fmt.Errorf("%w: an earlier one took too long", traces.ErrUntraced)
	}
	who, _ := limit.From(ctx)
	held := p.memory.HoldAtMost(who, answerBudget)
	defer held.Close()
	inTime, cancel := context.WithTimeout(limit.WithBytes(ctx, held), traceTimeout)
	defer cancel()
	trace, by, err := p.trace(inTime, method, b)
	switch {
	case err == nil:
		p.recordTrace(ctx, method, b, by, trace, final)
		return trace, nil
	case ctx.Err() != nil:
		return traces.Trace{}, ctx.Err()
	case errors.Is(err, limit.ErrMemory), errors.Is(err, traces.ErrMoved) && p.tracing.setMoved(p.clock.Now()):
		return traces.Trace{}, err
	case inTime.Err() != nil:
		p.tracing.setSlow(p.clock.Now())
	}
	if errors.Is(err, traces.ErrUntraced) {
		return traces.Trace{}, err
	}
	return traces.Trace{}, fmt.Errorf("%w: %w", traces.ErrUntraced, err)
}

// trace tries one node after another until one returns the trace of the block.
func (p *Proxy) trace(ctx context.Context, method string, b traces.Block) (trace traces.Trace, by *pool.Node, failure error) {
	c := pool.NewCall(traces.Request(method, b))
	c.Optional = true
	c.Avoid = p.results.claimants(p.traceKey(method, b), p.clock.Now())
	for {
		o, err := p.pool.Do(ctx, c)
		switch refusal := o.Response.Error; {
		case failure != nil && (errors.Is(err, pool.ErrNoNode) || refusal != nil):
			return traces.Trace{}, nil, failure
		case err != nil:
			return traces.Trace{}, nil, err
		case refusal != nil:
			// The pool has tried every node.
			return traces.Trace{}, nil, fmt.Errorf("%w: %d %s", traces.ErrUntraced, refusal.Code, plaintext.Text(refusal.Message, maxRefusal))
		}
		trace, err = traces.Read(method, b, o.Response.Result)
		if err == nil || o.Response.IsNull() {
			return trace, o.Node, err
		}
		if failure == nil || errors.Is(err, traces.ErrMoved) {
			failure = err
		}
		limit.BytesOf(ctx).Shrink(int64(len(o.Body)))
		c = c.Without(o.Node)
	}
}

// traceKey identifies the transfers of a block among the results of this chain.
func (p *Proxy) traceKey(method string, b traces.Block) string {
	return p.chain.ID + "transfers by " + method + " of " + b.Hash.String()
}

func (p *Proxy) traceRead(method string, b traces.Block) finalcache.Read {
	return finalcache.Read{Key: finalcache.KeyOf(p.chain.ID, p.traceKey(method, b)), ChainID: p.chain.ID, Method: method, Calls: 1}
}

// findTrace returns the transfers of a final block that were kept. What is kept are the transfers, not the trace, which may have tens of megabytes.
func (p *Proxy) findTrace(ctx context.Context, method string, b traces.Block, final finalUntil) (trace traces.Trace, ok bool) {
	if !final.includes(b.Number) {
		return traces.Trace{}, false
	}
	read, key := p.traceRead(method, b), p.traceKey(method, b)
	result, ok := p.results.get(key, p.clock.Now())
	if ok {
		p.kept.CountSaved(ctx, read)
		p.keepAgain(ctx, key, read, result)
	} else if e, found := p.kept.Find(ctx, read)[read.Key]; found {
		if result, ok = e.Result, len(e.Result) > 0; ok {
			p.results.confirm(key, result, p.clock.Now())
		} else {
			p.claim(key, e.Claim)
		}
	}
	if !ok || json.Unmarshal(result, &trace) != nil {
		return traces.Trace{}, false
	}
	return trace, true
}

// recordTrace keeps the transfers of a block that was final when the nodes were asked.
func (p *Proxy) recordTrace(ctx context.Context, method string, b traces.Block, by *pool.Node, trace traces.Trace, final finalUntil) {
	if !final.includes(b.Number) {
		return
	}
	result := json.RawMessage(rpc.Encode(trace))
	is, hash := p.results.add(p.traceKey(method, b), result, by, p.pool.HasOneNode(), p.clock.Now())
	p.keep(ctx, p.traceRead(method, b), by, result, is, hash)
}
