package sandbox

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
)

func TestAPaymentFromAClockThatWasAheadIsStillMade(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	w.clock.Pass(2 * time.Hour)
	id := w.begin(t, purchase("tUSD", one))
	w.submit(t, id, ActionPay, card("4000000000000101"))
	if got := w.record(t, id).Stage; got != checkout.Settling {
		t.Fatalf("a slow payment is %s at once", got)
	}
	w.clock.Pass(-2 * time.Hour)
	w.ends(t, id)
	w.wantPaidOnce(t, id)
}
