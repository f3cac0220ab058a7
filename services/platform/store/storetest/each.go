package storetest

import (
	"path/filepath"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Each runs test as a subtest on an empty SQLite file and on an empty PostgreSQL database.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachDSN(t, func(t *testing.T, dsn string) { test(t, Open(t, dsn)) })
}

// EachDSN runs test as a subtest with the DSN of an empty SQLite file and of an empty PostgreSQL database, for tests
// that open it more than once or pass it to another process.
func EachDSN(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run(string(store.SQLite), func(t *testing.T) { test(t, SQLite(t)) })
	t.Run(string(store.PostgreSQL), func(t *testing.T) { test(t, PostgreSQL(t)) })
}

// Open opens dsn for the length of the test.
func Open(t testing.TB, dsn string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// SQLite returns the path of a database file that does not exist yet.
func SQLite(t testing.TB) string {
	return filepath.Join(t.TempDir(), "hawser.db")
}
