package storetest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Newest returns the version of the last migration.
func Newest(t testing.TB, migrations fs.FS) (newest int64) {
	t.Helper()
	eachMigration(t, migrations, func(_ string, version int64) { newest = max(newest, version) })
	return newest
}

// MigrateTo migrates the tables of a part as a release did whose last migration was version.
func MigrateTo(t testing.TB, db *store.DB, part string, migrations fs.FS, version int64) {
	t.Helper()
	earlier := fstest.MapFS{}
	eachMigration(t, migrations, func(name string, of int64) {
		if of > version {
			return
		}
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			t.Fatal(err)
		}
		earlier[name] = &fstest.MapFile{Data: text}
	})
	if err := db.Migrate(t.Context(), part, earlier); err != nil {
		t.Fatal(err)
	}
}

func eachMigration(t testing.TB, migrations fs.FS, each func(name string, version int64)) {
	t.Helper()
	err := fs.WalkDir(migrations, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		number, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return fmt.Errorf("%s has no version", name)
		}
		each(name, version)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Column is a column of a table.
type Column struct{ Name, Type string }

// Tables returns the columns of every table, by its name, except of those in which parts count their versions.
func Tables(t testing.TB, db *store.DB) map[string][]Column {
	t.Helper()
	query := "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
	if db.Dialect() == store.PostgreSQL {
		query = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()"
	}
	rows, err := db.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	tables := map[string][]Column{}
	for rows.Next() {
		var table string
		var c Column
		if err := rows.Scan(&table, &c.Name, &c.Type); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(table, "_versions") {
			tables[table] = append(tables[table], c)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, columns := range tables {
		slices.SortFunc(columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	}
	return tables
}

// Filled are rows that [Fill] wrote.
type Filled map[string][]Column

// Fill writes one row into every table. Texts are those in texts by the name of their column, or else "1", and other values are 1 or true.
func Fill(t testing.TB, db *store.DB, texts map[string]string) Filled {
	t.Helper()
	filled := Filled(Tables(t, db))
	left := map[string]error{}
	for table := range filled {
		left[table] = nil
	}
	// PostgreSQL takes a number for a column that is always generated only so.
	overriding := ""
	if db.Dialect() == store.PostgreSQL {
		overriding = " OVERRIDING SYSTEM VALUE"
	}
	// A table whose rows need those of another one comes after it.
	for begun := -1; begun != len(left) && len(left) > 0; {
		begun = len(left)
		for table := range left {
			names, values := filled.row(table, texts)
			statement := fmt.Sprintf("INSERT INTO %s (%s)%s VALUES (%s)", table, strings.Join(names, ", "), overriding, strings.Join(values, ", "))
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), statement)
				return err
			})
			if left[table] = err; err == nil {
				delete(left, table)
			}
		}
	}
	for table, err := range left {
		t.Errorf("%s takes no row: %v", table, err)
	}
	return filled
}

// Check reports the rows that are not in the database as they were written.
func (f Filled) Check(t testing.TB, db *store.DB, texts map[string]string) {
	t.Helper()
	for table := range f {
		names, values := f.row(table, texts)
		for i := range names {
			names[i] += " = " + values[i]
		}
		var rows int
		query := fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", table, strings.Join(names, " AND "))
		if err := db.Reader().QueryRowContext(t.Context(), query).Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d rows of %s are as they were: %v", rows, table, err)
		}
	}
}

// row returns the columns of a table that a row is written to, and their values. A column that counts by itself is left out.
func (f Filled) row(table string, texts map[string]string) (names, values []string) {
	for _, c := range f[table] {
		value := "1"
		switch kind := strings.ToUpper(c.Type); {
		case kind == "TEXT":
			value = "'1'"
			if text, ok := texts[c.Name]; ok {
				value = "'" + strings.ReplaceAll(text, "'", "''") + "'"
			}
		case kind == "BOOLEAN":
			value = "TRUE"
		case kind == "BYTEA":
			value = `'\x01'`
		case kind == "BLOB":
			value = "x'01'"
		case c.Name == "seq":
			continue
		}
		names, values = append(names, c.Name), append(values, value)
	}
	return names, values
}
