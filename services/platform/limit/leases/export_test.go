package leases

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Alone reports whether this replica counts by itself, because NATS is unavailable.
func (l *Limiter) Alone() bool { return l.isUnavailable() }

// Replicas returns how many replicas are known.
func (l *Limiter) Replicas() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.replicas)
}

// Renew sends a heartbeat and reads which replicas run.
func (l *Limiter) Renew(ctx context.Context) error { return l.renew(ctx) }

// UseOwnClock takes the clock of this replica for that of the NATS server. A stopped clock of a test falls behind the server's, for each replica by
// another time.
func (l *Limiter) UseOwnClock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead = 0
}

// Stale returns how many records of holds have to be written.
func (l *Limiter) Stale() int {
	l.holds.mu.Lock()
	defer l.holds.mu.Unlock()
	return len(l.holds.stale) + len(l.holds.ended)
}

// WriteAllHolds schedules the record of everything that is held.
func (l *Limiter) WriteAllHolds() { l.holds.writeAll() }

// Conflicts counts the requests of a replica whose writes always conflict with another replica's.
type Conflicts struct {
	jetstream.JetStream

	mu        sync.Mutex
	deadlines map[time.Time]bool
}

// Conflict makes every write of a record fail as if another replica had written it first.
func (l *Limiter) Conflict() *Conflicts {
	c := &Conflicts{JetStream: l.records.js, deadlines: map[time.Time]bool{}}
	l.records.js = c
	return c
}

// PublishMsg implements [jetstream.JetStream].
func (c *Conflicts) PublishMsg(ctx context.Context, _ *nats.Msg, _ ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	deadline, _ := ctx.Deadline()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadlines[deadline] = true
	return nil, &jetstream.APIError{ErrorCode: jetstream.JSErrCodeStreamWrongLastSequence}
}

// Requests returns how many requests for tokens there were: each has its own deadline.
func (c *Conflicts) Requests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.deadlines)
}
