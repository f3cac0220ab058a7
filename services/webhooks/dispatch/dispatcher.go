// Package dispatch sends webhooks: it shares the slots of the process between projects, hosts and endpoints, so that one that hangs delays nobody else.
package dispatch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

const (
	// pollInterval is how often the database is asked for what is due: retries, and what other processes stored.
	pollInterval = time.Second
	// storeTimeout bounds a call of the database, and leaseMargin is how much longer a delivery is claimed than an attempt may take.
	storeTimeout = 10 * time.Second
	leaseMargin  = 2 * storeTimeout
	// brokenPause is the pause after a failure of this process: of the key encryption key, or of a panic.
	brokenPause = 30 * time.Second
	// maxTurns bounds the projects whose turns are remembered.
	maxTurns = 4096
)

// Sender makes attempts.
type Sender interface {
	// Send makes an attempt. It fails if none could be made, for a reason of this process.
	Send(ctx context.Context, c *deliveries.Claim) (deliveries.Outcome, error)
}

// Limits bound the attempts at once of this process.
type Limits struct {
	// Total bounds all, Project those of a project, and Host those to a host, whichever projects name it.
	Total, Project, Host int
	// Attempt bounds the duration of one.
	Attempt time.Duration
}

// Deps are the dependencies of a dispatcher.
type Deps struct {
	Store   *deliveries.Store
	Sender  Sender
	Clock   clock.Clock
	Backoff deliveries.Backoff
	Log     *slog.Logger
}

// Dispatcher sends what is due.
type Dispatcher struct {
	deps    Deps
	limits  Limits
	metrics metrics
	// wake receives a value when something new is due.
	wake chan struct{}
	// ended receives the slots that are free again.
	ended chan slot

	// What follows belongs to the goroutine of Run.
	total, suspects            int
	projects, hosts, endpoints map[string]int
	turn                       uint64
	turns                      map[string]uint64
}

// slot is what an attempt holds.
type slot struct {
	project, host, endpoint string
	// isSuspect is whether the last attempt at the endpoint failed.
	isSuspect bool
}

// New returns a dispatcher.
func New(limits Limits, deps Deps) *Dispatcher {
	return &Dispatcher{
		deps: deps, limits: limits, metrics: newMetrics(), wake: make(chan struct{}, 1), ended: make(chan slot, limits.Total),
		projects: map[string]int{}, hosts: map[string]int{}, endpoints: map[string]int{}, turns: map[string]uint64{},
	}
}

// Wake says that something new is due.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run sends what is due until ctx ends. Attempts that are under way then are broken off, and made again by the next process.
func (d *Dispatcher) Run(ctx context.Context) error {
	var attempts routine.WaitGroup
	defer attempts.Wait()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		if err := d.fill(ctx, &attempts); err != nil && ctx.Err() == nil {
			d.deps.Log.WarnContext(ctx, "webhooks not read", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-d.ended:
			d.release(s)
		case <-d.wake:
		case <-poll.C:
		}
	}
}

// fill starts attempts until no slot is free, or nothing is due that may have one.
func (d *Dispatcher) fill(ctx context.Context, attempts *routine.WaitGroup) error {
	for {
		if d.total >= d.limits.Total {
			return nil
		}
		started, err := d.round(ctx, attempts)
		if err != nil || started == 0 {
			return err
		}
	}
}

// round starts at most one attempt for each project, in the order of their last turns.
func (d *Dispatcher) round(ctx context.Context, attempts *routine.WaitGroup) (started int, err error) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	ready, err := d.deps.Store.Ready(asking, d.deps.Clock.Now())
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(ready, func(a, b deliveries.Ready) int {
		if a.Project != b.Project {
			return cmp.Compare(d.turns[a.Project], d.turns[b.Project])
		}
		return cmp.Compare(d.turns[a.ID], d.turns[b.ID])
	})
	served := map[string]bool{}
	for _, r := range ready {
		s := slotOf(r)
		if served[r.Project] || !d.isFree(r, s) {
			continue
		}
		claim, err := d.claim(ctx, r.ID)
		if err != nil {
			return started, err
		}
		if claim == nil {
			continue // another process has it
		}
		served[r.Project] = true
		d.take(s)
		started++
		attempts.Go(ctx, func() { d.attempt(ctx, claim, s) })
	}
	return started, nil
}

func slotOf(r deliveries.Ready) slot {
	return slot{project: r.Project, host: deliveries.Endpoint{URL: r.URL}.Host(), endpoint: r.ID, isSuspect: r.Failures > 0}
}

// isFree reports whether there is a slot. Endpoints whose last attempt failed have at most half of all slots. One that never answered has one, and so has one that was
// paused: its first answer says whether more follow.
func (d *Dispatcher) isFree(r deliveries.Ready, s slot) bool {
	switch {
	case d.total >= d.limits.Total, d.projects[s.project] >= d.limits.Project, d.hosts[s.host] >= d.limits.Host:
		return false
	case s.isSuspect && d.suspects >= max(1, d.limits.Total/2):
		return false
	case !r.HasAnswered || r.Failures >= deliveries.OpenAt:
		return d.endpoints[s.endpoint] == 0
	}
	return true
}

func (d *Dispatcher) take(s slot) {
	d.total++
	d.projects[s.project]++
	d.hosts[s.host]++
	d.endpoints[s.endpoint]++
	if s.isSuspect {
		d.suspects++
	}
	if d.turn++; len(d.turns) > maxTurns {
		clear(d.turns)
	}
	d.turns[s.project], d.turns[s.endpoint] = d.turn, d.turn
}

func (d *Dispatcher) release(s slot) {
	d.total--
	leave(d.projects, s.project)
	leave(d.hosts, s.host)
	leave(d.endpoints, s.endpoint)
	if s.isSuspect {
		d.suspects--
	}
}

// leave counts one less, and forgets what is not counted any more.
func leave(counts map[string]int, key string) {
	if counts[key]--; counts[key] <= 0 {
		delete(counts, key)
	}
}

func (d *Dispatcher) claim(ctx context.Context, endpoint string) (*deliveries.Claim, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	now := d.deps.Clock.Now()
	return d.deps.Store.Claim(ctx, endpoint, rand.Text(), now, now.Add(d.limits.Attempt+leaseMargin))
}

// attempt makes one attempt and stores its outcome. Then it frees the slot.
func (d *Dispatcher) attempt(ctx context.Context, c *deliveries.Claim, s slot) {
	defer func() { d.ended <- s }()
	var outcome deliveries.Outcome
	err := routine.Call(ctx, func() (err error) {
		outcome, err = d.deps.Sender.Send(ctx, c)
		return err
	})
	// The outcome is stored also when the process stops.
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	now := d.deps.Clock.Now()
	switch {
	case err == nil:
		d.metrics.count(storing, outcome)
		err = d.deps.Store.Finish(storing, c, outcome, now, d.deps.Backoff)
	case ctx.Err() != nil:
		err = d.deps.Store.Release(storing, c, now)
	default:
		err = errors.Join(err, d.deps.Store.Release(storing, c, now.Add(brokenPause)))
	}
	if err != nil {
		d.deps.Log.WarnContext(ctx, "webhook not sent, or its outcome not stored", "endpoint", c.Endpoint.ID, "error", err)
	}
}
