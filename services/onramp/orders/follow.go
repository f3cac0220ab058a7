package orders

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// How often a provider is asked about an order: soonest after it moved, then ever less, but every latest, and not any more when an open one
// has been still for openFor, another for closedFor.
const (
	soonest   = 5 * time.Second
	latest    = 6 * time.Hour
	openFor   = 60 * 24 * time.Hour
	closedFor = 48 * time.Hour
)

const (
	passEvery = time.Second
	tidyEvery = 10 * time.Minute
	// waitingFor is how long an event waits for the order that it is about.
	waitingFor = 7 * 24 * time.Hour
)

// Bounds of one pass, which keep it shorter than a database lets a lock be held idly.
const (
	orderBatch  = 32
	lookers     = 8
	lookTimeout = 5 * time.Second
)

// follower is the name under which one replica at a time follows orders.
const follower = "hawser.onramp.follow"

// Work asks providers what became of open orders, and expires those that nobody pays, until ctx ends. Several may
// work on one database.
func (b *Book) Work(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return b.every(ctx, passEvery, "orders not followed", b.follow) })
	g.Go(func() error { return b.every(ctx, tidyEvery, "old events not forgotten", b.tidy) })
	return g.Wait()
}

// every does something in intervals; a failure is logged, and tried again in the next one.
func (b *Book) every(ctx context.Context, interval time.Duration, failed string, do func(context.Context) error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			b.deps.Log.WarnContext(ctx, failed, "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (b *Book) tidy(ctx context.Context) error {
	return b.store.Forget(ctx, b.deps.Clock.Now().Add(-waitingFor))
}

// follow does what is due, unless another replica is at it.
func (b *Book) follow(ctx context.Context) error {
	if idle, err := b.idle(ctx); err != nil || idle {
		return err
	}
	_, err := b.deps.DB.Exclusively(ctx, follower, func() error {
		if err := b.expire(ctx); err != nil {
			return err
		}
		return b.look(ctx)
	})
	return err
}

// idle reports whether nothing is due: then nobody has to agree on who does it.
func (b *Book) idle(ctx context.Context) (bool, error) {
	now := b.deps.Clock.Now()
	lapsed, err := b.store.Lapsed(ctx, now, 1)
	if err != nil || len(lapsed) > 0 {
		return false, err
	}
	due, err := b.store.Due(ctx, now, 1)
	return len(due) == 0, err
}

func (b *Book) expire(ctx context.Context) error {
	ids, err := b.store.Lapsed(ctx, b.deps.Clock.Now(), orderBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := b.store.Expire(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) look(ctx context.Context) error {
	due, err := b.store.Due(ctx, b.deps.Clock.Now(), orderBatch)
	if err != nil {
		return err
	}
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(lookers)
	for _, o := range due {
		g.Go(func() error { return b.lookAt(ctx, o) })
	}
	return g.Wait()
}

// lookAt asks the provider what became of an order. It is asked again later whatever it answers, before its answer counts: what it tells anew
// makes that sooner.
func (b *Book) lookAt(ctx context.Context, o Order) error {
	if err := b.store.Postpone(ctx, o, o.nextLook(b.deps.Clock.Now())); err != nil {
		return err
	}
	// A provider that cannot be asked may be one that the operator took away, and brings back.
	p, _ := b.deps.Providers(o.Provider)
	provider, ok := p.(ramp.Follower)
	if !ok {
		return nil
	}
	if err := b.askAbout(ctx, provider, o); err != nil && ctx.Err() == nil {
		b.deps.Log.WarnContext(ctx, "what became of an order is not known", attrProvider, o.Provider, attrOrder, o.ID, "error", err)
	}
	return nil
}

// askAbout hears what the provider says of an order.
func (b *Book) askAbout(ctx context.Context, p ramp.Follower, o Order) error {
	events, err := ask(ctx, p, o)
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.OrderID == "" {
			e.OrderID = o.ID
		}
		if err := b.hear(ctx, o.Provider, e); err != nil {
			return err
		}
	}
	return nil
}

func ask(ctx context.Context, p ramp.Follower, o Order) ([]ramp.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return p.Look(ctx, ramp.Placed{OrderID: o.ID, Ref: o.Ref, At: o.CreatedAt})
}

// nextLook is when to ask about the order after now: in a quarter of the time that it has been still.
func (o Order) nextLook(now time.Time) time.Time {
	still := now.Sub(o.UpdatedAt)
	if still < 0 {
		// The provider's clock is ahead of ours, by whatever.
		still = now.Sub(o.CreatedAt)
	}
	if still > openFor || !o.State.Open() && still > closedFor {
		return time.Time{}
	}
	return exact(now.Add(min(max(still/4, soonest), latest)))
}
