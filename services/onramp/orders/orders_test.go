package orders_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

func TestAPlacedOrderIsCreatedWithDefaults(t *testing.T) {
	w := newHarness(t)
	o := orderstest.Order(1)
	o.State, o.Reason, o.Failure, o.Transaction = ramp.Completed, "none", ramp.PaymentLate, "0x1"
	o.CreatedAt, o.UpdatedAt, o.ExpiresAt = time.Time{}, time.Time{}, time.Time{}
	w.clock.Pass(time.Minute + time.Microsecond)
	if err := w.Place(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	got, at := w.find(t, o.ID), orderstest.Start.Add(time.Minute)
	if got.State != ramp.Created || got.Reason != "" || got.Failure != "" || got.Transaction != "" {
		t.Errorf("placed %+v", got)
	}
	if !got.CreatedAt.Equal(at) || !got.UpdatedAt.Equal(at) || !got.ExpiresAt.Equal(at.Add(time.Hour)) {
		t.Errorf("placed %s, updated %s, expires %s", got.CreatedAt, got.UpdatedAt, got.ExpiresAt)
	}
	if err := w.Place(t.Context(), o); !errors.Is(err, orders.ErrPlaced) {
		t.Errorf("again: %v", err)
	}
}

func TestAnIncompleteOrderIsNotPlaced(t *testing.T) {
	w := newHarness(t)
	for lacking, take := range map[string]func(o *orders.Order){
		"an id that is a ULID": func(o *orders.Order) { o.ID = "1" },
		"a project":            func(o *orders.Order) { o.Project = "" },
		"a provider":           func(o *orders.Order) { o.Provider = "" },
		"a wallet":             func(o *orders.Order) { o.Wallet = "" },
	} {
		o := orderstest.Order(1)
		take(&o)
		if err := w.Place(t.Context(), o); !errors.Is(err, orders.ErrIncomplete) {
			t.Errorf("without %s: %v", lacking, err)
		}
	}
}

func TestAnAbandonedOrderIsRemoved(t *testing.T) {
	w := newHarness(t)
	o, opened := orderstest.Order(1), w.placed(t, 2)
	if err := w.Place(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{o.ID, opened.ID, orderstest.ID(3)} {
		if err := w.Abandon(t.Context(), id, "it does not sell there"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Find(t.Context(), orderstest.Project, o.ID); !errors.Is(err, orders.ErrUnknown) {
		t.Errorf("err = %v", err)
	}
	w.wantState(t, opened.ID, ramp.Created)
}

func TestAnOrderExpiresNotBeforeItsPage(t *testing.T) {
	w := newHarness(t)
	for n, tt := range []struct{ pageFor, want time.Duration }{{0, time.Hour}, {5 * time.Minute, time.Hour}, {3 * time.Hour, 3 * time.Hour}} {
		o := orderstest.Order(n)
		if err := w.Place(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		widget := ramp.Widget{Ref: "session\x00 \xff1"}
		if tt.pageFor > 0 {
			widget.Expires = orderstest.Start.Add(tt.pageFor)
		}
		if err := w.Opened(t.Context(), o.ID, widget); err != nil {
			t.Fatal(err)
		}
		if got := w.find(t, o.ID); !got.ExpiresAt.Equal(orderstest.Start.Add(tt.want)) || got.Ref != "session 1" {
			t.Errorf("a page for %s: expires %s, ref %q", tt.pageFor, got.ExpiresAt, got.Ref)
		}
	}
}

func TestAProjectReadsOnlyItsOwnOrders(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	if _, err := w.Find(t.Context(), "00000000000000000000000000000002", o.ID); !errors.Is(err, orders.ErrUnknown) {
		t.Errorf("another project finds it: %v", err)
	}
	buyer := orderstest.Owner(o.Wallet)
	if page, err := w.List(t.Context(), buyer, ""); err != nil || len(page.Orders) != 1 {
		t.Errorf("its buyer lists %v, %v", page.Orders, err)
	}
	anonymous := buyer
	anonymous.Proofs = nil
	if page, err := w.List(t.Context(), anonymous, ""); err != nil || len(page.Orders) != 0 {
		t.Errorf("who has no token lists %v, %v", page.Orders, err)
	}
	buyer.Project = "00000000000000000000000000000002"
	if page, err := w.List(t.Context(), buyer, ""); err != nil || len(page.Orders) != 0 {
		t.Errorf("another project lists %v, %v", page.Orders, err)
	}
}

func TestPagesHaveFiftyOrdersWithoutGaps(t *testing.T) {
	w := newHarness(t)
	const wallet = "0x4444444444444444444444444444444444444444"
	var want []string
	for n := range 120 {
		o := orderstest.Order(n)
		o.Wallet = wallet
		if err := w.Place(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		w.take(t, orderstest.Event(o, fmt.Sprint(n), ramp.Paid))
		want = append([]string{o.ID}, want...)
	}
	for what, list := range map[string]func(cursor string) (orders.Page, error){
		"of a project": func(cursor string) (orders.Page, error) { return w.List(t.Context(), orderstest.Owner(wallet), cursor) },
		"of a provider": func(cursor string) (orders.Page, error) {
			return w.ListPurchases(t.Context(), orderstest.Owner(wallet), orderstest.Provider, cursor)
		},
	} {
		var got []string
		var sizes []int
		for cursor, more := "", true; more; {
			page, err := list(cursor)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Orders {
				got = append(got, o.ID)
			}
			sizes = append(sizes, len(page.Orders))
			cursor, more = page.Next, page.Next != ""
		}
		if !slices.Equal(got, want) || !slices.Equal(sizes, []int{50, 50, 20}) {
			t.Errorf("%s: pages of %v, %v", what, sizes, got)
		}
		if _, err := list("AQ"); !errors.Is(err, orders.ErrCursor) {
			t.Errorf("%s: a cursor that is none: %v", what, err)
		}
	}
}

func TestCursorsRoundTrip(t *testing.T) {
	for _, id := range []string{orderstest.ID(0), "00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"} {
		cursor, err := orders.CursorAfter(id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := orders.ReadCursor(cursor); err != nil || got != id {
			t.Errorf("%s became %s, %v", id, got, err)
		}
		for i := range cursor {
			if _, err := orders.ReadCursor(cursor[:i] + strings.Map(func(r rune) rune { return r ^ 1 }, cursor[i:i+1]) + cursor[i+1:]); err == nil {
				t.Errorf("%s is read with letter %d changed", cursor, i)
			}
		}
	}
}

func FuzzReadCursor(f *testing.F) {
	cursor, err := orders.CursorAfter(orderstest.ID(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(cursor)
	f.Add(base64.RawURLEncoding.EncodeToString(make([]byte, 21)))
	f.Fuzz(func(t *testing.T, text string) {
		id, err := orders.ReadCursor(text)
		if err != nil || text == "" {
			return
		}
		if again, err := orders.CursorAfter(id); err != nil || again != text {
			t.Errorf("%q is read as %s, which prints %q, %v", text, id, again, err)
		}
	})
}

func TestEveryChangeIsPublishedOnce(t *testing.T) {
	w, b := newHarness(t), bustest.Embedded(t)
	received := listen(t, b)
	o, last := w.placed(t, 1), orderstest.Order(2)
	paid := orderstest.Event(o, "paid", ramp.Paid)
	w.take(t, paid)
	w.take(t, paid, paid)
	w.take(t, orderstest.Event(o, "completed", ramp.Completed))
	w.take(t, paid)
	if err := w.Place(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	w.take(t, orderstest.Event(last, "last", ramp.Paid))

	w.work(t, b)
	for i, want := range []string{o.ID, o.ID, o.ID, last.ID} {
		if got := receive(t, received); got.GetOrderId() != want || got.GetProjectId() != orderstest.Project || got.GetWalletAddress() == "" || got.GetOrder().GetId() != want {
			t.Errorf("event %d is %v, want one of %s", i, got, want)
		}
	}
}
