package leases

import (
	"math"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// minRefill is how long a bucket that was empty is left to fill before the next request.
const minRefill = 100 * time.Millisecond

// key names a bucket.
type key struct {
	caller limit.Caller
	rate   string
}

// lease is what this replica may spend from a bucket.
type lease struct {
	key key
	// perSecond and burst are those of the rate.
	perSecond, burst float64
	// tokens were taken from the record and are not spent; below 0 they were spent but not yet taken from it.
	tokens float64
	// seen is the record as this replica last read or wrote it.
	seen view
	// short is true if the record had fewer tokens than the last request wanted.
	short bool
	// answered is closed when the pending request to NATS completes; nil while no request is pending.
	answered chan struct{}
	// waiting is how many tokens the calls need that wait for the request.
	waiting float64
}

// keyOf returns the key of a level's lease.
func (l *Limiter) keyOf(level limit.Level, r limit.Rate) uint64 {
	return l.salt.Key(level.Caller.Project, level.Caller.Network, r.Name)
}

// lease returns the lease of a level of a caller; nil if it has none and there is no room for one. A new lease owes what the caller used without one, so that
// it does not begin with a full bucket.
func (l *Limiter) lease(c limit.Caller, level limit.Level, r limit.Rate) *lease {
	k := l.keyOf(level, r)
	if e := l.leases.Find(k); e != nil {
		return *e
	}
	now := l.now()
	opened := l.leases.Open(k, l.salt.Groups(c.Project, c.Site()), func(e **lease) bool { return (*e).isIdle(now) })
	if opened == nil {
		return nil
	}
	whole := level.Rate(r)
	*opened = &lease{
		key: key{level.Caller, r.Name}, perSecond: whole.PerSecond, burst: whole.Burst,
		seen: view{bucket: bucket{whole.Burst, now}}, tokens: -l.alone.Withdraw(level, l.part(r)),
	}
	return *opened
}

// isIdle reports whether the bucket of a lease is full again, for all that is known, so that nothing is gained by a new lease. What a lease has beyond that is
// lost with it.
func (e *lease) isIdle(now time.Time) bool {
	if e.answered != nil || e.waiting > 0 {
		return false
	}
	b := &e.seen.bucket
	if b.at.After(now) {
		b.at = now
	}
	return b.tokens+now.Sub(b.at).Seconds()*e.perSecond+min(0, e.tokens) >= e.burst
}

// level returns the most tokens that the record of a lease can have now.
func (l *Limiter) level(e *lease, r limit.Rate) float64 {
	now := l.now()
	// If the clock went back, the caller must not wait for the difference.
	if e.seen.bucket.at.After(now) {
		e.seen.bucket.at = now
	}
	return e.seen.level(r, now)
}

// wait returns how long it is until a request for tokens can be granted as many as are needed; 0 is now. If the record had fewer tokens
// than the last request wanted, it must first gain what it gains in minRefill, so that a caller over its rate does not
// cause a request to NATS for each token.
func (l *Limiter) wait(e *lease, r limit.Rate, needed float64) time.Duration {
	needed -= e.tokens
	if e.short {
		needed = max(needed, min(portion(r, len(l.replicas)), r.PerSecond*minRefill.Seconds()))
	}
	missing := needed - l.level(e, r)
	if missing <= 0 {
		return 0
	}
	// At least a nanosecond: 0 means now.
	return time.Duration(min(missing/r.PerSecond*float64(time.Second)+1, math.MaxInt64/2))
}

// surplus returns how many tokens of a lease should be in the record instead, for other replicas: what a call that waited for more has left.
func (l *Limiter) surplus(e *lease, r limit.Rate) float64 {
	if e.waiting > 0 {
		return 0
	}
	return max(0, e.tokens-2*portion(r, len(l.replicas)))
}
