package orders_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// mute is a provider without capabilities.
type mute struct{}

func (mute) Name() string          { return "mute" }
func (mute) Profile() ramp.Profile { return ramp.Profile{Title: "Mute"} }

// harness is a service with one provider that has webhooks and polls, and one that has neither.
type harness struct {
	*orders.Orders
	provider *orderstest.FakeProvider
	clock    *clocktest.Stopped
	outbox   *bus.Outbox
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	return open(t, storetest.Open(t, storetest.SQLite(t)))
}

func open(t testing.TB, db *store.DB) *harness {
	t.Helper()
	w := &harness{provider: &orderstest.FakeProvider{Secret: "of the wharf"}, clock: clocktest.StoppedAt(orderstest.Start)}
	w.outbox = bustest.Outbox(t, db)
	service, err := orders.New(t.Context(), orders.Deps{DB: db, Outbox: w.outbox, Providers: w.providers, Clock: w.clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	w.Orders = service
	return w
}

func (w *harness) providers(name string) (ramp.Provider, bool) {
	switch name {
	case orderstest.Provider:
		return w.provider, true
	case "mute":
		return mute{}, true
	}
	return nil, false
}

// placed returns an order whose widget was opened.
func (w *harness) placed(t testing.TB, n int) orders.Order {
	t.Helper()
	o := orderstest.Order(n)
	if err := w.Place(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := w.Opened(t.Context(), o.ID, ramp.Widget{}); err != nil {
		t.Fatal(err)
	}
	return w.find(t, o.ID)
}

func (w *harness) find(t testing.TB, id string) orders.Order {
	t.Helper()
	o, err := w.Find(t.Context(), orderstest.Project, id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (w *harness) take(t testing.TB, events ...ramp.Event) {
	t.Helper()
	if err := w.HandleWebhook(t.Context(), orderstest.Provider, w.provider.Deliver(w.clock.Now(), events...)); err != nil {
		t.Fatal(err)
	}
}

func (w *harness) runDue(t testing.TB) {
	t.Helper()
	if err := w.RunDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *harness) wantState(t testing.TB, id string, want ramp.State) {
	t.Helper()
	if got := w.find(t, id).State; got != want {
		t.Errorf("%s is %s, want %s", id, got, want)
	}
}

// work runs the service until the test ends.
func (w *harness) work(t *testing.T, b *bus.Bus) {
	bustest.Relay(t, w.outbox, b)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Work(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// listen subscribes to the events of the service.
func listen(t *testing.T, b *bus.Bus) <-chan *onrampv1.OrderUpdated {
	t.Helper()
	received := make(chan *onrampv1.OrderUpdated, 100)
	err := bus.Subscribe(t.Context(), b, bus.SubscribeOptions{}, func(_ context.Context, e *onrampv1.OrderUpdated) error {
		received <- e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return received
}

func receive(t *testing.T, received <-chan *onrampv1.OrderUpdated) *onrampv1.OrderUpdated {
	t.Helper()
	select {
	case e := <-received:
		return e
	case <-time.After(20 * time.Second):
		t.Fatal("an event did not arrive")
		return nil
	}
}
