package finalcache_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/finalcache/finalcachetest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestStores(t *testing.T) {
	for kind, dsn := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(kind, func(t *testing.T) {
			finalcachetest.RunStore(t, func(t *testing.T) finalcache.Store {
				db := storetest.Open(t, dsn(t))
				if err := finalcache.Migrate(t.Context(), db); err != nil {
					t.Fatal(err)
				}
				return finalcache.NewSQLStore(db)
			})
		})
	}
}
