package proxy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/pool"
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
	if p.tracing.isSlow(p.clock.Now()) {
		return traces.Trace{}, fmt.Errorf("%w: an earlier one took too long", traces.ErrUntraced)
	}
	who, _ := limit.From(ctx)
	held := p.memory.HoldAtMost(who, answerBudget)
	defer held.Close()
	inTime, cancel := context.WithTimeout(limit.WithBytes(ctx, held), traceTimeout)
	defer cancel()
	trace, err := p.trace(inTime, method, b)
	switch {
	case err == nil:
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
func (p *Proxy) trace(ctx context.Context, method string, b traces.Block) (trace traces.Trace, failure error) {
	c := pool.NewCall(traces.Request(method, b))
	c.Optional = true
	for {
		o, err := p.pool.Do(ctx, c)
		switch refusal := o.Response.Error; {
		case failure != nil && (errors.Is(err, pool.ErrNoNode) || refusal != nil):
			return traces.Trace{}, failure
		case err != nil:
			return traces.Trace{}, err
		case refusal != nil:
			// The pool has tried every node.
			return traces.Trace{}, fmt.Errorf("%w: %d %s", traces.ErrUntraced, refusal.Code, plaintext.Text(refusal.Message, maxRefusal))
		}
		trace, err = traces.Read(method, b, o.Response.Result)
		if err == nil || o.Response.IsNull() {
			return trace, err
		}
		if failure == nil || errors.Is(err, traces.ErrMoved) {
			failure = err
		}
		limit.BytesOf(ctx).Shrink(int64(len(o.Body)))
		c = c.Without(o.Node)
	}
}
