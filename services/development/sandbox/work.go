package sandbox

import (
	"context"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// lookEvery is the interval between checks for due checkouts. Forms of this process are handled at once.
	lookEvery = 500 * time.Millisecond
	// stepsAtOnce bounds the checkouts of one check.
	stepsAtOnce = 50
	// keptFor is how long a checkout that has ended is kept after its last event. Its page and its order answer for as long.
	keptFor = 30 * 24 * time.Hour
	// deleteEvery is the interval between deletions of old checkouts, and deletedAtOnce bounds those of one transaction.
	deleteEvery, deletedAtOnce = time.Hour, 100
)

// Work makes the steps of checkouts that do not depend on the visitor, pays out on each chain on its own, delivers webhooks, and deletes old
// checkouts, until ctx ends.
func (s *Sandbox) Work(ctx context.Context) error {
	if !s.enabled() {
		<-ctx.Done()
		return ctx.Err()
	}
	defer s.sender.HTTP.CloseIdleConnections()
	stored := make(chan struct{}, 1)
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error {
		return s.repeat(ctx, lookEvery, s.wake, func() error {
			err := s.advance(ctx)
			notify(stored)
			return errors.Join(err, s.startPayouts(ctx, g, stored))
		})
	})
	g.Go(func() error { return s.repeat(ctx, lookEvery, stored, func() error { return s.sender.Deliver(ctx) }) })
	g.Go(func() error { return s.repeat(ctx, deleteEvery, nil, func() error { return s.deleteOld(ctx) }) })
	return g.Wait()
}

// deleteOld deletes the checkouts that are older than keptFor, on one replica at a time.
func (s *Sandbox) deleteOld(ctx context.Context) error {
	_, err := s.store.Exclusively(ctx, "onramp-sandbox cleanup", func() error {
		for deleted := deletedAtOnce; deleted == deletedAtOnce; {
			var err error
			if deleted, err = s.store.DeleteEnded(ctx, s.clock.Now().Add(-keptFor), deletedAtOnce); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// startPayouts starts a turn of payouts on each chain that has due ones and no turn of this process.
func (s *Sandbox) startPayouts(ctx context.Context, g *routine.Group, stored chan<- struct{}) error {
	chains, err := s.store.PayoutChains(ctx, s.clock.Now())
	for _, chainID := range chains {
		if _, busy := s.paying.LoadOrStore(chainID, true); busy {
			continue
		}
		g.Go(func() error {
			defer s.paying.Delete(chainID)
			s.report(ctx, routine.Call(ctx, func() error { return s.payer.Pay(ctx, chainID) }))
			notify(stored)
			return nil
		})
	}
	return err
}

// repeat calls work at once, when it is notified, and at every interval. Failures are logged and retried at the next call.
func (s *Sandbox) repeat(ctx context.Context, interval time.Duration, wake <-chan struct{}, work func() error) error {
	every := time.NewTicker(interval)
	defer every.Stop()
	for {
		s.report(ctx, work())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-wake:
		case <-every.C:
		}
	}
}

// report logs the failure of a step, which is retried.
func (s *Sandbox) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.log.ErrorContext(ctx, "a step of the sandbox failed and is retried", "error", err)
	}
}

// notify wakes the receiver, unless a notification is already pending.
func notify(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// advance makes all due steps except payouts.
func (s *Sandbox) advance(ctx context.Context) error {
	due, err := s.store.Due(ctx, s.clock.Now(), stepsAtOnce)
	if err != nil {
		return err
	}
	for _, c := range due {
		if _, err := s.store.Update(ctx, c.ID, s.next); err != nil {
			return err
		}
	}
	return nil
}

// next makes the step of a checkout that does not depend on the visitor, if it is still due.
func (s *Sandbox) next(_ sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
	now := s.clock.Now()
	waits := c.Stage == checkout.Settling || c.Stage == checkout.Paid
	ahead := waits && c.Due.After(now.Add(sqlstore.LongestStep))
	if c.Due.IsZero() || c.Due.After(now) && !ahead {
		return nil, nil
	}
	switch c.Stage {
	case checkout.Choosing, checkout.Paying, checkout.Confirming:
		return c.Expire(now), nil
	case checkout.Settling:
		defer notify(s.wake)
		return c.Collect(now), nil
	case checkout.Paid:
		return c.ApplyScenario(now), nil
	}
	return nil, nil
}
