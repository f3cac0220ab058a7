package pools

import "context"

// announced is a head that OnHead announced.
type announced struct {
	number uint64
	hash   string
	// failed says that a round to the head failed. The next round reads the newest block instead.
	failed bool
}

// round is one update of a tracker to a block, or one search.
type round struct {
	// awaited says that a caller waits for the round.
	awaited bool
	// target is the announced head to update to; nil for the newest.
	target *announced
	done   chan struct{}
	err    error
}

func newRound() *round { return &round{done: make(chan struct{})} }

// end completes the round.
func (r *round) end(err error) *round {
	r.err = err
	close(r.done)
	return r
}

// await waits for the round and returns its error.
func (r *round) await(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
		return r.err
	}
}

// wakeUp marks the chain as in use, and reports whether run must be started.
func (f *tracker) wakeUp() (start bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used = f.clock.Now()
	start = !f.running
	f.running = true
	return start
}

// leave reports whether run must return: ctx ended, or the chain is idle and no caller waits.
func (f *tracker) leave(ctx context.Context) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() == nil && (f.clock.Now().Sub(f.used) < idleAfter || f.next.awaited || f.searches.n > 0) {
		return false
	}
	f.running = false
	f.next.end(ErrClosed)
	list, _ := f.searches.take(pairsWaiting)
	for _, s := range list {
		s.end(ErrClosed)
	}
	f.next, f.target = newRound(), nil
	return true
}

// announce stores a new head and wakes the tracker.
func (f *tracker) announce(number uint64, hash string) {
	f.mu.Lock()
	if f.running && (f.target == nil || f.target.number <= number) {
		f.target = &announced{number: number, hash: hash}
	}
	f.mu.Unlock()
	f.signal()
}

func (f *tracker) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// newer returns the round that reads a block after the view's, and nil if no such block was announced. A block that replaced the view's in a reorg counts
// as after it. The caller holds mu.
func (f *tracker) newer(v *View) *round {
	switch {
	case v == nil:
		return nil
	case f.target.isAfter(v.Block):
		f.next.awaited = true
		f.signal() // After a failed round, the next one would begin only with the next poll.
		return f.next
	case f.now != nil && f.now.target.isAfter(v.Block):
		return f.now
	default:
		return nil
	}
}

// isAfter reports whether the head is higher than a block, or replaces it.
func (a *announced) isAfter(b Block) bool {
	return a != nil && (a.number > b.Number || a.number == b.Number && a.hash != b.Hash)
}

// advanceNext requests the next round, and returns it.
func (f *tracker) advanceNext() *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.running {
		return newRound().end(ErrClosed)
	}
	f.next.awaited = true
	f.signal()
	return f.next
}

// begin starts the next round.
func (f *tracker) begin() *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.wake: // This round serves the request.
	default:
	}
	f.next.target = f.target
	f.now, f.next, f.target = f.next, newRound(), nil
	return f.now
}

// finish completes the round in progress. The target of a failed round becomes that of the next one, so that callers do not take the last view for the newest.
func (f *tracker) finish(r *round, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = nil
	if err != nil && r.target != nil && f.target == nil {
		f.target = &announced{number: r.target.number, hash: r.target.hash, failed: true}
	}
	r.end(err)
}
