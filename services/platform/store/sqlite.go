package store

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
)

// openSQLite opens the file at path twice: with one connection for writing, and with a pool for reading.
func openSQLite(path string) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open sqlite database: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, fmt.Errorf("open sqlite database: %w", err)
	}
	writer, err := sql.Open("sqlite", sqliteDSN(abs, "journal_mode(WAL)"))
	if err != nil {
		return nil, fmt.Errorf("open sqlite database: %w", err)
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", sqliteDSN(abs, "query_only(1)"))
	if err != nil {
		return nil, fmt.Errorf("open sqlite database: %w", err)
	}
	reader.SetMaxOpenConns(max(2, runtime.NumCPU()))
	return &DB{dialect: SQLite, path: abs, writer: writer, reader: reader}, nil
}

// sqliteDSN returns a DSN with durable commits (synchronous FULL: the log is flushed before a commit is acknowledged),
// checked foreign keys, and write transactions that take the lock when they begin rather than fail when they write.
func sqliteDSN(path, pragma string) string {
	q := url.Values{
		"_pragma": {"busy_timeout(10000)", pragma, "synchronous(FULL)", "foreign_keys(1)"},
		"_txlock": {"immediate"},
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}
