package orders_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestALostWebhookIsFoundByPolling(t *testing.T) {
	w, b := newHarness(t), bustest.Embedded(t)
	received := listen(t, b)
	o := w.placed(t, 1)
	lost := orderstest.Event(o, "lost", ramp.Completed)
	lost.Transaction = "0xabc"
	w.provider.Know(lost)
	w.runDue(t)
	w.wantState(t, o.ID, ramp.Created)

	w.clock.Pass(orders.MinPollDelay)
	w.work(t, b)
	// First it is opened, then completed.
	for range 2 {
		receive(t, received)
	}
	if got := w.find(t, o.ID); got.State != ramp.Completed || got.Transaction != "0xabc" {
		t.Errorf("%s", spell(got))
	}
}

func TestThePollIntervalGrows(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	w.take(t, ramp.Event{ID: "1", OrderID: o.ID, State: ramp.Pending, At: orderstest.Start, Ref: "transaction-1"})
	var pauses []time.Duration
	last := time.Duration(0)
	for now := time.Duration(0); now < 70*24*time.Hour; {
		requested := len(w.provider.Polled())
		w.runDue(t)
		if len(w.provider.Polled()) > requested {
			pauses, last = append(pauses, now-last), now
		}
		step := max(time.Second, (now-last)/20, now/100)
		w.clock.Pass(step)
		now += step
	}
	if pauses[0] != orders.MinPollDelay || slices.Max(pauses) > orders.MaxPollDelay*3 {
		t.Errorf("asked after %v", pauses)
	}
	if last < 59*24*time.Hour || last > 61*24*time.Hour {
		t.Errorf("requested for the last time after %s", last)
	}
	if first := w.provider.Polled()[0]; first.OrderID != o.ID || first.Ref != "transaction-1" || !first.At.Equal(o.CreatedAt) {
		t.Errorf("requested for %+v", first)
	}
}

func TestAPaymentAfterALongCheckOfTheBuyerIsFoundByPolling(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	for range 40 {
		w.clock.Pass(2 * time.Minute)
		w.runDue(t)
	}
	w.wantState(t, o.ID, ramp.Expired)
	polls := len(w.provider.Polled())
	w.provider.Know(orderstest.Event(o, "paid", ramp.Paid))
	w.clock.Pass(25 * time.Hour)
	w.runDue(t)
	if n := len(w.provider.Polled()) - polls; n != 1 {
		t.Errorf("polled %d times on the next day", n)
	}
	w.wantState(t, o.ID, ramp.Paid)
}

func TestLateOrdersDoNotDelayOthers(t *testing.T) {
	w := newHarness(t)
	for n := range 80 {
		w.placed(t, n)
	}
	w.clock.Pass(2 * time.Hour)
	for range 10 {
		w.runDue(t)
	}
	w.clock.Pass(48 * time.Hour)
	o := w.placed(t, 80)
	w.take(t, ramp.Event{ID: "pending", OrderID: o.ID, State: ramp.Pending, At: w.clock.Now()})
	w.clock.Pass(orders.MinPollDelay)
	before := len(w.provider.Polled())
	w.runDue(t)
	polled := w.provider.Polled()[before:]
	if len(polled) != 5 || !slices.ContainsFunc(polled, func(p ramp.Placed) bool { return p.OrderID == o.ID }) {
		t.Errorf("polled %v, and not only few late orders and the new one", polled)
	}
}

func TestAChangeMakesTheNextPollSooner(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	w.clock.Pass(30 * time.Minute)
	w.runDue(t)
	if due := w.find(t, o.ID).PollAt; due.Sub(w.clock.Now()) < time.Minute {
		t.Fatalf("due at %s", due)
	}
	w.take(t, orderstest.Event(o, "1", ramp.Paid))
	if due := w.find(t, o.ID).PollAt; due.Sub(w.clock.Now()) != orders.MinPollDelay {
		t.Errorf("due at %s", due)
	}
}

func TestFinishedOrdersAreNotPolled(t *testing.T) {
	w := newHarness(t)
	var want []string
	for i, state := range states {
		o := w.placed(t, i)
		e := orderstest.Event(o, fmt.Sprint(i), state)
		e.Transaction = "0xabc"
		w.take(t, e)
		if state != ramp.Completed && state != ramp.Refunded {
			want = append(want, o.ID)
		}
	}
	// The tokens were sent, but the event has no transaction hash.
	unsaid := w.placed(t, len(states))
	w.take(t, orderstest.Event(unsaid, "unsaid", ramp.Completed))
	want = append(want, unsaid.ID)
	w.clock.Pass(time.Minute)
	w.runDue(t)
	var requested []string
	for _, p := range w.provider.Polled() {
		requested = append(requested, p.OrderID)
	}
	slices.Sort(requested)
	if !slices.Equal(requested, want) {
		t.Errorf("asked about %v, want %v", requested, want)
	}
}

func TestAFailedOrderIsPolledForTwoDays(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	w.take(t, orderstest.Event(o, "failed", ramp.Failed))
	for range 9 {
		w.clock.Pass(orders.MaxPollDelay)
		w.runDue(t)
	}
	requested := len(w.provider.Polled())
	if requested != 9 || !w.find(t, o.ID).PollAt.IsZero() {
		t.Errorf("requested %d times, and again at %s", requested, w.find(t, o.ID).PollAt)
	}
	// Polling also finds a second attempt to pay.
	retried := w.placed(t, 2)
	w.take(t, ramp.Event{ID: "declined", OrderID: retried.ID, State: ramp.Failed, Reason: "the card was declined"})
	w.provider.Know(ramp.Event{ID: "lost", OrderID: retried.ID, State: ramp.Completed, Transaction: "0xabc"})
	w.clock.Pass(orders.MinPollDelay)
	w.runDue(t)
	w.wantState(t, retried.ID, ramp.Completed)
}

func TestAnEventFromTheFutureDoesNotPollForever(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	w.take(t, ramp.Event{ID: "1", OrderID: o.ID, State: ramp.Pending, At: orderstest.Start.AddDate(100, 0, 0)})
	w.clock.Pass(24 * time.Hour)
	w.runDue(t)
	if due := w.find(t, o.ID).PollAt; due.Sub(w.clock.Now()) != orders.MaxPollDelay {
		t.Errorf("due at %s", due)
	}
	w.clock.Pass(60 * 24 * time.Hour)
	w.runDue(t)
	if due := w.find(t, o.ID).PollAt; !due.IsZero() {
		t.Errorf("due at %s", due)
	}
}

func TestAnUnpaidOrderExpires(t *testing.T) {
	w := newHarness(t)
	o, paid := w.placed(t, 1), w.placed(t, 2)
	w.take(t, orderstest.Event(paid, "paid", ramp.Pending))
	w.clock.Pass(time.Hour - time.Second)
	w.runDue(t)
	w.wantState(t, o.ID, ramp.Created)
	w.clock.Pass(time.Second)
	w.runDue(t)
	w.wantState(t, o.ID, ramp.Expired)
	w.wantState(t, paid.ID, ramp.Pending)

	// A late payment counts even if only a poll finds it.
	w.provider.Know(orderstest.Event(o, "late", ramp.Completed))
	w.clock.Pass(orders.MaxPollDelay)
	w.runDue(t)
	w.wantState(t, o.ID, ramp.Completed)
}

func TestAnOrderOfAProviderWithoutPollsIsPostponed(t *testing.T) {
	w := newHarness(t)
	o := orderstest.Order(1)
	o.Provider = "mute"
	if err := w.Place(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := w.Opened(t.Context(), o.ID, ramp.Widget{}); err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(time.Minute)
	w.runDue(t)
	if due := w.find(t, o.ID).PollAt; due.Sub(w.clock.Now()) != 15*time.Second {
		t.Errorf("due at %s", due)
	}
}

func TestAFailedPollDoesNotBlockOtherOrders(t *testing.T) {
	w := newHarness(t)
	broken, strange, sound := w.placed(t, 1), w.placed(t, 2), w.placed(t, 3)
	w.provider.Delay = func(_ context.Context, p ramp.Placed) error {
		if p.OrderID == broken.ID {
			return ramp.ErrUnavailable
		}
		return nil
	}
	w.provider.Know(orderstest.Event(strange, "1", "won"), orderstest.Event(sound, "2", ramp.Paid))
	w.clock.Pass(time.Minute)
	w.runDue(t)
	w.wantState(t, broken.ID, ramp.Created)
	w.wantState(t, strange.ID, ramp.Created)
	w.wantState(t, sound.ID, ramp.Paid)
	for _, o := range []orders.Order{broken, strange} {
		if due := w.find(t, o.ID).PollAt; !due.After(w.clock.Now()) {
			t.Errorf("%s is due at %s", o.ID, due)
		}
	}
}

func TestAMalformedEventOfAPollDoesNotBlockTheOthers(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	w.provider.Know(orderstest.Event(o, "1", "won"), orderstest.Event(o, "2", ramp.Paid))
	w.clock.Pass(time.Minute)
	w.runDue(t)
	w.wantState(t, o.ID, ramp.Paid)
}

func TestPollsAreBounded(t *testing.T) {
	w := newHarness(t)
	for n := range 40 {
		w.placed(t, n)
	}
	var now, most atomic.Int64
	w.provider.Delay = func(ctx context.Context, _ ramp.Placed) error {
		defer now.Add(-1)
		for n := now.Add(1); n > most.Load(); {
			most.Store(n)
		}
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("asked without a deadline")
		}
		return nil
	}
	w.clock.Pass(time.Minute)
	w.runDue(t)
	if n := len(w.provider.Polled()); n != 32 {
		t.Errorf("asked about %d orders in one pass", n)
	}
	w.runDue(t)
	if n := len(w.provider.Polled()); n != 40 {
		t.Errorf("asked about %d orders in two passes", n)
	}
	if n := most.Load(); n > 8 {
		t.Errorf("asked about %d orders at once", n)
	}
}

func TestOneReplicaAtATimePolls(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		first := open(t, db)
		second := first
		if db.Dialect() == store.PostgreSQL {
			second = open(t, storetest.Open(t, dsn))
			second.clock.Pass(time.Minute)
		}
		first.placed(t, 1)
		first.clock.Pass(time.Minute)
		entered, leave := make(chan struct{}), make(chan struct{})
		var once sync.Once
		first.provider.Delay = func(ctx context.Context, _ ramp.Placed) error {
			once.Do(func() { close(entered) })
			select {
			case <-leave:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		done := make(chan error, 1)
		go func() { done <- first.RunDue(t.Context()) }()
		<-entered
		other := orderstest.Order(2)
		if err := second.Place(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := second.Opened(t.Context(), other.ID, ramp.Widget{}); err != nil {
			t.Fatal(err)
		}
		second.clock.Pass(time.Minute)
		second.runDue(t)
		if due := second.find(t, other.ID).PollAt; due.After(second.clock.Now()) {
			t.Error("two asked at once")
		}
		close(leave)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		second.runDue(t)
		if due := second.find(t, other.ID).PollAt; !due.After(second.clock.Now()) {
			t.Error("no request was made when the first was done")
		}
	})
}
