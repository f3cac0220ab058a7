package leases

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// longestPause bounds the pause before a record is written again after a conflict. It is reached after
// pauseDoublings attempts.
const (
	longestPause   = 16 * time.Millisecond
	pauseDoublings = 6
)

// topUp requests tokens before the lease is empty, and takes overspent tokens from the record.
func (l *Limiter) topUp(e *lease, r limit.Rate) {
	half := portion(r, len(l.replicas)) / 2
	if e.tokens < 0 || half >= 1 && e.tokens < half && l.level(e, r) >= half {
		l.request(e, r)
	}
}

// request starts a request for tokens unless one is pending; it returns false if too many are pending.
func (l *Limiter) request(e *lease, r limit.Rate) bool {
	if e.answered != nil {
		return true
	}
	select {
	case l.pending <- struct{}{}:
	default:
		return false
	}
	e.answered = make(chan struct{})
	l.tasks.Go(l.closing, func() {
		defer func() { <-l.pending }()
		l.settle(e, r)
	})
	return true
}

// settle takes tokens from the record for the lease: those that were overspent, and a portion, or as many as calls wait
// for. It gives back a surplus.
func (l *Limiter) settle(e *lease, r limit.Rate) {
	ctx, cancel := context.WithTimeout(l.closing, l.timeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		close(e.answered)
		e.answered = nil
	}()
	for {
		owed := max(0, -e.tokens) - l.surplus(e, r)
		wanted := max(0, max(portion(r, len(l.replicas)), e.waiting)-max(0, e.tokens))
		seen := e.seen
		l.mu.Unlock()
		granted, seen, err := l.transfer(ctx, e.key, r, seen, owed, wanted)
		l.metrics.leased(ctx, granted, err)
		if err != nil && !errors.Is(err, errChanged) {
			l.countAlone(err)
		}
		l.mu.Lock()
		if err != nil {
			return
		}
		e.seen = seen
		e.tokens += owed + granted
		e.short = granted < wanted
		if e.tokens >= 0 {
			return
		}
	}
}

// view is a record as a replica last saw it. Other replicas only take from a bucket, so the record has at most as many
// tokens.
type view struct {
	bucket   bucket
	revision uint64
	// known is true once the record was read or written.
	known bool
}

// level returns the most tokens that the record can have at a time.
func (v view) level(r limit.Rate, at time.Time) float64 {
	if !v.known {
		return burst(r)
	}
	return v.bucket.level(r, at)
}

// transfer takes from a record what is owed and up to wanted tokens. It returns the tokens it got and the new record.
func (l *Limiter) transfer(ctx context.Context, k key, r limit.Rate, seen view, owed, wanted float64) (granted float64, now view, err error) {
	subject := l.records.bucket(k.caller, k.rate)
	before := seen
	for attempt := 0; ; attempt++ {
		at := l.serverNow()
		// If the record was lost, it does not count as a full bucket: before is the most that it can have.
		level := min(seen.level(r, at), before.level(r, at))
		granted = min(wanted, max(0, level-owed))
		if granted < 1 && owed == 0 {
			return 0, view{bucket{level, at}, seen.revision, true}, nil
		}
		next := bucket{min(burst(r), max(r.Least(), level-owed-granted)), at}
		revision, err := l.records.write(ctx, subject, next.encode(), seen.revision, lifetime(next, r))
		if err == nil {
			return granted, view{next, revision, true}, nil
		}
		if !errors.Is(err, errChanged) {
			return 0, seen, err
		}
		if !backOff(ctx, attempt) {
			return 0, seen, errChanged
		}
		data, revision, _, err := l.records.read(ctx, subject)
		if err != nil {
			return 0, seen, err
		}
		if seen = (view{revision: revision}); revision == 0 {
			continue
		}
		if seen.bucket, err = decodeBucket(data); err != nil {
			return 0, seen, err
		}
		seen.known = true
	}
}

// backOff pauses before a record is written again after a conflict; it returns false if ctx ends first.
func backOff(ctx context.Context, attempt int) bool {
	pause := time.NewTimer(rand.N(longestPause >> max(0, pauseDoublings-attempt)))
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-pause.C:
		return true
	}
}
