package orders_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestSQLStore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		outbox, err := bus.NewOutbox(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		s, err := orders.NewSQLStore(t.Context(), db, outbox)
		if err != nil {
			t.Fatal(err)
		}
		orderstest.RunStore(t, s)
	})
}
