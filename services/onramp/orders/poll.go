package orders

import (
	"cmp"
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Polling intervals of an order: minPollDelay after a change, then growing up to maxPollDelay. Polling stops when an open order has not
// changed for openFor, a closed one for closedFor, and an unpaid one is late for lateFor. A later payment still counts, if the provider reports it.
const (
	minPollDelay = 5 * time.Second
	maxPollDelay = 6 * time.Hour
	openFor      = 60 * 24 * time.Hour
	closedFor    = 48 * time.Hour
	// paidWithin is how long after the provider's session a payment in it is usually reported. After that an unpaid order is late: it is polled every
	// latePollDelay until lateFor, because the buyer's identity may be checked for days.
	paidWithin    = 10 * time.Minute
	latePollDelay = 24 * time.Hour
	lateFor       = 30 * 24 * time.Hour
)

const (
	pollInterval    = time.Second
	cleanupInterval = 10 * time.Minute
	// eventLifetime is how long an event is kept whose order is not known.
	eventLifetime = 7 * 24 * time.Hour
)

// Bounds of one round, which keep it shorter than the idle timeout of a database lock.
const (
	maxOrders = 32
	// latePart is the part of maxOrders that is late orders at most, as a divisor: they do not delay the others.
	latePart      = 8
	parallelPolls = 8
	pollTimeout   = 5 * time.Second
)

// pollLock is the name of the lock with which only one replica polls at a time.
const pollLock = "hawser.onramp.follow"

// Work polls providers for open orders, and expires unpaid ones, until ctx ends. Several processes may work on one database.
func (s *Orders) Work(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return s.every(ctx, pollInterval, "orders not polled", s.runDue) })
	g.Go(func() error { return s.every(ctx, cleanupInterval, "old events not deleted", s.cleanUp) })
	late := newOverdue()
	g.Go(func() error {
		return s.every(ctx, overdueInterval, "overdue orders not counted", func(ctx context.Context) error { return late.report(ctx, s.store, s.deps.Clock.Now()) })
	})
	return g.Wait()
}

// every calls do at intervals, and logs its errors.
func (s *Orders) every(ctx context.Context, interval time.Duration, failed string, do func(context.Context) error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, failed, "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (s *Orders) cleanUp(ctx context.Context) error {
	return s.store.DeleteWaiting(ctx, s.deps.Clock.Now().Add(-eventLifetime))
}

// runDue expires and polls the orders that are due, unless another replica does.
func (s *Orders) runDue(ctx context.Context) error {
	if idle, err := s.idle(ctx); err != nil || idle {
		return err
	}
	_, err := s.deps.DB.Exclusively(ctx, pollLock, func() error {
		if err := s.expire(ctx); err != nil {
			return err
		}
		return s.pollDue(ctx)
	})
	return err
}

// idle reports whether nothing is due, which needs no lock.
func (s *Orders) idle(ctx context.Context) (bool, error) {
	now := s.deps.Clock.Now()
	lapsed, err := s.store.Lapsed(ctx, now, 1)
	if err != nil || len(lapsed) > 0 {
		return false, err
	}
	due, err := s.store.Due(ctx, now, 1)
	return len(due) == 0, err
}

func (s *Orders) expire(ctx context.Context) error {
	ids, err := s.store.Lapsed(ctx, s.deps.Clock.Now(), maxOrders)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.store.Expire(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Orders) pollDue(ctx context.Context) error {
	due, err := s.store.Due(ctx, s.deps.Clock.Now(), maxOrders)
	if err != nil {
		return err
	}
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(parallelPolls)
	for _, o := range due {
		g.Go(func() error { return s.poll(ctx, o) })
	}
	return g.Wait()
}

// poll polls the provider of an order. The next poll is scheduled first, so that a failure delays it; a change makes it sooner.
func (s *Orders) poll(ctx context.Context, o Order) error {
	if err := s.store.Postpone(ctx, o, o.nextPoll(s.deps.Clock.Now())); err != nil {
		return err
	}
	// The operator may have disabled the provider for a while.
	p, _ := s.deps.Providers(o.Provider)
	provider, ok := p.(ramp.Poller)
	if !ok {
		return nil
	}
	if err := s.applyPoll(ctx, provider, o); err != nil && ctx.Err() == nil {
		s.deps.Log.WarnContext(ctx, "order not polled, or only in part", attrProvider, o.Provider, attrOrder, o.ID, "error", err)
	}
	return nil
}

// applyPoll polls the provider of an order, and applies its events. The next poll repeats those that were refused.
func (s *Orders) applyPoll(ctx context.Context, p ramp.Poller, o Order) error {
	events, err := pollProvider(ctx, p, o)
	if err != nil {
		return err
	}
	for i := range events {
		events[i].OrderID = cmp.Or(events[i].OrderID, o.ID)
	}
	return s.applyAll(ctx, o.Provider, events)
}

func pollProvider(ctx context.Context, p ramp.Poller, o Order) ([]ramp.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	return p.Poll(ctx, ramp.Placed{OrderID: o.ID, Ref: o.Ref, At: o.CreatedAt})
}

// nextPoll returns the time of the next poll after now: in a quarter of the time since the last change.
func (o Order) nextPoll(now time.Time) time.Time {
	still := now.Sub(o.UpdatedAt)
	if still < 0 {
		// The provider's clock is ahead.
		still = now.Sub(o.CreatedAt)
	}
	next := truncate(now.Add(min(max(still/4, minPollDelay), maxPollDelay)))
	if o.State == ramp.Created || o.State == ramp.Expired {
		return o.nextUnpaidPoll(now, next)
	}
	if still > openFor || !o.State.Open() && still > closedFor {
		return time.Time{}
	}
	return next
}

// nextUnpaidPoll returns the time of the next poll of an unpaid order after now, which is next until it is late.
func (o Order) nextUnpaidPoll(now, next time.Time) time.Time {
	late := truncate(o.ExpiresAt.Add(paidWithin))
	if now.Before(late) {
		return earlier(next, late)
	}
	if next = truncate(now.Add(latePollDelay)); next.After(late.Add(lateFor)) {
		return time.Time{}
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
