package leases

import "context"

// Alone reports whether this replica counts alone, because NATS is unavailable.
func (l *Limiter) Alone() bool { return l.isUnavailable() }

// Replicas returns how many replicas are known.
func (l *Limiter) Replicas() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.replicas)
}

// Renew sends a heartbeat and reads which replicas run.
func (l *Limiter) Renew(ctx context.Context) error { return l.renew(ctx) }

// Stale returns how many records of holds have to be written.
func (l *Limiter) Stale() int {
	l.holds.mu.Lock()
	defer l.holds.mu.Unlock()
	return len(l.holds.stale)
}
