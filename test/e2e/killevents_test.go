package e2e

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
)

// published are the names and orders of the events that a suite has published.
type published struct {
	mu                             sync.Mutex
	registered, changed, completed map[string]bool
}

// listen subscribes to the events of a suite that has a NATS server of its own; it returns nil for another suite.
func (k *killable) listen(t *testing.T) *published {
	t.Helper()
	if k.bus == "" {
		return nil
	}
	b, err := bus.Open(t.Context(), bus.Config{URL: k.bus, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	p := &published{registered: map[string]bool{}, changed: map[string]bool{}, completed: map[string]bool{}}
	err = errors.Join(
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "registered"}, func(_ context.Context, e *namesv1.NameRegistered) error { return p.note(p.registered, e.GetName()) }),
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "changed"}, func(_ context.Context, e *namesv1.NameChanged) error { return p.note(p.changed, e.GetName()) }),
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "completed"}, func(_ context.Context, e *onrampv1.OrderUpdated) error {
			if e.GetOrder().GetState() != onrampv1.OrderState_ORDER_STATE_COMPLETED {
				return nil
			}
			return p.note(p.completed, e.GetOrderId())
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *published) note(in map[string]bool, what string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	in[what] = true
	return nil
}

// wantPublished waits until the events of all changes in the database are published, and none waits in the outbox.
func (k *killable) wantPublished(t *testing.T, p *published) {
	t.Helper()
	waiting := 1
	for deadline := time.Now().Add(startTimeout); waiting > 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := k.open(t).QueryRowContext(t.Context(), `SELECT COUNT(*) FROM outbox`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if waiting > 0 {
		t.Errorf("%d events are not published", waiting)
	}
	if p == nil {
		return
	}
	k.wantHeard(t, p, p.registered, `SELECT name FROM name_history WHERE action = 'registered'`)
	k.wantHeard(t, p, p.changed, `SELECT name FROM name_history WHERE action <> 'registered'`)
	k.wantHeard(t, p, p.completed, `SELECT id FROM onramp_orders WHERE state = 'completed'`)
}

// wantHeard waits until the events of all rows that a query returns were received.
func (k *killable) wantHeard(t *testing.T, p *published, heard map[string]bool, query string) {
	t.Helper()
	rows, err := k.open(t).QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for ; rows.Next(); count++ {
		var what string
		if err := rows.Scan(&what); err != nil {
			t.Fatal(err)
		}
		has := func() bool { p.mu.Lock(); defer p.mu.Unlock(); return heard[what] }
		for deadline := time.Now().Add(startTimeout); !has() && time.Now().Before(deadline); {
			time.Sleep(20 * time.Millisecond)
		}
		if !has() {
			t.Fatalf("the event of %s is not published: %s", what, query)
		}
	}
	if err := rows.Err(); err != nil || count == 0 {
		t.Errorf("%d rows, %v: %s", count, err, query)
	}
}
