package limit

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Rate is how often a caller may do something.
type Rate struct {
	// Name identifies the rate.
	Name string
	// PerSecond is the average; 0 or less is no limit.
	PerSecond float64
	// Burst is how many may be used at once, at least 1.
	Burst float64
}

// fullPart is the part of a burst that a call above the burst waits for: replicas lease the rest ahead.
const fullPart = 0.9

// Needs returns how many must be left for n to be taken: n, but at least 1, and at most nine tenths of the burst.
func (r Rate) Needs(n int) float64 {
	return max(1, min(float64(n), math.Floor(r.Burst*fullPart)))
}

// Least returns the least that may be left: a caller owes at most one burst.
func (r Rate) Least() float64 { return -max(1, r.Burst) }

// PerHour returns a rate of n per hour, with a burst of n; 0 is no limit.
func PerHour(name string, n int) Rate {
	return Rate{Name: name, PerSecond: float64(n) / time.Hour.Seconds(), Burst: float64(n)}
}

// Share is how much of a resource a caller may hold at once. All projects of an address, and the IPv6 networks around a caller, hold at most an eighth of
// the total, or what one caller may hold if that is more. A fifth of the total is reserved for networks that hold little: each may hold a tenth of what one caller may hold of it, at
// most a hundredth of the reserve, and at least 1.
type Share struct {
	// Name identifies the resource.
	Name string
	// Each is the most that one caller may hold, and Total the most that all callers together may hold; 0 is no limit. An Each above an eighth of
	// the total lets few callers hold all of it.
	Each, Total int
}

const (
	// networkPart is the part of a total that one network may hold, as a divisor.
	networkPart = 8
	// reservedPart is the part of a total that is reserved, as a divisor.
	reservedPart = 5
	// firstPart is the part of a caller's share, and reservedFor the part of the reserve, that one network may hold once only the reserve is left, as
	// divisors.
	firstPart, reservedFor = 10, 100
)

// Most returns the most that a level may hold of a share; 0 is no limit.
func (l Level) Most(s Share) int {
	most := s.Each * l.Factor
	if s.Total > 0 {
		most = min(most, s.siteMost())
	}
	return most
}

// siteMost returns the most that a site may hold, whatever its projects are.
func (s Share) siteMost() int { return max(s.Each, s.Total/networkPart) }

// first returns how much of the reserve a network may hold.
func (s Share) first() int {
	return max(1, min(s.Each/firstPart, s.Total/reservedPart/reservedFor))
}

// allows reports whether n may be added to what all callers hold, for a network that holds this much.
func (s Share) allows(all, network, n int) bool {
	switch {
	case s.Total <= 0 || all+n <= s.Total-s.Total/reservedPart:
		return true
	case all+n > s.Total:
		return false
	default:
		return network+n <= s.first()
	}
}

// Level is a network that counts for a caller: the caller's own, or one around it, with how often as much it may use.
type Level struct {
	Caller Caller
	Factor int
}

// Rate returns what the level may use of a rate.
func (l Level) Rate(r Rate) Rate {
	f := float64(l.Factor)
	return Rate{Name: r.Name, PerSecond: f * r.PerSecond, Burst: f * max(1, r.Burst)}
}

// Limiter counts what callers use. It is safe for concurrent use. A limiter never fails: an implementation that shares
// counts between replicas counts by itself if it cannot reach them. What a caller uses is counted for its [Level]s, which must all allow it.
type Limiter interface {
	// Take takes n from a caller's rate and returns 0, if as much is left. A call above the burst needs a bucket that is all but full, and the
	// difference is owed: it delays the calls after it. Otherwise Take takes nothing and returns how long it is until n is available. n of 0 takes
	// nothing, and waits until 1 is available.
	Take(ctx context.Context, c Caller, r Rate, n int) time.Duration
	// Owe takes n from a caller's rate even if the rate becomes negative, for work whose cost is known only afterwards. At most one burst is owed.
	Owe(ctx context.Context, c Caller, r Rate, n int)
	// Hold acquires n of a resource for a caller until release is called, which may be called more than once. It
	// returns false if n exceeds the caller's share or what is left of the total.
	Hold(ctx context.Context, c Caller, s Share, n int) (release func(), ok bool)
}

// longestPause bounds the pause between two attempts of [Wait] to take what is available by then.
const longestPause = 100 * time.Millisecond

// Wait takes n from a caller's rate once as much is available, for callers that are slowed down instead of refused. The error
// is that of ctx.
func Wait(ctx context.Context, l Limiter, c Caller, r Rate, n int) error {
	for pause := time.Duration(0); ; pause = min(2*pause, longestPause) {
		delay := l.Take(ctx, c, r, n)
		if delay <= 0 {
			return nil
		}
		// Of many that wait for the same rate, one gets what the next delay adds. The others wait longer each time, and not all as long.
		if pause == 0 {
			pause = min(delay, longestPause)
		} else {
			delay = max(delay, pause/2+rand.N(pause))
		}
		due := time.NewTimer(delay)
		select {
		case <-ctx.Done():
			due.Stop()
			return ctx.Err()
		case <-due.C:
		}
	}
}
