package sandbox

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// lookEvery is between two looks for what is due; this process's own visitors are served at once.
	lookEvery = 500 * time.Millisecond
	// stepsAtOnce bounds one look.
	stepsAtOnce = 50
)

// Work takes the steps that need no visitor, and delivers messages, until ctx ends.
func (s *Sandbox) Work(ctx context.Context) error {
	if !s.on() {
		<-ctx.Done()
		return ctx.Err()
	}
	defer s.courier.http.CloseIdleConnections()
	told := make(chan struct{}, 1)
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error {
		return s.repeat(ctx, s.wake, func() error {
			err := s.advance(ctx)
			hurry(told)
			return err
		})
	})
	g.Go(func() error { return s.repeat(ctx, told, func() error { return s.courier.deliver(ctx) }) })
	return g.Wait()
}

// repeat works now, when it is woken, and from time to time. A failure is logged: the next time may do better.
func (s *Sandbox) repeat(ctx context.Context, wake <-chan struct{}, work func() error) error {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		if err := work(); err != nil && ctx.Err() == nil {
			s.log.Error("the sandbox has to try again", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-wake:
		case <-every.C:
		}
	}
}

// hurry wakes whoever waits.
func hurry(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// advance takes every step that is due.
func (s *Sandbox) advance(ctx context.Context) error {
	due, err := s.book.due(ctx, s.clock.Now(), stepsAtOnce)
	if err != nil {
		return err
	}
	payouts := map[string][]checkout{}
	for _, c := range due {
		if c.pays() {
			payouts[c.Terms.ChainID] = append(payouts[c.Terms.ChainID], c)
			continue
		}
		if _, err := s.book.change(ctx, c.ID, s.next); err != nil {
			return err
		}
	}
	g, ctx := routine.NewGroup(ctx)
	for chainID, checkouts := range payouts {
		g.Go(func() error { return s.payer.pay(ctx, chainID, checkouts) })
	}
	return g.Wait()
}

// next is the step that a checkout takes by itself, if it is due still.
func (s *Sandbox) next(_ txn, c *checkout) ([]ramp.Event, error) {
	now := s.clock.Now()
	waits := c.Stage == settling || c.Stage == paid
	ahead := waits && c.Due.After(now.Add(longestWait))
	if c.Due.IsZero() || c.Due.After(now) && !ahead {
		return nil, nil
	}
	switch c.Stage {
	case choosing, paying, confirming:
		return c.lapse(now), nil
	case settling:
		defer hurry(s.wake)
		return c.take(now), nil
	case paid:
		return c.mishap(now), nil
	}
	return nil, nil
}
