package leases

import (
	"context"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// waitTimeouts bounds how long one call waits for tokens, as a multiple of the request timeout: one for a request
// that was already pending, and one for its own. A higher bound would delay callers, which wait seconds at most,
// only because other replicas write the record first.
const waitTimeouts = 2

// Take takes n from a caller's rate, or returns how long to wait.
func (l *Limiter) Take(ctx context.Context, c limit.Caller, r limit.Rate, n int) time.Duration {
	if r.PerSecond <= 0 {
		return 0
	}
	// The widest first: what it refuses causes no request for the networks within it, of which a caller may have many.
	// What a call takes beyond that is owed once all allow the call, and so is what is counted without a lease.
	var space [3]limit.Level
	levels, needed := c.AppendLevels(space[:0]), r.Needs(n)
	of := call{caller: c, rate: r, n: n, paid: min(n, int(needed)), needed: needed}
	var unleased [3]bool
	for i, level := range slices.Backward(levels) {
		wait, leased, err := l.take(ctx, of, level)
		unleased[i] = !leased
		if err == nil && wait == 0 {
			continue
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.putBack(of, levels[i+1:], unleased[i+1:])
		if err != nil {
			return l.alone.Take(ctx, c, l.part(r), n)
		}
		return wait
	}
	if n == of.paid && !slices.Contains(unleased[:], true) {
		return 0
	}
	return l.takeRest(of, levels, unleased[:len(levels)])
}

// call is what a call takes from a rate.
type call struct {
	caller limit.Caller
	rate   limit.Rate
	// n is what it takes, of which paid is taken from leases at once, and needed what must be left for it.
	n, paid int
	needed  float64
}

// take takes what is paid from the bucket of a level once it has as many tokens as needed, or returns how long to wait. If there is no lease, it takes
// nothing, and the wait is that of what this replica counts by itself. The error says that NATS does not answer.
func (l *Limiter) take(ctx context.Context, of call, level limit.Level) (wait time.Duration, leased bool, err error) {
	var waiting <-chan struct{}
	r := level.Rate(of.rate)
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.unavailable {
		e := l.lease(of.caller, level, of.rate)
		if e == nil {
			part := l.part(of.rate)
			return l.alone.WaitAt(level, part, part.Needs(of.n)), false, nil
		}
		if e.tokens >= of.needed {
			l.spend(e, r, of.paid)
			return 0, true, nil
		}
		// The wait is known only once the tokens owed were taken from the record.
		if wait := l.wait(e, r, of.needed); wait > 0 && e.tokens >= 0 {
			if l.surplus(e, r) > 0 {
				l.request(e, r)
			}
			return wait, true, nil
		}
		if !l.request(e, r) {
			break
		}
		if waiting == nil {
			bounded, cancel := context.WithTimeout(ctx, waitTimeouts*l.timeout)
			defer cancel()
			waiting = bounded.Done()
		}
		if !l.waitForAnswer(e, of.needed, waiting) {
			break
		}
	}
	return 0, true, errUnavailable
}

// takeRest takes what levels without a lease have to be asked for, and what is beyond what was paid. If they refuse it by now, all is put back.
func (l *Limiter) takeRest(of call, levels []limit.Level, unleased []bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := l.part(of.rate)
	for i, level := range levels {
		if !unleased[i] {
			continue
		}
		if wait := l.alone.WaitAt(level, part, part.Needs(of.n)); wait > 0 {
			l.putBack(of, levels, unleased)
			return wait
		}
	}
	for i, level := range levels {
		switch {
		case of.n <= 0:
		case unleased[i]:
			l.alone.OweAt(of.caller, level, part, float64(of.n))
		case of.n > of.paid:
			l.owe(of.caller, level, of.rate, of.n-of.paid)
		}
	}
	return 0
}

// spend takes n from a lease, and leaves no more than one burst owed together with the record. Tokens of the lease were taken from the record before,
// so spending them owes nothing, and most calls need no time.
func (l *Limiter) spend(e *lease, r limit.Rate, n int) {
	if spent := float64(n); spent <= e.tokens {
		e.tokens -= spent
	} else {
		e.tokens = max(e.tokens-spent, min(e.tokens, r.Least()-l.level(e, r)))
	}
	l.topUp(e, r)
}

// putBack gives back what take took from leases. Those that were forgotten since need nothing: their record was full. The caller holds mu.
func (l *Limiter) putBack(of call, levels []limit.Level, unleased []bool) {
	for i, level := range levels {
		if unleased[i] {
			continue
		}
		if e := l.leases.Find(l.keyOf(level, of.rate)); e != nil {
			(*e).tokens += float64(of.paid)
		}
	}
}

// waitForAnswer waits for the pending request of a lease; it returns false if done is closed first. The caller holds
// mu, which is released while waiting.
func (l *Limiter) waitForAnswer(e *lease, needed float64, done <-chan struct{}) bool {
	answered := e.answered
	e.waiting += needed
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		e.waiting -= needed
	}()
	select {
	case <-answered:
		return true
	case <-done:
		return false
	}
}

// Owe takes n from a caller's rate whatever is left.
func (l *Limiter) Owe(ctx context.Context, c limit.Caller, r limit.Rate, n int) {
	if r.PerSecond <= 0 || n <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unavailable {
		l.alone.Owe(ctx, c, l.part(r), n)
		return
	}
	for _, level := range c.Levels() {
		l.owe(c, level, r, n)
	}
}

// owe takes n from the rate of a level. The caller holds mu.
func (l *Limiter) owe(c limit.Caller, level limit.Level, r limit.Rate, n int) {
	if e := l.lease(c, level, r); e != nil {
		l.spend(e, level.Rate(r), n)
		return
	}
	l.alone.OweAt(c, level, l.part(r), float64(n))
}
