package webhook

import (
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestRetryPausesGrowUpToALimit(t *testing.T) {
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

func FuzzUnderstandTakesOnlyWhatItCanSayAgain(f *testing.F) {
	good, err := Encode("harbor-pay", (&checkout.Checkout{OrderID: "order"}).Event(ramp.Paid, time.Unix(1_800_000_000, 0)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(strings.Replace(good, `"state":"paid"`, `"state":"paid","payment":{"amount":"1e999999999","currency":"USD"}`, 1))
	f.Add(strings.Replace(good, `"state":"paid"`, `"state":"paid","payment":{"amount":"-1","currency":"USD"}`, 1))
	f.Add("{}")
	f.Fuzz(func(t *testing.T, body string) {
		e, err := Decode("harbor-pay", []byte(body))
		if err != nil {
			return
		}
		again, err := Encode("harbor-pay", e)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := Decode("harbor-pay", []byte(again)); err != nil || second.ID != e.ID || second.State != e.State || second.OrderID != e.OrderID {
			t.Errorf("%+v is said again as %+v, %v", e, second, err)
		}
	})
}
