package names_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkFind looks up names among a thousand and among a million, to compare the 99th percentiles.
func BenchmarkFind(b *testing.B) {
	for kind, dsn := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		for _, n := range []int{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				db := storetest.Open(b, dsn(b))
				s, _ := open(b, db, 0)
				fill(b, db, n)
				var took []time.Duration
				for b.Loop() {
					name := registry.Name(fmt.Sprintf("name%d.hawser.id", 1+rand.N(n)))
					begun := time.Now()
					if _, err := s.Find(b.Context(), name); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(begun))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			})
		}
	}
}

// fill registers n names, name1 to nameN, in one statement.
func fill(b *testing.B, db *store.DB, n int) {
	b.Helper()
	const upTo = `WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < $1) `
	owner := signaturetest.NewAccount(1).Address().String()
	err := db.InTx(b.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(b.Context(), `INSERT INTO names (name, owner, owner_coin_type, owner_proof, attributes, registered_at, updated_at) `+upTo+
			`SELECT 'name' || i || '.hawser.id', $2, 60, 'key', '{}', i, i FROM numbers`, n, owner)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(b.Context(), `INSERT INTO name_addresses (name, coin_type, address, set_at) `+upTo+
			`SELECT 'name' || i || '.hawser.id', 60, $2, i FROM numbers`, n, owner)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}
