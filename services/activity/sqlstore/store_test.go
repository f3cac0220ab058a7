package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// lower returns an address as the store has it.
func lower(a evm.Address) string { return strings.ToLower(a.String()) }

// open returns the store of activity in a database.
func open(tb testing.TB, db *store.DB) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.New(tb.Context(), db, bustest.Outbox(tb, db), func(string) uint64 { return activitytest.WholeBlocks })
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	for name, empty := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			activitytest.RunStore(t, func(t *testing.T) index.Store {
				return open(t, storetest.Open(t, empty(t)))
			})
		})
	}
}
