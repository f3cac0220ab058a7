package ramptest

import (
	"context"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func polls(t *testing.T, open func(t *testing.T) Setup) {
	t.Run("return nothing before the visitor pays", func(t *testing.T) {
		w := open(t)
		if events, err := poll(t.Context(), w); err != nil || len(events) != 0 {
			t.Errorf("%+v, %v", events, err)
		}
	})
	t.Run("return the state of an order", func(t *testing.T) {
		w := open(t)
		for _, state := range w.States {
			w.SetState(orderID, state)
			events, err := poll(t.Context(), w)
			if err != nil || len(events) == 0 {
				t.Errorf("%s: %d events, %v", state, len(events), err)
				continue
			}
			heaviest := events[0].State
			for _, e := range events {
				if e.State.Outweighs(heaviest) {
					heaviest = e.State
				}
				if e.ID == "" || !e.State.Known() || e.OrderID != "" && e.OrderID != orderID {
					t.Errorf("%s was reported as %+v", state, e)
				}
			}
			if heaviest != state {
				t.Errorf("%s was reported as %+v", state, events)
			}
		}
	})
}

func poll(ctx context.Context, w Setup) ([]ramp.Event, error) {
	return w.Provider.(ramp.Poller).Poll(ctx, ramp.Placed{OrderID: orderID, At: time.Now().Add(-time.Minute)})
}
