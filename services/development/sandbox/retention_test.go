package sandbox

import (
	"errors"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// rows returns the number of checkouts, events and payouts.
func (w *world) rows(t *testing.T) (n [3]int) {
	t.Helper()
	for i, table := range []string{"checkouts", "events", "payouts"} {
		if err := w.db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM onramp_sandbox_"+table).Scan(&n[i]); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestEndedCheckoutsAreDeletedAfterAMonth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		stop := startWork(t, w.Sandbox)
		paid := w.begin(t, purchase("tUSD", one))
		w.submit(t, paid, ActionPay, card("4242424242424242"))
		w.ends(t, paid)
		declined := make([]string, deletedAtOnce)
		for i := range declined {
			declined[i] = w.begin(t, purchase("tUSD", one))
			w.submit(t, declined[i], ActionPay, card("4000000000000002"))
		}
		until(t, "every webhook is delivered", func() bool {
			waiting, err := w.store.Messages(t.Context(), w.clock.Now().Add(time.Hour), 1, w.clock.Now().Add(time.Hour))
			return err == nil && len(waiting) == 0
		})
		stop()
		pending := w.begin(t, purchase("tUSD", one))
		stored := w.rows(t)
		if stored[0] != deletedAtOnce+2 || stored[2] != 1 {
			t.Fatalf("stored %d", stored)
		}
		deleteOld := func() {
			t.Helper()
			if err := w.deleteOld(t.Context()); err != nil {
				t.Fatal(err)
			}
		}

		w.clock.Pass(keptFor - time.Hour)
		deleteOld()
		if got := w.rows(t); got != stored {
			t.Errorf("before: %d are left of %d", got, stored)
		}
		w.clock.Pass(2 * time.Hour)
		deleteOld()
		if got := w.rows(t); got != [3]int{1, 0, 0} {
			t.Errorf("after: %d are left of %d", got, stored)
		}
		if got := w.record(t, pending).Stage; got.Ended() {
			t.Errorf("the pending one is %s", got)
		}
		if _, err := w.store.Find(t.Context(), paid); !errors.Is(err, sqlstore.ErrUnknown) {
			t.Errorf("the paid one: %v", err)
		}
	})
}

func TestAnEndedCheckoutIsKeptWhileItsWebhookIsNotDelivered(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	w.submit(t, id, ActionPay, card("4000000000000002"))
	w.clock.Pass(2 * keptFor)
	if err := w.deleteOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.record(t, id).Stage; got != checkout.Failed {
		t.Errorf("it is %s", got)
	}
}
