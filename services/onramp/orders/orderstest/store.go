// Package orderstest is the test suite of stores of orders, with a fake provider.
package orderstest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// greatest is greater than every id.
const greatest = "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"

// RunStore tests an empty store.
func RunStore(t *testing.T, s orders.Store) {
	t.Run("returns an order as it was inserted", func(t *testing.T) {
		full := Order(1)
		full.Title, full.Seller, full.Sandbox = "Ünïcödé 🚢 'quoted' \"twice\"", "TRANSAK", true
		full.Payment, full.Purchase = Amount("0.000000000000000001", "USD"), Amount("115792089237316195423570985008687907853269984665640564039457584007913129639935", "ETH")
		empty := Order(2)
		empty.Payment, empty.Purchase, empty.ChainID = nil, nil, ""
		for _, o := range []orders.Order{full, empty} {
			insert(t, s, o)
			wantKept(t, s, o)
		}
	})

	t.Run("an unknown order is not found, opened or expired", func(t *testing.T) {
		id := ID(3)
		_, found := s.Find(t.Context(), id)
		opened, expired := s.Open(t.Context(), id, ramp.Widget{}, Start), s.Expire(t.Context(), id)
		for doing, err := range map[string]error{"find": found, "open": opened, "expire": expired} {
			if !errors.Is(err, orders.ErrUnknown) {
				t.Errorf("%s: %v", doing, err)
			}
		}
	})

	t.Run("refuses a second order with the same id, and keeps the first", func(t *testing.T) {
		first, second := Order(4), Order(4)
		insert(t, s, first)
		second.Wallet = "0x2222222222222222222222222222222222222222"
		if err := s.Insert(t.Context(), second); !errors.Is(err, orders.ErrPlaced) {
			t.Errorf("err = %v", err)
		}
		wantKept(t, s, first)
	})

	t.Run("removes an order only before it was opened or had an event", func(t *testing.T) {
		unopened, opened, paid := Order(5), Order(6), Order(7)
		for _, o := range []orders.Order{unopened, opened, paid} {
			insert(t, s, o)
		}
		open(t, s, opened.ID, ramp.Widget{})
		apply(t, s, Event(paid, "7", ramp.Paid), orders.Moved)
		for id, want := range map[string]bool{unopened.ID: true, opened.ID: false, paid.ID: false, ID(8): false} {
			if removed, err := s.Remove(t.Context(), id); err != nil || removed != want {
				t.Errorf("%s removed: %t, %v", id, removed, err)
			}
			if _, err := s.Find(t.Context(), id); (err == nil) == (want || id == ID(8)) {
				t.Errorf("%s found: %v", id, err)
			}
		}
	})

	t.Run("stores the events of an order", func(t *testing.T) {
		o := Order(9)
		insert(t, s, o)
		e := Event(o, "9", ramp.Completed)
		e.Transaction, e.ChainID, e.Paid, e.Received = "0xabc", "eip155:8453", Amount("50.5", "EUR"), Amount("49.123456789012345678", "USDC")
		apply(t, s, e, orders.Moved)
		apply(t, s, e, orders.Known)
		o.Apply(e, Start)
		wantKept(t, s, o)
	})

	t.Run("stores why an order failed, also if the event came before its reference", func(t *testing.T) {
		o, late := Order(70), Order(71)
		insert(t, s, o)
		e := Event(o, "70", ramp.Failed)
		e.Reason, e.Failure = "The payment was declined", ramp.PaymentDeclined
		apply(t, s, e, orders.Moved)
		o.Apply(e, Start)
		wantKept(t, s, o)
		if got := orders.ToProto(o).GetFailure(); got != onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_DECLINED {
			t.Errorf("the API says %s", got)
		}
		insert(t, s, late)
		apply(t, s, ramp.Event{ID: "71", Ref: "early-71", State: ramp.Failed, Failure: ramp.TokensUnsent}, orders.Waiting)
		open(t, s, late.ID, ramp.Widget{Ref: "early-71"})
		if got, err := s.Find(t.Context(), late.ID); err != nil || got.Failure != ramp.TokensUnsent {
			t.Errorf("%q, %v", got.Failure, err)
		}
	})

	t.Run("an event of another provider or of an unknown order changes nothing", func(t *testing.T) {
		o := Order(10)
		insert(t, s, o)
		if outcome, err := s.Apply(t.Context(), "another", Event(o, "10", ramp.Paid), Start); err != nil || outcome != orders.Unknown {
			t.Errorf("of another provider: %s, %v", outcome, err)
		}
		apply(t, s, Event(Order(11), "11", ramp.Paid), orders.Unknown)
		apply(t, s, ramp.Event{ID: "12", State: ramp.Paid}, orders.Unknown)
		wantKept(t, s, o)
	})

	t.Run("an order is found by each of its references", func(t *testing.T) {
		o := Order(13)
		insert(t, s, o)
		open(t, s, o.ID, ramp.Widget{Ref: "session-13"})
		named := Event(o, "13a", ramp.Pending)
		named.Ref = "transaction-13"
		apply(t, s, named, orders.Moved)
		apply(t, s, ramp.Event{ID: "13b", Ref: "session-13", State: ramp.Paid}, orders.Moved)
		apply(t, s, ramp.Event{ID: "13c", Ref: "transaction-13", State: ramp.Completed}, orders.Moved)
		wantState(t, s, o.ID, ramp.Completed)
		if outcome, err := s.Apply(t.Context(), "another", ramp.Event{ID: "13d", Ref: "session-13", State: ramp.Refunded}, Start); err != nil || outcome != orders.Waiting {
			t.Errorf("a name of another provider's: %s, %v", outcome, err)
		}
	})

	t.Run("an event with an unknown reference waits until an order has it", func(t *testing.T) {
		opened, reported := Order(14), Order(15)
		insert(t, s, opened)
		insert(t, s, reported)
		apply(t, s, ramp.Event{ID: "14", Ref: "early-14", State: ramp.Paid}, orders.Waiting)
		apply(t, s, ramp.Event{ID: "14", Ref: "early-14", State: ramp.Paid}, orders.Waiting)
		apply(t, s, ramp.Event{ID: "15", Ref: "early-15", State: ramp.Completed, Transaction: "0x15"}, orders.Waiting)
		open(t, s, opened.ID, ramp.Widget{Ref: "early-14"})
		wantState(t, s, opened.ID, ramp.Paid)
		naming := Event(reported, "15a", ramp.Pending)
		naming.Ref = "early-15"
		apply(t, s, naming, orders.Moved)
		if o := wantState(t, s, reported.ID, ramp.Completed); o.Transaction != "0x15" {
			t.Errorf("transaction %q", o.Transaction)
		}
	})

	t.Run("only old waiting events are deleted", func(t *testing.T) {
		old, young := Order(16), Order(17)
		insert(t, s, old)
		insert(t, s, young)
		apply(t, s, ramp.Event{ID: "16", Ref: "old", State: ramp.Paid}, orders.Waiting)
		if outcome, err := s.Apply(t.Context(), Provider, ramp.Event{ID: "17", Ref: "young", State: ramp.Paid}, Start.Add(time.Hour)); err != nil || outcome != orders.Waiting {
			t.Fatalf("%s, %v", outcome, err)
		}
		if err := s.DeleteWaiting(t.Context(), Start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		open(t, s, old.ID, ramp.Widget{Ref: "old"})
		open(t, s, young.ID, ramp.Widget{Ref: "young"})
		wantState(t, s, old.ID, ramp.Created)
		wantState(t, s, young.ID, ramp.Paid)
	})

	t.Run("lists a wallet's orders of a project with a proof, the newest first", func(t *testing.T) {
		const wallet = "0xAbCdEf0123456789aBcDeF0123456789AbCdEf01"
		for n := 20; n < 25; n++ {
			o := Order(n)
			o.Wallet = wallet
			insert(t, s, o)
		}
		other := Order(25)
		other.Wallet, other.Project = wallet, "another"
		insert(t, s, other)
		foreign := Order(27)
		foreign.Wallet, foreign.Proof = wallet, "another one's"
		insert(t, s, foreign)
		older := Order(28)
		older.Wallet, older.Proof = wallet, ""
		insert(t, s, older)
		of := func(wallet, before string, limit int) []string {
			list, err := s.List(t.Context(), Owner(wallet), before, limit)
			if err != nil {
				t.Fatal(err)
			}
			return ids(list)
		}
		if got := of(wallet, greatest, 3); !slices.Equal(got, []string{ID(24), ID(23), ID(22)}) {
			t.Errorf("first page %v", got)
		}
		if got := of(wallet, ID(22), 3); !slices.Equal(got, []string{ID(21), ID(20)}) {
			t.Errorf("last page %v", got)
		}
		if got := of("0xabcdef0123456789abcdef0123456789abcdef01", greatest, 1); !slices.Equal(got, []string{ID(24)}) {
			t.Errorf("spelled without checksum: %v", got)
		}
		all := []string{ID(28), ID(27), ID(25), ID(24), ID(23), ID(22), ID(21), ID(20)}
		if list, err := s.ListOf(t.Context(), strings.ToLower(wallet), greatest, 20); err != nil || !slices.Equal(ids(list), all) {
			t.Errorf("of every project: %v, %v", ids(list), err)
		}
		if list, err := s.ListOf(t.Context(), wallet, ID(25), 2); err != nil || !slices.Equal(ids(list), all[3:5]) {
			t.Errorf("a page of every project: %v, %v", ids(list), err)
		}
	})

	t.Run("the case of a Solana wallet is significant", func(t *testing.T) {
		const wallet = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
		o := Order(26)
		o.Wallet = wallet
		insert(t, s, o)
		for wallet, want := range map[string][]string{wallet: {ID(26)}, "7ecdhsygxxyscszyep35khn8vvw3svaulktzxwcfltv": nil} {
			if list, err := s.List(t.Context(), Owner(wallet), greatest, 9); err != nil || !slices.Equal(ids(list), want) {
				t.Errorf("%s: %v, %v", wallet, ids(list), err)
			}
		}
	})

	t.Run("lists the purchases of one provider and project that were begun", func(t *testing.T) {
		const wallet = "0x3333333333333333333333333333333333333333"
		var want []string
		for i, state := range []ramp.State{ramp.Created, ramp.Expired, ramp.Pending, ramp.Paid, ramp.Cancelled, ramp.Failed, ramp.Completed, ramp.Refunded} {
			o := Order(30 + i)
			o.Wallet = wallet
			insert(t, s, o)
			applyAny(t, s, Event(o, fmt.Sprint(30+i), state))
			if state != ramp.Created && state != ramp.Expired && state != ramp.Cancelled {
				want = append([]string{o.ID}, want...)
			}
		}
		other := Order(39)
		other.Wallet, other.Provider, other.State = wallet, "another", ramp.Completed
		insert(t, s, other)
		project := Order(38)
		project.Wallet, project.Project = wallet, "another"
		insert(t, s, project)
		applyAny(t, s, Event(project, "38", ramp.Paid))
		if list, err := s.ListPurchases(t.Context(), Owner(wallet), Provider, greatest, 9); err != nil || !slices.Equal(ids(list), want) {
			t.Errorf("%v, %v; want %v", ids(list), err, want)
		}
		if list, err := s.ListPurchases(t.Context(), Owner(wallet), Provider, want[1], 2); err != nil || !slices.Equal(ids(list), want[2:4]) {
			t.Errorf("second page %v, %v; want %v", ids(list), err, want[2:4])
		}
	})

	t.Run("an order is due from when it is opened until it is done", func(t *testing.T) {
		ever := Start.Add(1000 * time.Hour)
		settle(t, s, ever)
		first, second := Order(40), Order(41)
		insert(t, s, first)
		insert(t, s, second)
		wantDue(t, s, ever)
		open(t, s, first.ID, ramp.Widget{})
		if err := s.Open(t.Context(), second.ID, ramp.Widget{}, Start.Add(-time.Minute)); err != nil {
			t.Fatal(err)
		}
		wantDue(t, s, Start.Add(-time.Hour))
		wantDue(t, s, ever, second.ID, first.ID)
		e := Event(second, "41", ramp.Completed)
		e.Transaction = "0x41"
		apply(t, s, e, orders.Moved)
		wantDue(t, s, ever, first.ID)
	})

	t.Run("an order is postponed unless it changed meanwhile", func(t *testing.T) {
		ever := Start.Add(1000 * time.Hour)
		settle(t, s, ever)
		o := Order(42)
		insert(t, s, o)
		open(t, s, o.ID, ramp.Widget{})
		read := find(t, s, o.ID)
		if err := s.Postpone(t.Context(), read, Start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		wantDue(t, s, Start.Add(time.Hour-time.Millisecond))
		wantDue(t, s, Start.Add(time.Hour), o.ID)
		if err := s.Postpone(t.Context(), read, time.Time{}); err != nil {
			t.Fatal(err)
		}
		wantDue(t, s, ever, o.ID)
	})

	t.Run("an unpaid order expires, and a late payment still counts", func(t *testing.T) {
		paid, unpaid := Order(43), Order(44)
		paid.ExpiresAt, unpaid.ExpiresAt = Start.Add(-2*time.Hour), Start.Add(-time.Hour)
		insert(t, s, paid)
		insert(t, s, unpaid)
		if got, err := s.Lapsed(t.Context(), Start, 9); err != nil || !slices.Equal(got, []string{paid.ID, unpaid.ID}) {
			t.Errorf("%v, %v", got, err)
		}
		if got, err := s.Lapsed(t.Context(), Start.Add(-90*time.Minute), 9); err != nil || !slices.Equal(got, []string{paid.ID}) {
			t.Errorf("%v, %v", got, err)
		}
		apply(t, s, Event(paid, "43", ramp.Pending), orders.Moved)
		for _, id := range []string{paid.ID, unpaid.ID} {
			if err := s.Expire(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		wantState(t, s, paid.ID, ramp.Pending)
		wantState(t, s, unpaid.ID, ramp.Expired)
		if got, err := s.Lapsed(t.Context(), Start, 9); err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
		apply(t, s, Event(unpaid, "44", ramp.Completed), orders.Moved)
		wantState(t, s, unpaid.ID, ramp.Completed)
	})

	t.Run("concurrent events are all applied", func(t *testing.T) {
		o := Order(45)
		insert(t, s, o)
		var g errgroup.Group
		want := o
		for i, state := range []ramp.State{ramp.Pending, ramp.Paid, ramp.Failed, ramp.Completed, ramp.Created, ramp.Expired} {
			e := Event(o, fmt.Sprint("45-", i), state)
			e.Ref, e.At = fmt.Sprint("ref-", i), Start.Add(time.Duration(i)*time.Second)
			want.Apply(e, Start)
			for range 4 {
				g.Go(func() error { _, err := s.Apply(t.Context(), Provider, e, Start); return err })
			}
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		wantKept(t, s, want)
	})
}

func insert(t *testing.T, s orders.Store, o orders.Order) {
	t.Helper()
	if err := s.Insert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, s orders.Store, id string, w ramp.Widget) {
	t.Helper()
	if err := s.Open(t.Context(), id, w, Start); err != nil {
		t.Fatal(err)
	}
}

func apply(t *testing.T, s orders.Store, e ramp.Event, want orders.Outcome) {
	t.Helper()
	if outcome := applyAny(t, s, e); outcome != want {
		t.Errorf("%s is %s, want %s", e.ID, outcome, want)
	}
}

func applyAny(t *testing.T, s orders.Store, e ramp.Event) orders.Outcome {
	t.Helper()
	outcome, err := s.Apply(t.Context(), Provider, e, Start)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func find(t *testing.T, s orders.Store, id string) orders.Order {
	t.Helper()
	o, err := s.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func wantKept(t *testing.T, s orders.Store, want orders.Order) {
	t.Helper()
	if got := find(t, s, want.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("kept %+v; want %+v", got, want)
	}
}

func wantState(t *testing.T, s orders.Store, id string, want ramp.State) orders.Order {
	t.Helper()
	o := find(t, s, id)
	if o.State != want {
		t.Errorf("%s is %s, want %s", id, o.State, want)
	}
	return o
}

// settle completes all work, so that no order is due.
func settle(t *testing.T, s orders.Store, ever time.Time) {
	t.Helper()
	due, err := s.Due(t.Context(), ever, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range due {
		if err := s.Postpone(t.Context(), o, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}

func wantDue(t *testing.T, s orders.Store, now time.Time, want ...string) {
	t.Helper()
	if due, err := s.Due(t.Context(), now, 100); err != nil || !slices.Equal(ids(due), want) {
		t.Errorf("due %v, %v; want %v", ids(due), err, want)
	}
}

func ids(list []orders.Order) (all []string) {
	for _, o := range list {
		all = append(all, o.ID)
	}
	return all
}
