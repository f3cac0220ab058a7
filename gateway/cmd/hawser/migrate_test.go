package main

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestMigrateCreatesEveryTableOfTheSuite(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		code, out, errOut := ask(t, "migrate")
		if code != exitOK || !strings.HasPrefix(out, "The tables of ") || !strings.HasSuffix(out, " are up to date.\n") {
			t.Fatalf("hawser migrate: exit %d: %s", code, errOut)
		}
		migrated := versionTables(t, dsn)
		s := startSuite(t, t.TempDir())
		s.stop(t)
		for _, table := range versionTables(t, dsn) {
			if !slices.Contains(migrated, table) {
				t.Errorf("a start created %s, and hawser migrate did not", table)
			}
		}
	})
}

func TestMigrationsAtOnceApplyEachVersionOnce(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if err := migrateAll(t.Context(), dsn); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		db := storetest.Open(t, dsn)
		for _, table := range versionTables(t, dsn) {
			var rows, versions int
			if err := db.Reader().QueryRowContext(t.Context(), "SELECT count(*), count(DISTINCT version_id) FROM "+table).Scan(&rows, &versions); err != nil {
				t.Fatal(err)
			}
			if rows != versions {
				t.Errorf("%s has %d rows for %d versions", table, rows, versions)
			}
		}
	})
}

func TestVersionIsACommandAndAFlag(t *testing.T) {
	for _, arg := range []string{"version", "-version", "--version"} {
		if code, out, errOut := ask(t, arg); code != exitOK || out != "hawser dev (unknown)\n" {
			t.Errorf("hawser %s: exit %d: %s%s", arg, code, out, errOut)
		}
	}
}

// versionTables returns the tables in which the parts of the suite count their versions.
func versionTables(t *testing.T, dsn string) (tables []string) {
	t.Helper()
	db := storetest.Open(t, dsn)
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if db.Dialect() == store.PostgreSQL {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	}
	rows, err := db.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_versions") {
			tables = append(tables, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(tables) == 0 {
		t.Fatal("no part has tables")
	}
	return tables
}
