package sqlstore_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestStore(t *testing.T) {
	for name, empty := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			activitytest.RunStore(t, func(t *testing.T) index.Store {
				db := storetest.Open(t, empty(t))
				outbox, err := bus.NewOutbox(t.Context(), db)
				if err != nil {
					t.Fatal(err)
				}
				s, err := sqlstore.New(t.Context(), db, outbox, func(string) uint64 { return activitytest.WholeBlocks })
				if err != nil {
					t.Fatal(err)
				}
				return s
			})
		})
	}
}
