package orders_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

var states = []ramp.State{
	ramp.Created, ramp.Expired, ramp.Pending, ramp.Paid, ramp.Cancelled, ramp.Failed, ramp.Completed, ramp.Refunded,
}

// drawEvents draws events that a provider may send about an order, including contradictions, repetitions and gaps.
func drawEvents(rt *rapid.T, id string) []ramp.Event {
	amount := rapid.Custom(func(rt *rapid.T) *ramp.Amount {
		value := rapid.SampledFrom([]string{"", "1", "1.50", "1.5", "20"}).Draw(rt, "value")
		if value == "" {
			return nil
		}
		return orderstest.Amount(value, rapid.SampledFrom([]string{"USD", "USDC"}).Draw(rt, "currency"))
	})
	text := func(name string) *rapid.Generator[string] {
		return rapid.SampledFrom([]string{"", name + " 1", name + " 2"})
	}
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) ramp.Event {
		e := ramp.Event{
			OrderID: id, Ref: text("ref").Draw(rt, "ref"), State: rapid.SampledFrom(states).Draw(rt, "state"),
			Reason: text("reason").Draw(rt, "reason"), Transaction: text("0x").Draw(rt, "transaction"),
			Failure: rapid.SampledFrom([]ramp.Failure{"", ramp.PaymentDeclined, ramp.TokensUnsent}).Draw(rt, "failure"),
			ChainID: text("eip155:").Draw(rt, "chain"), Paid: amount.Draw(rt, "paid"), Received: amount.Draw(rt, "received"),
		}
		if after := rapid.IntRange(0, 4).Draw(rt, "at"); after > 0 {
			e.At = orderstest.Start.Add(time.Duration(after) * time.Second)
		}
		return e
	}), 0, 8).Draw(rt, "events")
}

// shuffled returns the events in another order, with repetitions.
func shuffled(rt *rapid.T, events []ramp.Event) []ramp.Event {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
	all := slices.Clone(events)
	for range rapid.IntRange(0, len(events)).Draw(rt, "repetitions") {
		all = append(all, events[r.IntN(len(events))])
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Every field must be equal, not only the state.
func TestAnOrderDoesNotDependOnTheSequenceOfEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		placed := orderstest.Order(1)
		events := drawEvents(rt, placed.ID)
		widget := ramp.Widget{Ref: "session", Expires: orderstest.Start.Add(2 * time.Hour)}

		straight, other := placed, placed
		straight.Open(widget, orderstest.Start)
		for _, e := range events {
			straight.Apply(e, orderstest.Start)
		}
		straight.Expire()

		received := shuffled(rt, events)
		opened, expired := rapid.IntRange(0, len(received)).Draw(rt, "opened"), rapid.IntRange(0, len(received)).Draw(rt, "expired")
		for i := range len(received) + 1 {
			if i == opened {
				other.Open(widget, orderstest.Start)
			}
			if i == expired {
				other.Expire()
			}
			if i < len(received) {
				other.Apply(received[i], orderstest.Start)
			}
		}
		straight.PollAt, other.PollAt = time.Time{}, time.Time{}
		if !reflect.DeepEqual(straight, other) {
			rt.Fatalf("%s\nis not\n%s", spell(straight), spell(other))
		}
	})
}

// The same through the database. Events with only the provider's id of an order may arrive before that id is stored.
func TestAStoredOrderDoesNotDependOnTheSequenceOfEvents(t *testing.T) {
	w := newHarness(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n += 2
		events := drawEvents(rt, "")
		for i := range events {
			events[i].ID = fmt.Sprint("event ", i)
		}
		var kept []orders.Order
		for i, received := range [][]ramp.Event{events, shuffled(rt, events)} {
			o := w.placed(t, n+i)
			for _, e := range received {
				// Every other event has only the provider's id of the order, if there is one.
				if e.Ref != "" {
					e.Ref = fmt.Sprint(e.Ref, " of ", n+i)
				}
				if e.Ref == "" || e.State == ramp.Created || e.State == ramp.Paid || e.State == ramp.Completed {
					e.OrderID = o.ID
				}
				w.take(t, e)
			}
			o = w.find(t, o.ID)
			o.ID, o.Wallet, o.PollAt = "", "", time.Time{}
			if o.Ref != "" {
				o.Ref = o.Ref[:len("ref 1")]
			}
			kept = append(kept, o)
		}
		if !reflect.DeepEqual(kept[0], kept[1]) {
			rt.Fatalf("%s\nis not\n%s", spell(kept[0]), spell(kept[1]))
		}
	})
}

func spell(o orders.Order) string {
	return fmt.Sprintf("%+v paid %+v received %+v", o, o.Payment, o.Purchase)
}

func TestEventsFillTheOrder(t *testing.T) {
	at := func(n int) time.Time { return orderstest.Start.Add(time.Duration(n) * time.Second) }
	hear := func(events ...ramp.Event) orders.Order {
		o := orderstest.Order(1)
		for _, e := range events {
			o.Apply(e, orderstest.Start)
		}
		return o
	}
	for _, tt := range []struct {
		behaviour string
		got, want any
	}{
		{"a field that a message leaves out is kept", hear(ramp.Event{State: ramp.Completed, At: at(1)}).Payment, orderstest.Amount("100", "USD")},
		{"a reported amount replaces the expected one", hear(ramp.Event{State: ramp.Pending, Paid: orderstest.Amount("99", "EUR")}).Payment, orderstest.Amount("99", "EUR")},
		{"the event with the higher rank wins, even if it is older", hear(
			ramp.Event{State: ramp.Completed, At: at(1), Transaction: "0xa"}, ramp.Event{State: ramp.Paid, At: at(2), Transaction: "0xb"}).Transaction, "0xa"},
		{"of two events with equal rank the newer wins", hear(
			ramp.Event{State: ramp.Completed, At: at(2), Transaction: "0xa"}, ramp.Event{State: ramp.Completed, At: at(1), Transaction: "0xb"}).Transaction, "0xa"},
		{"a lighter message fills what no weightier one has", hear(
			ramp.Event{State: ramp.Completed, At: at(1)}, ramp.Event{State: ramp.Pending, At: at(2), ChainID: "eip155:10"}).ChainID, "eip155:10"},
		{"a failure has its reason", hear(ramp.Event{State: ramp.Failed, Reason: "the card was declined"}).Reason, "the card was declined"},
		{"a failure has its code", hear(ramp.Event{State: ramp.Failed, Failure: ramp.PaymentDeclined}).Failure, ramp.PaymentDeclined},
		{"a failure that was followed by success has no code", hear(
			ramp.Event{State: ramp.Failed, Failure: ramp.PaymentDeclined}, ramp.Event{State: ramp.Completed}).Failure, ramp.Failure("")},
		{"a failure that was followed by success has no reason", hear(
			ramp.Event{State: ramp.Failed, Reason: "the card was declined"}, ramp.Event{State: ramp.Completed}).Reason, ""},
		{"also if the failure is reported late", hear(
			ramp.Event{State: ramp.Completed}, ramp.Event{State: ramp.Failed, Reason: "the card was declined"}).Reason, ""},
		{"it was updated when the newest message says", hear(
			ramp.Event{State: ramp.Paid, At: at(7)}, ramp.Event{State: ramp.Completed, At: at(5)}).UpdatedAt, at(7)},
		{"a message from before it was placed does not make it older", hear(ramp.Event{State: ramp.Paid, At: at(-7)}).UpdatedAt, orderstest.Start},
	} {
		if !reflect.DeepEqual(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.behaviour, tt.got, tt.want)
		}
	}
}

func TestEveryStateIsReached(t *testing.T) {
	w := newHarness(t)
	for i, state := range states {
		o := w.placed(t, i)
		w.take(t, orderstest.Event(o, fmt.Sprint(i), state))
		w.wantState(t, o.ID, state)
	}
}
