package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var counters = fstest.MapFS{
	"00001_counters.sql": {Data: []byte(`-- +goose Up
CREATE TABLE counters (name TEXT PRIMARY KEY, n BIGINT NOT NULL);
`)},
}

func migrated(t *testing.T, db *store.DB) *store.DB {
	t.Helper()
	if err := db.Migrate(t.Context(), "counters", counters); err != nil {
		t.Fatal(err)
	}
	return db
}

func insert(t *testing.T, db *store.DB, name string, n int) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO counters (name, n) VALUES ($1, $2)", name, n)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db *store.DB, name string) int {
	t.Helper()
	var n int
	if err := db.Reader().QueryRowContext(t.Context(), "SELECT n FROM counters WHERE name = $1", name).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestInTx(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		migrated(t, db)
		insert(t, db, "visits", 0)

		t.Run("concurrent increments are all applied", func(t *testing.T) {
			const writers, rounds = 4, 10
			var g errgroup.Group
			for range writers {
				g.Go(func() error {
					for range rounds {
						if err := increment(t.Context(), db, "visits"); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
			if got := count(t, db, "visits"); got != writers*rounds {
				t.Errorf("counted %d, want %d", got, writers*rounds)
			}
		})

		t.Run("a failed transaction stores nothing and calls no commit hook", func(t *testing.T) {
			refused := errors.New("refused")
			announced := false
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				tx.OnCommit(func() { announced = true })
				if _, err := tx.ExecContext(t.Context(), "UPDATE counters SET n = 1000 WHERE name = $1", "visits"); err != nil {
					return err
				}
				return refused
			})
			if !errors.Is(err, refused) {
				t.Errorf("err = %v, want %v", err, refused)
			}
			if got := count(t, db, "visits"); got == 1000 {
				t.Error("the write is there")
			}
			if announced {
				t.Error("a transaction that failed was announced")
			}
		})

		t.Run("calls commit hooks after the commit, when readers see the change", func(t *testing.T) {
			seen := 0
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				tx.OnCommit(func() { seen = count(t, db, "announced") })
				_, err := tx.ExecContext(t.Context(), "INSERT INTO counters (name, n) VALUES ('announced', 7)")
				return err
			})
			if err != nil || seen != 7 {
				t.Errorf("seen %d, err %v", seen, err)
			}
		})

		t.Run("distinguishes an existing key from other failures", func(t *testing.T) {
			_, err := execInTx(t.Context(), db, "INSERT INTO counters (name, n) VALUES ('visits', 1)")
			if !store.IsUniqueViolation(err) {
				t.Errorf("a second row with the same key: %v", err)
			}
			_, err = execInTx(t.Context(), db, "INSERT INTO counters (name, n) VALUES ('other', NULL)")
			if err == nil || store.IsUniqueViolation(err) {
				t.Errorf("a missing value: %v", err)
			}
		})

		t.Run("a cancelled caller is not served", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := increment(ctx, db, "visits"); !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v", err)
			}
		})
	})
}

func TestExclusively(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ran, err := db.Exclusively(t.Context(), "relay", func() error {
			second, err := db.Exclusively(t.Context(), "relay", func() error { return errors.New("two hold one name") })
			if second || err != nil {
				t.Errorf("a second holder: ran %t, err %v", second, err)
			}
			other, err := db.Exclusively(t.Context(), "other", func() error { return nil })
			if !other || err != nil {
				t.Errorf("another name: ran %t, err %v", other, err)
			}
			return nil
		})
		if !ran || err != nil {
			t.Errorf("ran %t, err %v", ran, err)
		}
		failed := errors.New("failed")
		if ran, err := db.Exclusively(t.Context(), "relay", func() error { return failed }); !ran || !errors.Is(err, failed) {
			t.Errorf("after the first holder: ran %t, err %v", ran, err)
		}
	})
}

func TestMigrate(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Run("replicas that start together all succeed", func(t *testing.T) {
			var g errgroup.Group
			for range 4 {
				db := storetest.Open(t, dsn)
				g.Go(func() error { return db.Migrate(t.Context(), "counters", counters) })
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
		})

		t.Run("replicas that open a new database together apply many versions once", func(t *testing.T) {
			many := fstest.MapFS{}
			for n := range 12 {
				many[fmt.Sprintf("%05d_view.sql", n+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\nDROP VIEW IF EXISTS newest;\nCREATE VIEW newest AS SELECT 1 AS n;\n")}
			}
			var g errgroup.Group
			for range 8 {
				g.Go(func() error {
					db, err := store.Open(t.Context(), dsn)
					if err != nil {
						return err
					}
					return errors.Join(db.Migrate(t.Context(), "many", many), db.Close())
				})
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
			var applied int
			row := storetest.Open(t, dsn).Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM many_versions WHERE version_id > 0")
			if err := row.Scan(&applied); err != nil || applied != len(many) {
				t.Errorf("applied %d of %d versions, err %v", applied, len(many), err)
			}
		})

		t.Run("uses the SQL of its dialect where the dialects differ", func(t *testing.T) {
			db := storetest.Open(t, dsn)
			text := func(dialect store.Dialect) *fstest.MapFile {
				return &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE which AS SELECT '" + string(dialect) + "' AS dialect;\n")}
			}
			own := fstest.MapFS{
				"sqlite/00001_which.sql":   text(store.SQLite),
				"postgres/00001_which.sql": text(store.PostgreSQL),
			}
			if err := db.Migrate(t.Context(), "which", own); err != nil {
				t.Fatal(err)
			}
			var got store.Dialect
			if err := db.Reader().QueryRowContext(t.Context(), "SELECT dialect FROM which").Scan(&got); err != nil || got != db.Dialect() {
				t.Errorf("migrated for %q, err %v", got, err)
			}
		})

		t.Run("refuses tables of a later release, and leaves them as they are", func(t *testing.T) {
			db := storetest.Open(t, dsn)
			version := func(n int) *fstest.MapFile {
				return &fstest.MapFile{Data: fmt.Appendf(nil, "-- +goose Up\nCREATE TABLE later_%d (n BIGINT);\n", n)}
			}
			later := fstest.MapFS{"00001_later.sql": version(1), "00002_later.sql": version(2), "00003_later.sql": version(3)}
			if err := db.Migrate(t.Context(), "later", later); err != nil {
				t.Fatal(err)
			}
			delete(later, "00002_later.sql")
			delete(later, "00003_later.sql")
			earlier := storetest.Open(t, dsn)
			err := earlier.Migrate(t.Context(), "later", later)
			newer, ok := errors.AsType[*store.NewerError](err)
			if !ok || *newer != (store.NewerError{Part: "later", Applied: 3, Newest: 1}) {
				t.Fatalf("err = %v", err)
			}
			want := "migrate later: the tables are of version 3, and this release knows versions up to 1: start the release that made them, or restore the backup from before its upgrade"
			if err.Error() != want {
				t.Errorf("err = %v", err)
			}
			if versions, err := db.Versions(t.Context()); err != nil || len(versions) != 1 || versions[0].Applied != 3 {
				t.Errorf("the versions are %v, %v", versions, err)
			}
			if versions, err := earlier.Versions(t.Context()); err != nil || len(versions) != 0 {
				t.Errorf("the refused part is one of %v, %v", versions, err)
			}
		})

		t.Run("says which part failed", func(t *testing.T) {
			db := storetest.Open(t, dsn)
			broken := fstest.MapFS{"00001_broken.sql": {Data: []byte("-- +goose Up\nCREATE TABEL oops;\n")}}
			if err := db.Migrate(t.Context(), "broken", broken); err == nil || !strings.Contains(err.Error(), "migrate broken") {
				t.Errorf("err = %v", err)
			}
		})
	})
}

func TestOpen(t *testing.T) {
	t.Run("never shows the password", func(t *testing.T) {
		for _, dsn := range []string{
			"postgres://hawser:hunter2@127.0.0.1:1/hawser?connect_timeout=1",
			"postgres://hawser:hunter2@127.0.0.1:notaport/hawser",
			"mysql://hawser:hunter2@127.0.0.1/hawser",
		} {
			_, err := store.Open(t.Context(), dsn)
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("err = %v", err)
			}
		}
	})

	t.Run("makes the folder of an SQLite file, for its owner only", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "state #1?")
		migrated(t, storetest.Open(t, filepath.Join(dir, "hawser.db")))
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, err %v", info.Mode(), err)
		}
	})
}

// A function before PostgreSQL's own in search_path answers as a server of another version does.
func TestAnOldPostgreSQLIsRefused(t *testing.T) {
	dsn := storetest.PostgreSQL(t)
	_, err := execInTx(t.Context(), storetest.Open(t, dsn), `CREATE SCHEMA older;
		CREATE FUNCTION older.current_setting(TEXT) RETURNS TEXT LANGUAGE SQL AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '140019' ELSE '14.19' END $$`)
	if err != nil {
		t.Fatal(err)
	}
	older, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := older.Query()
	query.Set("search_path", "older,pg_catalog,public")
	older.RawQuery = query.Encode()

	_, err = store.Open(t.Context(), older.String())

	if err == nil || err.Error() != "open postgres database: it is PostgreSQL 14.19, and hawser needs 15 or later" {
		t.Fatalf("err = %v", err)
	}
	if f, ok := errors.AsType[*fault.Error](store.Fault(err)); ok {
		t.Errorf("a start would wait for it to go away: %v", f)
	}
}

// A power failure cannot be simulated here, so the test checks that the settings that protect from it are on.
func TestCommitsAreFlushed(t *testing.T) {
	settings := map[store.Dialect]map[string]string{
		store.SQLite:     {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": "2", "PRAGMA foreign_keys": "1"},
		store.PostgreSQL: {"SHOW synchronous_commit": "on", "SHOW fsync": "on"},
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for question, want := range settings[db.Dialect()] {
			var got string
			err := db.InTx(t.Context(), func(tx *store.Tx) error { return tx.QueryRowContext(t.Context(), question).Scan(&got) })
			if err != nil || got != want {
				t.Errorf("%s = %q (err %v), want %q", question, got, err, want)
			}
		}
	})
}

func TestReaderRefusesToWriteOnSQLite(t *testing.T) {
	db := migrated(t, storetest.Open(t, storetest.SQLite(t)))
	if _, err := db.Reader().ExecContext(t.Context(), "INSERT INTO counters (name, n) VALUES ('x', 1)"); err == nil {
		t.Error("the reader wrote")
	}
}

func TestReadersDoNotWaitForTheWriter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		migrated(t, db)
		insert(t, db, "visits", 1)
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.ExecContext(t.Context(), "UPDATE counters SET n = 2 WHERE name = 'visits'"); err != nil {
				return err
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					if got := count(t, db, "visits"); got != 1 {
						t.Errorf("a reader saw %d before the commit", got)
					}
				})
			}
			wg.Wait()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func increment(ctx context.Context, db *store.DB, name string) error {
	return db.InTx(ctx, func(tx *store.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT n FROM counters WHERE name = $1", name).Scan(&n); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE counters SET n = $1 WHERE name = $2", n+1, name)
		return err
	})
}

func execInTx(ctx context.Context, db *store.DB, statement string) (rows int64, err error) {
	err = db.InTx(ctx, func(tx *store.Tx) error {
		result, err := tx.ExecContext(ctx, statement)
		if err != nil {
			return err
		}
		rows, err = result.RowsAffected()
		return err
	})
	return rows, err
}

func TestANewFileIsOpenedByManyAtOnce(t *testing.T) {
	for round := range 20 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(round))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				db, err := store.Open(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
