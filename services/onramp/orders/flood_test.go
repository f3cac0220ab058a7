package orders_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// courses are possible courses of an order, each as a sequence of states.
var courses = [][]ramp.State{
	{ramp.Created, ramp.Pending, ramp.Paid, ramp.Completed},
	{ramp.Created, ramp.Pending, ramp.Paid, ramp.Completed, ramp.Refunded},
	{ramp.Created, ramp.Pending, ramp.Failed},
	{ramp.Pending, ramp.Failed, ramp.Pending, ramp.Paid, ramp.Completed},
	{ramp.Created, ramp.Cancelled},
	{ramp.Created, ramp.Expired, ramp.Pending, ramp.Paid},
	{ramp.Created, ramp.Expired},
	{ramp.Pending},
}

func TestManyWebhooksInAnyOrderGiveEachOrderItsFinalState(t *testing.T) {
	const webhooks, placed, takers = 2_000, 100, 64
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// Two replicas share the work.
		w, second := open(t, db), open(t, db)
		want := map[string]orders.Order{}
		var events []ramp.Event
		for n := range placed {
			o := w.placed(t, n)
			for _, e := range course(o, courses[n%len(courses)]) {
				o.Apply(e, orderstest.Start)
				events = append(events, e)
			}
			want[o.ID] = o
		}
		for distinct := len(events); len(events) < webhooks; {
			events = append(events, events[rand.IntN(distinct)])
		}
		rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })

		var g errgroup.Group
		g.SetLimit(takers)
		for i, e := range events {
			service := []*harness{w, second}[i%2]
			g.Go(func() error {
				return service.HandleWebhook(t.Context(), orderstest.Provider, w.provider.Deliver(w.clock.Now(), e))
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		for id, want := range want {
			if got := w.find(t, id); !reflect.DeepEqual(got, want) {
				t.Errorf("%s\nis not\n%s", spell(got), spell(want))
			}
		}
	})
}

// course returns the events that a provider sends for an order: each with the order's id, and again with only the
// provider's id.
func course(o orders.Order, states []ramp.State) (events []ramp.Event) {
	for i, state := range states {
		e := ramp.Event{
			ID: fmt.Sprint(o.ID, " ", i), OrderID: o.ID, Ref: "ref of " + o.ID, State: state, At: orderstest.Start.Add(time.Duration(i+1) * time.Second),
			Paid: orderstest.Amount(fmt.Sprint(100+i), "USD"),
		}
		if i > 0 {
			e.OrderID = ""
		}
		if state == ramp.Failed {
			e.Reason = "the card was declined"
		}
		if state == ramp.Completed {
			e.Transaction, e.Received = "0x"+o.ID, orderstest.Amount("97.123456789012345678", "USDC")
		}
		events = append(events, e)
	}
	return events
}
