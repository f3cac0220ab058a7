package orders

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Polling intervals of an order: soonest after a change, then growing up to latest. Polling stops when an open order has not changed for
// openFor, a closed one for closedFor.
const (
	soonest   = 5 * time.Second
	latest    = 6 * time.Hour
	openFor   = 60 * 24 * time.Hour
	closedFor = 48 * time.Hour
)

const (
	pollInterval    = time.Second
	cleanupInterval = 10 * time.Minute
	// eventLifetime is how long an event is kept whose order is not known yet.
	eventLifetime = 7 * 24 * time.Hour
)

// Bounds of one round, which keep it shorter than the idle timeout of a database lock.
const (
	maxOrders     = 32
	parallelPolls = 8
	pollTimeout   = 5 * time.Second
)

// follower is the name of the lock: one replica at a time polls.
const follower = "hawser.onramp.follow"

// Work polls providers for open orders, and expires unpaid ones, until ctx ends. Several processes may work on one database.
func (b *Orders) Work(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return b.every(ctx, pollInterval, "orders not polled", b.follow) })
	g.Go(func() error { return b.every(ctx, cleanupInterval, "old events not deleted", b.cleanUp) })
	return g.Wait()
}

// every calls do at intervals, and logs its errors.
func (b *Orders) every(ctx context.Context, interval time.Duration, failed string, do func(context.Context) error) error {
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

func (b *Orders) cleanUp(ctx context.Context) error {
	return b.store.Forget(ctx, b.deps.Clock.Now().Add(-eventLifetime))
}

// follow expires and polls the orders that are due, unless another replica does.
func (b *Orders) follow(ctx context.Context) error {
	if idle, err := b.idle(ctx); err != nil || idle {
		return err
	}
	_, err := b.deps.DB.Exclusively(ctx, follower, func() error {
		if err := b.expire(ctx); err != nil {
			return err
		}
		return b.pollDue(ctx)
	})
	return err
}

// idle reports whether nothing is due, which needs no lock.
func (b *Orders) idle(ctx context.Context) (bool, error) {
	now := b.deps.Clock.Now()
	lapsed, err := b.store.Lapsed(ctx, now, 1)
	if err != nil || len(lapsed) > 0 {
		return false, err
	}
	due, err := b.store.Due(ctx, now, 1)
	return len(due) == 0, err
}

func (b *Orders) expire(ctx context.Context) error {
	ids, err := b.store.Lapsed(ctx, b.deps.Clock.Now(), maxOrders)
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

func (b *Orders) pollDue(ctx context.Context) error {
	due, err := b.store.Due(ctx, b.deps.Clock.Now(), maxOrders)
	if err != nil {
		return err
	}
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(parallelPolls)
	for _, o := range due {
		g.Go(func() error { return b.poll(ctx, o) })
	}
	return g.Wait()
}

// poll polls the provider of an order. The next poll is scheduled first, so that a failure delays it; a change makes it sooner.
func (b *Orders) poll(ctx context.Context, o Order) error {
	if err := b.store.Postpone(ctx, o, o.nextPoll(b.deps.Clock.Now())); err != nil {
		return err
	}
	// The operator may have disabled the provider for a while.
	p, _ := b.deps.Providers(o.Provider)
	provider, ok := p.(ramp.Poller)
	if !ok {
		return nil
	}
	if err := b.applyPoll(ctx, provider, o); err != nil && ctx.Err() == nil {
		b.deps.Log.WarnContext(ctx, "order not polled", attrProvider, o.Provider, attrOrder, o.ID, "error", err)
	}
	return nil
}

// applyPoll hears what the provider says of an order.
func (b *Orders) applyPoll(ctx context.Context, p ramp.Poller, o Order) error {
	events, err := ask(ctx, p, o)
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.OrderID == "" {
			e.OrderID = o.ID
		}
		if err := b.apply(ctx, o.Provider, e); err != nil {
			return err
		}
	}
	return nil
}

func ask(ctx context.Context, p ramp.Poller, o Order) ([]ramp.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	return p.Poll(ctx, ramp.Placed{OrderID: o.ID, Ref: o.Ref, At: o.CreatedAt})
}

// nextPoll is when to ask about the order after now: in a quarter of the time that it has been still.
func (o Order) nextPoll(now time.Time) time.Time {
	still := now.Sub(o.UpdatedAt)
	if still < 0 {
		// The provider's clock is ahead.
		still = now.Sub(o.CreatedAt)
	}
	if still > openFor || !o.State.Open() && still > closedFor {
		return time.Time{}
	}
	return exact(now.Add(min(max(still/4, soonest), latest)))
}
