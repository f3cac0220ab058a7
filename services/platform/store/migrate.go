package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

// migrationLock is the PostgreSQL advisory lock that one migrating process holds.
const migrationLock = 0x6861777365720001

// migrationWait bounds how long one process waits while other processes migrate.
const migrationWait = time.Minute

// releaseTimeout bounds how long releasing the lock may take. After that the connection is closed, which releases it too.
const releaseTimeout = 5 * time.Second

// Migrate migrates the part's tables to the newest version in migrations, goose SQL files at its root, or in folders
// named after the [Dialect] if the two databases need different SQL. Each part counts its own versions, in the table
// `<part>_versions`. Processes that start together may all call it. It fails with a [NewerError] if a later release made the tables.
func (db *DB) Migrate(ctx context.Context, part string, migrations fs.FS) error {
	files, err := db.own(migrations)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", part, err)
	}
	up := func() error { return db.up(ctx, part, files) }
	if db.dialect == PostgreSQL {
		err = db.holding(ctx, migrationLock, up)
	} else {
		err = db.holdingFile(ctx, up)
	}
	if err != nil {
		return fmt.Errorf("migrate %s: %w", part, err)
	}
	return nil
}

// own returns the files for this dialect: its folder if there is one.
func (db *DB) own(migrations fs.FS) (fs.FS, error) {
	if _, err := fs.Stat(migrations, string(db.dialect)); errors.Is(err, fs.ErrNotExist) {
		return migrations, nil
	}
	return fs.Sub(migrations, string(db.dialect))
}

func (db *DB) up(ctx context.Context, part string, files fs.FS) error {
	dialect := database.DialectSQLite3
	if db.dialect == PostgreSQL {
		dialect = database.DialectPostgres
	}
	options := []goose.ProviderOption{goose.WithTableName(part + "_versions"), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger())}
	if db.dialect == PostgreSQL {
		options = append(options, goose.WithSessionLocker(unhurried{}))
	}
	p, err := goose.NewProvider(dialect, db.writer, files, options...)
	if err != nil {
		return err
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	applied, err := p.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	if applied > newest {
		return &NewerError{Part: part, Applied: applied, Newest: newest}
	}
	if _, err = p.Up(ctx); err != nil {
		return err
	}
	db.parts.Store(part, newest)
	return nil
}

// unhurried lets the statements of migrations take as long as they do, on the connection that they are made on: an index of a large table takes longer than
// other statements may. The lock is held by [DB.holding].
type unhurried struct{}

var _ lock.SessionLocker = unhurried{}

// SessionLock implements [lock.SessionLocker].
func (unhurried) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "SET statement_timeout = 0")
	return err
}

// SessionUnlock implements [lock.SessionLocker].
func (unhurried) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "RESET statement_timeout")
	return err
}

// NewerError means that a later release made the tables of a part. This release does not know what they mean, so it neither reads nor writes them.
type NewerError struct {
	Part string
	// Applied is the version of the tables, and Newest the newest version that this process knows.
	Applied, Newest int64
}

// Error names both versions, and what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the tables are of version %d, and this release knows versions up to %d: start the release that made them, or restore the backup from before its upgrade",
		e.Applied, e.Newest)
}

// Version is the version of the tables of a part.
type Version struct {
	Part string
	// Applied is the version of the database, and Newest the newest version that this process knows. While a suite is
	// upgraded, Newest of a process that still runs may be lower than Applied.
	Applied, Newest int64
}

// Versions returns the versions of the parts that this process migrated, by name.
func (db *DB) Versions(ctx context.Context) (all []Version, err error) {
	db.parts.Range(func(part, newest any) bool {
		all = append(all, Version{Part: part.(string), Newest: newest.(int64)})
		return true
	})
	slices.SortFunc(all, func(a, b Version) int { return cmp.Compare(a.Part, b.Part) })
	for i := range all {
		query := "SELECT max(version_id) FROM " + all[i].Part + "_versions"
		if err := db.reader.QueryRowContext(ctx, query).Scan(&all[i].Applied); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// holding runs work while this process alone holds the PostgreSQL advisory lock.
func (db *DB) holding(ctx context.Context, lock int64, work func() error) (err error) {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Waiting for another replica's migration may take longer than the usual limits.
	if _, err := conn.ExecContext(ctx, "SET lock_timeout = '60s'; SET statement_timeout = '60s'"); err != nil {
		return err
	}
	defer func() {
		releasing, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		_, _ = conn.ExecContext(releasing, "SELECT pg_advisory_unlock_all(); RESET lock_timeout; RESET statement_timeout")
	}()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lock); err != nil {
		return err
	}
	return work()
}

// holdingFile runs work while this process alone holds the lock file beside the SQLite database. The file is not
// removed, because another process may already wait for it.
func (db *DB) holdingFile(ctx context.Context, work func() error) (err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, migrationWait, errors.New("another process migrates"))
	defer cancel()
	lock := flock.New(db.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("lock the database for migrations: %w", cmp.Or(context.Cause(ctx), err))
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return work()
}
