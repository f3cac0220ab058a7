package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/development/sandbox/webhook"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestAnUnacceptedWebhookIsRetried(t *testing.T) {
	w := onSQLite(t)
	w.listener.failing.Store(3)
	startWork(t, w.Sandbox)
	p := purchase("tUSD", one)
	id := w.begin(t, p)
	w.submit(t, id, ActionCancel, nil)
	until(t, "it is taken", func() bool {
		w.clock.Pass(time.Second)
		return len(w.listener.eventsOf(p.OrderID)) > 0
	})
	if reported := states(w.listener.eventsOf(p.OrderID)); !slices.Equal(reported, []ramp.State{ramp.Cancelled}) {
		t.Errorf("reported as %v", reported)
	}
}

func TestAnUndeliverableWebhookIsGivenUpAndFoundByPolling(t *testing.T) {
	w := onSQLite(t)
	w.listener.failing.Store(1 << 30)
	p := purchase("tUSD", one)
	id := w.begin(t, p)
	w.submit(t, id, ActionCancel, nil)
	startWork(t, w.Sandbox)
	w.clock.Pass(webhook.RetryFor)
	w.ends(t, id)
	if reported := w.listener.eventsOf(p.OrderID); len(reported) != 0 {
		t.Errorf("reported as %v", reported)
	}
	known, err := w.sellers[0].Poll(t.Context(), ramp.Placed{OrderID: p.OrderID})
	if err != nil || !slices.Equal(states(known), []ramp.State{ramp.Cancelled}) {
		t.Errorf("a request returns %v, %v", known, err)
	}
}

func TestEachSellerSignsItsOwnWebhooks(t *testing.T) {
	w := onSQLite(t)
	harbor, beacon := w.sellers[0], w.sellers[1]
	body, err := webhook.Encode(harbor.Name(), event("order", ramp.Paid, w))
	if err != nil {
		t.Fatal(err)
	}
	d := w.signed(harbor.Key, []byte(body))
	if _, err := harbor.Read(d); err != nil {
		t.Errorf("its own is refused: %v", err)
	}
	if events, err := beacon.Read(d); err == nil {
		t.Errorf("the other takes it: %v", events)
	}
	// A message signed with the other seller's key must be refused because it contains the seller's name.
	if events, err := beacon.Read(w.signed(beacon.Key, []byte(body))); err == nil {
		t.Errorf("the other takes what it did not say: %v", events)
	}
}

func TestTheSecretIsCreatedOnce(t *testing.T) {
	w := onSQLite(t)
	first, second := w.sellers[0], w.replica(t).sellers[0]
	if !slices.Equal(first.Key, second.Key) {
		t.Error("two replicas sign with different keys")
	}
	w.cfg.WebhookSecret = strings.Repeat("s", secretLength)
	if configured := w.replica(t).sellers[0]; slices.Equal(first.Key, configured.Key) {
		t.Error("a configured secret changes nothing")
	}
}

func FuzzReadingADeliveryNeverTakesWhatWasNotSigned(f *testing.F) {
	key := webhook.Key("secret", "harbor-pay")
	at := time.Unix(1_800_000_000, 0)
	good, err := webhook.Encode("harbor-pay", (&checkout.Checkout{OrderID: "order"}).Event(ramp.Paid, at))
	if err != nil {
		f.Fatal(err)
	}
	valid := webhook.Sign(key, []byte(good), at)
	f.Add(valid, good)
	f.Add("t=1800000000,v1=", good)
	f.Add("t=,v1=00", good)
	f.Add("v1=00,t=1800000000", good)
	f.Add(valid, good+"{}")
	f.Fuzz(func(t *testing.T, signature, body string) {
		s := &seller.Seller{Config: seller.Config{Name: "harbor-pay"}, Key: key}
		d := ramp.Delivery{Header: http.Header{webhook.SignatureHeader: {signature}}, Body: []byte(body), At: at}
		events, err := s.Read(d)
		if err == nil && (signature != valid || body != good) && webhook.Sign(key, []byte(body), at) != signature {
			t.Errorf("taken: %v", events)
		}
	})
}
