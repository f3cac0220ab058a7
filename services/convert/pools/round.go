package pools

import (
	"context"
	"errors"
)

// pairsPerRound bounds how many pairs one round looks for: about two hundred tokens that nobody asked for before.
const pairsPerRound = 2_000

var errBusy = errors.New("too many tokens are looked for at once")

// announced is a head that was heard of.
type announced struct {
	number uint64
	hash   string
}

// round is one pass of a tracker over its chain.
type round struct {
	// asked says that somebody waits for it.
	asked bool
	pairs []pair
	// told is the head that it follows; nil for the one that the chain has then.
	told *announced
	done chan struct{}
	err  error
}

func newRound() *round { return &round{done: make(chan struct{})} }

// end says that the round is over.
func (r *round) end(err error) *round {
	r.err = err
	close(r.done)
	return r
}

// await returns when the round is over, with what it failed with.
func (r *round) await(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
		return r.err
	}
}

// wakeUp notes that the chain is in use, and says whether the tracker must be run.
func (f *tracker) wakeUp() (start bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used = f.clock.Now()
	start = !f.running
	f.running = true
	return start
}

// leave ends the run when nobody has asked for a while and nobody waits.
func (f *tracker) leave(ctx context.Context) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() == nil && (f.clock.Now().Sub(f.used) < idleAfter || f.next.asked) {
		return false
	}
	f.running = false
	f.next.end(ErrClosed)
	f.next, f.told = newRound(), nil
	return true
}

// tell hears of a head.
func (f *tracker) announce(number uint64, hash string) {
	f.mu.Lock()
	if f.running && (f.told == nil || f.told.number <= number) {
		f.told = &announced{number, hash}
	}
	f.mu.Unlock()
	f.nudge()
}

func (f *tracker) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// newer is the round that follows a head after the view's block, or in its place, that was heard of; nil when there is none.
func (f *tracker) newer(v *View) *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told.isAfter(v.Block) {
		f.next.asked = true
		return f.next
	}
	if f.now != nil && f.now.told.isAfter(v.Block) {
		return f.now
	}
	return nil
}

// isAfter says whether a head was heard of that is higher than a block, or stands in its place.
func (a *announced) isAfter(b Block) bool {
	return a != nil && (a.number > b.Number || a.number == b.Number && a.hash != b.Hash)
}

// ask has the next round look for the pools of pairs, and returns it.
func (f *tracker) ask(pairs []pair) *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.running {
		return newRound().end(ErrClosed)
	}
	wanted := unique(append(f.next.pairs, pairs...))
	if len(wanted) > pairsPerRound {
		return newRound().end(errBusy)
	}
	f.next.asked, f.next.pairs = true, wanted
	f.nudge()
	return f.next
}

// begin begins the next round.
func (f *tracker) begin() *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.wake: // for what is taken here
	default:
	}
	f.next.told = f.told
	f.now, f.next, f.told = f.next, newRound(), nil
	return f.now
}

// finish ends the round under way.
func (f *tracker) finish(r *round, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = nil
	r.end(err)
}
