package leases

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/accounts"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// answerTimeout is the default of [Config.Timeout].
	answerTimeout = 250 * time.Millisecond
	// heartbeatInterval is the default of [Config.Heartbeat], and heartbeatTTL the shortest time without a heartbeat
	// after which a replica counts as stopped.
	heartbeatInterval = 5 * time.Second
	heartbeatTTL      = 15 * time.Second
	// probeInterval is how often a heartbeat is tried while NATS does not answer, and heartbeatTimeout bounds each.
	probeInterval    = 500 * time.Millisecond
	heartbeatTimeout = 3 * time.Second
	// maxPending bounds the pending requests to NATS.
	maxPending = 512
)

// Config configures a [Limiter].
type Config struct {
	// Service is the name of the service whose replicas share the limits.
	Service string
	// Callers bounds the callers that have leases, and those of which this replica counts others by itself; 0 or less is [limit.DefaultCallers].
	Callers int
	// Replicas is how many servers of a cluster keep the records; 0 is 1.
	Replicas int
	// Heartbeat is the interval of this replica's heartbeats; 0 is 5 seconds.
	Heartbeat time.Duration
	// Timeout bounds how long a call may wait for NATS before this replica counts by itself; 0 is 250 ms.
	Timeout time.Duration
}

// Limiter counts what callers use of a service that has several replicas. The package documentation states its
// guarantees. It can be used after [New]; it detects replicas that start and stop only while [Limiter.Run] runs.
type Limiter struct {
	id      string
	clock   clock.Clock
	records *records
	// alone counts rates while NATS is unavailable and those of callers without a lease, and always counts what this process holds.
	alone     *limit.Local
	heartbeat time.Duration
	timeout   time.Duration
	metrics   *metrics
	// pending has an element for each pending request to NATS.
	pending chan struct{}
	closing context.Context
	stop    context.CancelFunc
	tasks   routine.WaitGroup

	salt accounts.Salt

	mu     sync.Mutex
	leases *accounts.Table[*lease]
	// replicas are the ids of the replicas that were running when NATS last answered.
	replicas map[string]bool
	// ahead is how far the NATS server's clock is ahead of this one.
	ahead time.Duration
	// unavailable is true from a request that NATS did not answer until an answered heartbeat.
	unavailable bool
	// heldWritten is when the records of all holds were scheduled last.
	heldWritten time.Time

	holds holds
}

var _ limit.Limiter = (*Limiter)(nil)

// New returns a limiter that keeps its records on the servers that conn is connected to. It fails if they do not
// answer.
func New(ctx context.Context, conn *nats.Conn, c clock.Clock, cfg Config) (*Limiter, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	most := cfg.Callers
	if most <= 0 {
		most = limit.DefaultCallers
	}
	l := &Limiter{
		id: hex.EncodeToString(id[:]), clock: c, records: &records{js: js, scope: cfg.Service, replicas: max(1, cfg.Replicas)},
		alone: limit.NewLocal(c, most), heartbeat: cfg.Heartbeat, timeout: cfg.Timeout, pending: make(chan struct{}, maxPending),
		salt: accounts.NewSalt(), leases: accounts.NewTable[*lease](most), replicas: map[string]bool{},
		holds: newHolds(most),
	}
	if l.heartbeat <= 0 {
		l.heartbeat = heartbeatInterval
	}
	if l.timeout <= 0 {
		l.timeout = answerTimeout
	}
	l.heldWritten = c.Now()
	l.closing, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.metrics = newMetrics(cfg.Service, l)
	if err := l.renew(ctx); err != nil {
		l.Close()
		return nil, fmt.Errorf("limits of %s: %w", cfg.Service, err)
	}
	return l, nil
}

// Run sends heartbeats to the other replicas until ctx ends, and then removes this replica.
func (l *Limiter) Run(ctx context.Context) error {
	defer l.leave()
	pause := time.NewTimer(l.heartbeat)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.holds.changed:
			l.writeHolds(ctx)
			continue
		case <-pause.C:
		}
		if err := l.renew(ctx); err != nil && ctx.Err() == nil {
			l.countAlone(err)
		}
		l.renewHolds()
		l.writeHolds(ctx)
		if l.isUnavailable() {
			pause.Reset(min(l.heartbeat, probeInterval))
		} else {
			pause.Reset(l.heartbeat)
		}
	}
}

// Close cancels pending requests and waits until they have ended.
func (l *Limiter) Close() {
	l.stop()
	l.tasks.Wait()
	l.metrics.close()
}

// leave removes the heartbeat record of this replica, so that its holds are free at once.
func (l *Limiter) leave() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.closing), heartbeatTimeout)
	defer cancel()
	if err := l.records.remove(ctx, l.records.replica(l.id)); err != nil {
		slog.Debug("limits: the heartbeat of this replica was not removed", "service", l.records.scope, "error", err)
	}
}

// renew writes the heartbeat record of this replica, and reads which replicas have one.
func (l *Limiter) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
	defer cancel()
	begun := l.clock.Now()
	ids, now, err := l.records.heartbeat(ctx, l.id, max(heartbeatTTL, 3*l.heartbeat))
	if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
		// The servers were replaced, or lost the contents of their memory.
		if err = l.records.open(ctx); err != nil {
			return err
		}
		l.holds.writeAll()
		begun = l.clock.Now()
		ids, now, err = l.records.heartbeat(ctx, l.id, max(heartbeatTTL, 3*l.heartbeat))
	}
	if err != nil {
		return err
	}
	ended := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas = ids
	if took := ended.Sub(begun); took < time.Second {
		l.ahead = now.Sub(begun.Add(took / 2))
	}
	if l.unavailable {
		l.unavailable = false
		slog.Info("limits are shared between replicas again", "service", l.records.scope, "replicas", len(ids))
	}
	return nil
}

// countAlone makes this replica count by itself until NATS answers again.
func (l *Limiter) countAlone(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unavailable || l.closing.Err() != nil {
		return
	}
	l.unavailable = true
	slog.Warn("limits are counted by this replica alone: NATS does not answer", "service", l.records.scope, "replicas", len(l.replicas), "error", err)
}

func (l *Limiter) isUnavailable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unavailable
}

// Len returns how many leases there are.
func (l *Limiter) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leases.Len()
}

// part returns this replica's part of a rate. The caller holds mu.
func (l *Limiter) part(r limit.Rate) limit.Rate {
	n := float64(max(1, len(l.replicas)))
	return limit.Rate{Name: r.Name, PerSecond: r.PerSecond / n, Burst: burst(r) / n}
}

// now returns the time of the NATS server.
func (l *Limiter) now() time.Time { return l.clock.Now().Add(l.ahead) }

func (l *Limiter) serverNow() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now()
}
