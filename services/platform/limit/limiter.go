package limit

import (
	"context"
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

// PerHour returns a rate of n per hour, with a burst of n; 0 is no limit.
func PerHour(name string, n int) Rate {
	return Rate{Name: name, PerSecond: float64(n) / time.Hour.Seconds(), Burst: float64(n)}
}

// Share is how much of a resource a caller may hold at once.
type Share struct {
	// Name identifies the resource.
	Name string
	// Each is the most that one caller may hold, and Total the most that all callers together may hold; 0 is no limit.
	Each, Total int
}

// Limiter counts what callers use. It is safe for concurrent use. A limiter never fails: an implementation that shares
// counts between replicas counts by itself if it cannot reach them.
type Limiter interface {
	// Take takes n from a caller's rate and returns 0 if at least 1 is left. If n exceeds what is left, the difference
	// is owed, and delays the calls after it. Otherwise Take takes nothing and returns how long it is until 1 is
	// available.
	Take(ctx context.Context, c Caller, r Rate, n int) time.Duration
	// Owe takes n from a caller's rate even if the rate becomes negative, for work whose cost is known only afterwards.
	Owe(ctx context.Context, c Caller, r Rate, n int)
	// Hold acquires n of a resource for a caller until release is called, which may be called more than once. It
	// returns false if n exceeds the caller's share or what is left of the total.
	Hold(ctx context.Context, c Caller, s Share, n int) (release func(), ok bool)
}

// Wait takes n from a caller's rate once 1 is available, for callers that are slowed down instead of refused. The error
// is that of ctx.
func Wait(ctx context.Context, l Limiter, c Caller, r Rate, n int) error {
	for {
		delay := l.Take(ctx, c, r, n)
		if delay <= 0 {
			return nil
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
