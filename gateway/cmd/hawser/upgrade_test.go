package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// migrations are the folders of the migrations in services, by part.
var migrations = map[string]string{
	"activity":  "activity/sqlstore",
	"analytics": "analytics",
	"auth":      "auth",
	"bundler":   "bundler/sqlstore",
	"chains":    "chains/finalcache",
	"handoff":   "handoff",
	"names":     "names/sqlstore",
	"console":   "console",
	"nfts":      "nfts",
	"onramp":    "onramp/orders",
	"outbox":    "platform/bus",
	"projects":  "projects",
	"sessions":  "sessions/record",
	"wallet":    "wallet/schema",
	"webhooks":  "webhooks/deliveries",
}

// migrationsOf returns the migrations of a part.
func migrationsOf(part string) fs.FS {
	return os.DirFS(filepath.Join("../../../services", migrations[part], "migrations"))
}

// texts are values that a starting suite reads, by the name of their column.
var texts = map[string]string{"allowed_origins": `[]`, "key": strings.Repeat("0", 63) + "1"}

func TestTheListOfMigrationsIsWhole(t *testing.T) {
	var found []string
	err := filepath.WalkDir("../../../services", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "migrations" && !strings.Contains(path, "/development/") {
			found = append(found, strings.TrimPrefix(filepath.Dir(path), "../../../services/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if listed := slices.Sorted(maps.Values(migrations)); !slices.Equal(found, listed) {
		t.Errorf("services have migrations in %q, and the tests know of %q", found, listed)
	}
}

// Releases may be skipped: tables of any earlier version are brought to the newest, with what is in them.
func TestTablesOfEarlierReleasesAreBroughtToThisOne(t *testing.T) {
	for name, version := range map[string]func(newest int64) int64{
		"the last version":             func(newest int64) int64 { return max(1, newest-1) },
		"the version before":           func(newest int64) int64 { return max(1, newest-2) },
		"the third last version":       func(newest int64) int64 { return max(1, newest-3) },
		"the first version":            func(int64) int64 { return 1 },
		"versions that are this one's": func(newest int64) int64 { return newest },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachDSN(t, func(t *testing.T, dsn string) {
				earlier := storetest.Open(t, dsn)
				for part := range migrations {
					storetest.MigrateTo(t, earlier, part, migrationsOf(part), version(storetest.Newest(t, migrationsOf(part))))
				}
				filled := storetest.Fill(t, earlier, texts)
				t.Setenv("HAWSER_STORE_DSN", dsn)
				t.Setenv("HAWSER_CHAINS_CACHE_ENABLED", "true")
				t.Setenv("HAWSER_CHAINS_CACHE_DSN", dsn)

				if code, _, errOut := ask(t, "migrate"); code != exitOK {
					t.Fatalf("hawser migrate: exit %d: %s", code, errOut)
				}

				filled.Check(t, earlier, texts)
				fresh := storetest.SQLite(t)
				if earlier.Dialect() == store.PostgreSQL {
					fresh = storetest.PostgreSQL(t)
				}
				t.Setenv("HAWSER_STORE_DSN", fresh)
				t.Setenv("HAWSER_CHAINS_CACHE_DSN", fresh)
				if code, _, errOut := ask(t, "migrate"); code != exitOK {
					t.Fatalf("hawser migrate: exit %d: %s", code, errOut)
				}
				if got, want := storetest.Tables(t, earlier), storetest.Tables(t, storetest.Open(t, fresh)); !maps.EqualFunc(got, want, slices.Equal) {
					t.Errorf("the tables are\n%v\nand those of a new database\n%v", got, want)
				}
			})
		})
	}
}

func TestASuiteStartsOnTablesOfEarlierReleases(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		for part := range migrations {
			storetest.MigrateTo(t, db, part, migrationsOf(part), max(1, storetest.Newest(t, migrationsOf(part))-3))
		}
		t.Setenv("HAWSER_STORE_DSN", dsn)
		s := startSuite(t, t.TempDir())
		if code, out, errOut := ask(t, "status", "-at", s.metrics, "-probe=false"); code != exitOK || !strings.Contains(out, "all applied") {
			t.Errorf("exit %d: %s%s", code, errOut, out)
		}
		s.stop(t)
	})
}

// A release that does not know what newer tables mean would write what the newer one cannot read.
func TestAnEarlierReleaseRefusesTablesOfALaterOne(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		if err := migrateAll(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
		db := storetest.Open(t, dsn)
		newest := storetest.Newest(t, migrationsOf("wallet"))
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), "INSERT INTO wallet_versions (version_id, is_applied) VALUES ($1, TRUE)", newest+1)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("HAWSER_STORE_DSN", dsn)
		want := fmt.Sprintf("migrate wallet: the tables are of version %d, and this release knows versions up to %d: start the release that made them", newest+1, newest)
		for _, args := range [][]string{{"migrate"}, append([]string{"run"}, onAnyPort()...)} {
			if code, _, errOut := ask(t, args...); code != exitFailed || !strings.Contains(errOut, want) {
				t.Errorf("hawser %s: exit %d: %s", args[0], code, errOut)
			}
		}
	})
}
