package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/ramp"
)

func TestAMessageThatIsNotTakenIsSentAgain(t *testing.T) {
	w := onSQLite(t)
	w.listener.failing.Store(3)
	startWork(t, w.Sandbox)
	p := purchase("tUSD", one)
	id := w.begin(t, p)
	w.submit(t, id, ActionCancel, nil)
	until(t, "it is taken", func() bool {
		w.clock.forward(time.Second)
		return len(w.listener.heard(p.OrderID)) > 0
	})
	if told := states(w.listener.heard(p.OrderID)); !slices.Equal(told, []ramp.State{ramp.Cancelled}) {
		t.Errorf("told as %v", told)
	}
}

func TestAMessageThatNobodyTakesIsGivenUpAndFoundByWhoAsks(t *testing.T) {
	w := onSQLite(t)
	w.listener.failing.Store(1 << 30)
	p := purchase("tUSD", one)
	id := w.begin(t, p)
	w.submit(t, id, ActionCancel, nil)
	startWork(t, w.Sandbox)
	w.clock.forward(deliverFor)
	w.ends(t, id)
	if told := w.listener.heard(p.OrderID); len(told) != 0 {
		t.Errorf("told as %v", told)
	}
	known, err := w.sellers[0].Poll(t.Context(), ramp.Placed{OrderID: p.OrderID})
	if err != nil || !slices.Equal(states(known), []ramp.State{ramp.Cancelled}) {
		t.Errorf("who asks is told %v, %v", known, err)
	}
}

func TestAMessageOfOneSellerIsNoneOfAnother(t *testing.T) {
	w := onSQLite(t)
	harbor, beacon := w.sellers[0], w.sellers[1]
	body, err := spell(harbor.Name(), told("order", ramp.Paid, w))
	if err != nil {
		t.Fatal(err)
	}
	d := w.signed(harbor.key, []byte(body))
	if _, err := harbor.Read(d); err != nil {
		t.Errorf("its own is refused: %v", err)
	}
	if events, err := beacon.Read(d); err == nil {
		t.Errorf("the other takes it: %v", events)
	}
	// Were it signed with the other's key, it would still say whose it is.
	if events, err := beacon.Read(w.signed(beacon.key, []byte(body))); err == nil {
		t.Errorf("the other takes what it did not say: %v", events)
	}
}

func TestTheSecretIsMadeOnceAndKept(t *testing.T) {
	w := onSQLite(t)
	first, second := w.sellers[0], w.replica(t).sellers[0]
	if !slices.Equal(first.key, second.key) {
		t.Error("two replicas sign with different keys")
	}
	w.cfg.WebhookSecret = strings.Repeat("s", secretLength)
	if configured := w.replica(t).sellers[0]; slices.Equal(first.key, configured.key) {
		t.Error("a configured secret changes nothing")
	}
}

func TestPausesGrowToTheirLongest(t *testing.T) {
	last := time.Duration(0)
	for attempts := range 100 {
		pause := pauseAfter(attempts)
		if pause < last || pause > longestPause || pause < firstPause {
			t.Fatalf("after %d attempts it waits %s, after %s", attempts, pause, last)
		}
		last = pause
	}
	if last != longestPause {
		t.Errorf("at last it waits %s", last)
	}
}

func FuzzReadingADeliveryNeverTakesWhatWasNotSigned(f *testing.F) {
	key := signingKey("secret", "harbor-pay")
	at := time.Unix(1_800_000_000, 0)
	good, err := spell("harbor-pay", (&checkout{OrderID: "order"}).event(ramp.Paid, at))
	if err != nil {
		f.Fatal(err)
	}
	valid := sign(key, []byte(good), at)
	f.Add(valid, good)
	f.Add("t=1800000000,v1=", good)
	f.Add("t=,v1=00", good)
	f.Add("v1=00,t=1800000000", good)
	f.Add(valid, good+"{}")
	f.Fuzz(func(t *testing.T, signature, body string) {
		s := &seller{Seller: Seller{Name: "harbor-pay"}, key: key}
		d := ramp.Delivery{Header: http.Header{SignatureHeader: {signature}}, Body: []byte(body), At: at}
		events, err := s.Read(d)
		if err == nil && (signature != valid || body != good) && sign(key, []byte(body), at) != signature {
			t.Errorf("taken: %v", events)
		}
	})
}

func FuzzUnderstandTakesOnlyWhatItCanSayAgain(f *testing.F) {
	good, err := spell("harbor-pay", (&checkout{OrderID: "order"}).event(ramp.Paid, time.Unix(1_800_000_000, 0)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(strings.Replace(good, `"state":"paid"`, `"state":"paid","payment":{"amount":"1e999999999","currency":"USD"}`, 1))
	f.Add(strings.Replace(good, `"state":"paid"`, `"state":"paid","payment":{"amount":"-1","currency":"USD"}`, 1))
	f.Add("{}")
	f.Fuzz(func(t *testing.T, body string) {
		e, err := understand("harbor-pay", []byte(body))
		if err != nil {
			return
		}
		again, err := spell("harbor-pay", e)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := understand("harbor-pay", []byte(again)); err != nil || second.ID != e.ID || second.State != e.State || second.OrderID != e.OrderID {
			t.Errorf("%+v is said again as %+v, %v", e, second, err)
		}
	})
}
