package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Dialect is the kind of a database.
type Dialect string

// The supported databases.
const (
	SQLite     Dialect = "sqlite"
	PostgreSQL Dialect = "postgres"
)

// Queries reads and writes; [DB.Reader] and [Tx] implement it.
type Queries interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// DB is one open database. It is safe for concurrent use.
type DB struct {
	dialect Dialect
	// path is the file of an SQLite database.
	path string
	// writer has a single connection on SQLite, which permits one writer: waiting in Go is fair, SQLITE_BUSY is not.
	writer *sql.DB
	reader *sql.DB
	// names holds the locks that replace advisory locks on SQLite.
	names sync.Map
	// parts maps the name of each part to the newest version that this process knows.
	parts sync.Map
	// fullAt is when a transaction last failed because the disk was full, in Unix nanoseconds; 0 if one succeeded
	// since.
	fullAt atomic.Int64
	// pings shares a ping between concurrent callers of Ready.
	pings routine.Flights
}

// pingTimeout bounds the ping of Ready.
const pingTimeout = 2 * time.Second

// fullFor is how long the database counts as full if nothing was written since.
const fullFor = 10 * time.Second

const (
	// openTimeout bounds how long [OpenPool] waits for a new SQLite file that another process has locked, and openPause is the time between two attempts.
	openTimeout = 10 * time.Second
	openPause   = 20 * time.Millisecond
)

// DefaultConnections is the default limit of connections to PostgreSQL per process.
const DefaultConnections = 16

// Open opens the database at dsn: a `postgres://` URL, or the path of an SQLite file, which is created with its folder
// if it is absent. It refuses a PostgreSQL before [OldestPostgreSQL]. The error never contains the DSN, because it may contain a password.
func Open(ctx context.Context, dsn string) (*DB, error) {
	return OpenPool(ctx, dsn, DefaultConnections)
}

// OpenPool is [Open] with the maximum number of connections to PostgreSQL. Callers wait for a connection until their
// deadline.
func OpenPool(ctx context.Context, dsn string, connections int) (*DB, error) {
	db, err := open(dsn, connections)
	if err != nil {
		return nil, err
	}
	if err := db.firstPing(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s database: %w", db.dialect, err), db.Close())
	}
	if err := db.checkServer(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s database: %w", db.dialect, err), db.Close())
	}
	return db, nil
}

// firstPing is Ping, again while another process has a new SQLite file locked to change its journal to WAL: SQLite then fails at once, without
// waiting as busy_timeout says.
func (db *DB) firstPing(ctx context.Context) error {
	for deadline := time.Now().Add(openTimeout); ; {
		err := db.Ping(ctx)
		if err == nil || db.dialect != SQLite || !isContention(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(openPause):
		}
	}
}

func open(dsn string, connections int) (*DB, error) {
	if err := CheckDSN(dsn); err != nil {
		return nil, fmt.Errorf("open database: the DSN is wrong: %w", err)
	}
	if IsServer(dsn) {
		return openPostgreSQL(dsn, connections)
	}
	return openSQLite(dsn)
}

// Dialect returns the kind of the database.
func (db *DB) Dialect() Dialect { return db.dialect }

// Reader returns an interface for queries outside a transaction. On SQLite it refuses to write.
func (db *DB) Reader() Queries { return db.reader }

// Ping returns an error if the database does not answer.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.writer.PingContext(ctx); err != nil {
		return err
	}
	return db.reader.PingContext(ctx)
}

// Ready returns an error if the database does not answer within two seconds, or is known to be full. Concurrent callers
// share one ping, and so one connection.
func (db *DB) Ready(ctx context.Context) error {
	if at := db.fullAt.Load(); at != 0 && time.Since(time.Unix(0, at)) < fullFor {
		return fmt.Errorf("the %s database has no room to write", db.dialect)
	}
	ping := db.pings.DoChan(ctx, "ping", func() (any, error) {
		pinging, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
		defer cancel()
		return nil, db.Ping(pinging)
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case pinged := <-ping:
		return pinged.Err
	}
}

// Close ends every connection.
func (db *DB) Close() error {
	if db.reader == db.writer {
		return db.writer.Close()
	}
	return errors.Join(db.reader.Close(), db.writer.Close())
}
