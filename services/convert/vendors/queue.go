package vendors

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// maxWaiting bounds the callers that wait in a queue. A network may have as many of them as places are left free.
const maxWaiting = 256

// errNoTurn is returned to a caller whose turn did not come in time.
var errNoTurn = errors.New("no turn in time")

// queue lets callers make requests at one rate for all of them, of which networks take turns. Replicas share the rate by the limiter; turns are those of one
// process. It is safe for concurrent use.
type queue struct {
	limiter limit.Limiter
	rate    limit.Rate
	// owner is whose rate it is: that of a vendor.
	owner limit.Caller

	mu      sync.Mutex
	turns   *limit.Turns
	held    limit.Held
	waiting []*waiter
	// first is the one of the waiting callers that takes from the rate now.
	first *waiter
}

// waiter is a caller that waits; its turn receives a value when it is the first.
type waiter struct {
	caller limit.Caller
	turn   chan struct{}
}

func newQueue(l limit.Limiter, owner limit.Caller, r limit.Rate) *queue {
	return &queue{limiter: l, rate: r, owner: owner, turns: limit.NewTurns(), held: limit.Held{}}
}

// pass waits for a turn of the caller and takes 1 from the rate. It fails with [errNoTurn] if ctx ends first, or if too many wait.
func (q *queue) pass(ctx context.Context, c limit.Caller) error {
	w := q.join(c)
	if w == nil {
		return errNoTurn
	}
	for {
		select {
		case <-w.turn:
		case <-ctx.Done():
			q.leave(w, false)
			return errNoTurn
		}
		wait := q.limiter.Take(ctx, q.owner, q.rate, 1)
		if wait <= 0 {
			q.leave(w, true)
			return nil
		}
		due := time.NewTimer(wait)
		select {
		case <-due.C:
			q.yield()
		case <-ctx.Done():
			due.Stop()
			q.leave(w, false)
			return errNoTurn
		}
	}
}

// join adds a caller to those that wait; nil if its network has as many places as are left.
func (q *queue) join(c limit.Caller) *waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.held.Allows(c, 1, int64(maxWaiting-len(q.waiting)-1)) {
		return nil
	}
	w := &waiter{caller: c, turn: make(chan struct{}, 1)}
	q.held.Add(c, 1)
	q.waiting = append(q.waiting, w)
	q.choose()
	return w
}

// leave removes a caller, which had its turn or did not wait for it.
func (q *queue) leave(w *waiter, served bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held.Add(w.caller, -1)
	q.waiting = slices.DeleteFunc(q.waiting, func(o *waiter) bool { return o == w })
	if served {
		q.turns.Take(w.caller)
	}
	if q.first == w {
		q.first = nil
	}
	q.choose()
}

// yield lets a caller be the first that came while the first one waited for the rate, and whose turn is before it.
func (q *queue) yield() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.first = nil
	q.choose()
}

// choose makes the caller the first whose turn it is, if none is.
func (q *queue) choose() {
	if q.first != nil || len(q.waiting) == 0 {
		return
	}
	q.first = slices.MinFunc(q.waiting, func(a, b *waiter) int { return q.turns.Compare(a.caller, b.caller) })
	q.first.turn <- struct{}{}
}
