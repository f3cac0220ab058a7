package bus_test

import (
	"context"
	"strconv"
	"testing"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkOutbox measures how long an event takes from the database to the disk of the bus, beside events that are published one by one.
func BenchmarkOutbox(b *testing.B) {
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.PostgreSQL} {
		b.Run(name, func(b *testing.B) {
			db, events := storetest.Open(b, dsn(b)), bustest.Embedded(b)
			o := newOutbox(b, db)
			addMany(b, db, o, b.N)
			b.ResetTimer()
			relay(b, o, events)
			waitUntilEmpty(b, db)
			b.StopTimer()
		})
	}
	b.Run("one by one", func(b *testing.B) {
		events := bustest.Embedded(b)
		for n := range b.N {
			if err := events.Publish(b.Context(), &projectsv1.ProjectChanged{Id: strconv.Itoa(n)}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// addMany adds events in few transactions.
func addMany(tb testing.TB, db *store.DB, o *bus.Outbox, n int) {
	tb.Helper()
	for first := 0; first < n; first += 10_000 {
		err := db.InTx(tb.Context(), func(tx *store.Tx) error { return addAll(tb.Context(), tx, o, first, min(n, first+10_000)) })
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func addAll(ctx context.Context, tx *store.Tx, o *bus.Outbox, from, to int) error {
	for i := from; i < to; i++ {
		if err := o.Add(ctx, tx, &projectsv1.ProjectChanged{Id: strconv.Itoa(i)}); err != nil {
			return err
		}
	}
	return nil
}
