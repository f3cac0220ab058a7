package orders_test

import (
	"bytes"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestAnInvalidDeliveryChangesNothing(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	event := orderstest.Event(o, "1", ramp.Completed)
	forger := &orderstest.FakeProvider{Secret: "another secret"}
	forged := w.provider.Deliver(w.clock.Now(), event)
	forged.Body = append(forged.Body, ' ')
	unsigned := w.provider.Deliver(w.clock.Now(), event)
	unsigned.Header = nil
	late := w.provider.Deliver(w.clock.Now(), event)
	late.At = late.At.Add(time.Hour)
	for _, tt := range []struct {
		what     string
		provider string
		delivery ramp.Delivery
		want     error
	}{
		{"signed with another secret", orderstest.Provider, forger.Deliver(w.clock.Now(), event), ramp.ErrSignature},
		{"changed on its way", orderstest.Provider, forged, ramp.ErrSignature},
		{"unsigned", orderstest.Provider, unsigned, ramp.ErrSignature},
		{"replayed an hour later", orderstest.Provider, late, ramp.ErrStale},
		{"in another form", orderstest.Provider, w.provider.Sign(w.clock.Now(), []byte(`{"order":`)), ramp.ErrMalformed},
		{"with an unknown state", orderstest.Provider, w.provider.Deliver(w.clock.Now(), orderstest.Event(o, "2", "won")), ramp.ErrMalformed},
		{"with an amount that fills a disk", orderstest.Provider, w.provider.Sign(w.clock.Now(), []byte(`[{"OrderID":"`+o.ID+`","State":"paid","Paid":{"Value":"1e2000000000","Currency":"USD"}}]`)), ramp.ErrMalformed},
		{"from a provider without webhooks", "mute", forged, orders.ErrNoWebhooks},
		{"from an unknown provider", "unknown", forged, orders.ErrNoWebhooks},
	} {
		if err := w.HandleWebhook(t.Context(), tt.provider, tt.delivery); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, err, tt.want)
		}
	}
	if got := w.find(t, o.ID); !reflect.DeepEqual(got, o) {
		t.Errorf("the order became %s", spell(got))
	}
}

func TestTheOtherEventsOfADeliveryWithAMalformedOneAreStored(t *testing.T) {
	w := newHarness(t)
	before, after := w.placed(t, 1), w.placed(t, 2)
	huge := orderstest.Event(before, "3", ramp.Paid)
	huge.Paid = orderstest.Amount("1e70", "USD")
	d := w.provider.Deliver(w.clock.Now(), orderstest.Event(before, "1", ramp.Paid), orderstest.Event(before, "2", "won"), huge, orderstest.Event(after, "4", ramp.Paid))
	// The provider sends a refused delivery again.
	for range 2 {
		if err := w.HandleWebhook(t.Context(), orderstest.Provider, d); !errors.Is(err, ramp.ErrMalformed) {
			t.Error(err)
		}
		w.wantState(t, before.ID, ramp.Paid)
		w.wantState(t, after.ID, ramp.Paid)
	}
}

func TestInvalidDeliveriesAreLoggedOnceAMinute(t *testing.T) {
	w := newHarness(t)
	var log bytes.Buffer
	db := storetest.Open(t, storetest.SQLite(t))
	service, err := orders.New(t.Context(), orders.Deps{
		DB: db, Outbox: bustest.Outbox(t, db), Providers: w.providers, Clock: w.clock, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for range 100 {
			if err := service.HandleWebhook(t.Context(), orderstest.Provider, ramp.Delivery{At: w.clock.Now()}); !errors.Is(err, ramp.ErrSignature) {
				t.Fatal(err)
			}
		}
		w.clock.Pass(time.Minute)
		for range 100 {
			d := w.provider.Deliver(w.clock.Now(), ramp.Event{State: "won"})
			if err := service.HandleWebhook(t.Context(), orderstest.Provider, d); !errors.Is(err, ramp.ErrMalformed) {
				t.Fatal(err)
			}
		}
		w.clock.Pass(time.Minute)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 4 {
		t.Errorf("%d lines:\n%s", lines, log.String())
	}
}

func TestAnInvalidOrderIDIsUnknown(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		for _, id := range []string{"", "1", "\x00", "\xff", strings.Repeat("A", 26)} {
			if _, err := w.Find(t.Context(), orderstest.Project, id); !errors.Is(err, orders.ErrUnknown) {
				t.Errorf("%q: %v", id, err)
			}
		}
	})
}

func TestADeliveryAboutAnUnknownOrderIsAccepted(t *testing.T) {
	w := newHarness(t)
	w.take(t)
	w.take(t, orderstest.Event(orderstest.Order(9), "1", ramp.Paid))
	w.take(t, ramp.Event{ID: "2", State: ramp.Paid}, ramp.Event{ID: "3", Ref: "nobody's", State: ramp.Paid})
}

func TestTextsOfEventsAreSanitized(t *testing.T) {
	w := newHarness(t)
	o := w.placed(t, 1)
	e := orderstest.Event(o, "1", ramp.Failed)
	e.Failure = "of_tomorrow"
	e.Reason = "the card\x00 was declined" + string(make([]byte, 600)) + "é"
	w.take(t, e)
	if got := w.find(t, o.ID); got.Reason != "the card was declinedé" || got.Failure != "" {
		t.Errorf("%q, %q", got.Reason, got.Failure)
	}
	e.At, e.Reason = e.At.Add(time.Second), strings.Repeat("é", 300)
	w.take(t, e)
	if got := w.find(t, o.ID).Reason; got != strings.Repeat("é", 256) {
		t.Errorf("%d bytes, %q", len(got), got)
	}
}

func FuzzTake(f *testing.F) {
	w := newHarness(f)
	o := w.placed(f, 1)
	f.Add([]byte(`[]`), true)
	f.Add(w.provider.Deliver(w.clock.Now(), orderstest.Event(o, "1", ramp.Paid)).Body, true)
	f.Add([]byte(`[{"ID":"x","OrderID":"`+o.ID+`","State":"failed","Reason":"\u0000\ud800","Paid":{"Value":"1e-9","Currency":"USD"},"At":"9999-12-31T23:59:59Z"}]`), true)
	f.Add([]byte(`[{"Ref":"","State":"created"}]`), false)
	f.Fuzz(func(t *testing.T, body []byte, signed bool) {
		d := w.provider.Sign(w.clock.Now(), body)
		if !signed {
			d.Header.Set("Wharf-Signature", "00")
		}
		before := w.find(t, o.ID)
		err := w.HandleWebhook(t.Context(), orderstest.Provider, d)
		after := w.find(t, o.ID)
		switch {
		case err == nil && signed:
			// The second delivery has no new information.
			if err := w.HandleWebhook(t.Context(), orderstest.Provider, d); err != nil {
				t.Errorf("taken once, and then: %v", err)
			}
			if again := w.find(t, o.ID); !reflect.DeepEqual(again, after) {
				t.Errorf("%s\nbecame\n%s", spell(after), spell(again))
			}
		case err == nil:
			t.Error("an unsigned delivery was taken")
		case !errors.Is(err, ramp.ErrSignature) && !errors.Is(err, ramp.ErrMalformed):
			t.Errorf("refused with %v", err)
		case !signed && !reflect.DeepEqual(before, after):
			t.Errorf("refused, but %s became %s", spell(before), spell(after))
		}
	})
}
