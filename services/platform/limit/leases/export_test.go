package leases

import "context"

// Alone reports whether NATS is away.
func (l *Limiter) Alone() bool { return l.isAway() }

// Replicas returns how many replicas are known.
func (l *Limiter) Replicas() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.replicas)
}

// Renew sees which replicas there are.
func (l *Limiter) Renew(ctx context.Context) error { return l.renew(ctx) }
