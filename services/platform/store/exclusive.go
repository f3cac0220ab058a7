package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// beatInterval is how often the transaction of a lock tells the server that its process is alive, and beatTimeout bounds each time. The interval is less than
// the server's timeout for idle transactions, after which the lock is free. Work that ends sooner needs none.
const (
	beatInterval = time.Second
	beatTimeout  = 5 * time.Second
)

// Exclusively runs work under a database lock with this name, and reports whether it ran: if another caller holds the
// lock it returns false at once. The lock is released when work ends or its process dies, and some four seconds after the server heard last of a process whose
// host or network failed. An SQLite file belongs to one serving process, so there the lock is held within this process.
//
// Work uses its own connections, so it may still run after the connection of the lock was lost: it must be idempotent.
func (db *DB) Exclusively(ctx context.Context, name string, work func() error) (ran bool, err error) {
	if db.dialect == SQLite {
		return db.exclusivelyHere(name, work)
	}
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("begin: %w", err)
	}
	// The lock is held by this transaction, which writes nothing.
	defer func() { _ = tx.Rollback() }()
	row := tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", name)
	if err := row.Scan(&ran); err != nil {
		return false, fmt.Errorf("lock %s: %w", name, err)
	}
	if !ran {
		return false, nil
	}
	defer beat(ctx, tx)()
	return true, work()
}

// beat keeps a transaction from being idle until stop is called. It ends by itself once the connection is lost.
func beat(ctx context.Context, tx *sql.Tx) (stop func()) {
	ctx = context.WithoutCancel(ctx)
	done := make(chan struct{})
	ended := routine.Go(ctx, func() error {
		due := time.NewTicker(beatInterval)
		defer due.Stop()
		for {
			select {
			case <-done:
				return nil
			case <-due.C:
			}
			inTime, cancel := context.WithTimeout(ctx, beatTimeout)
			_, err := tx.ExecContext(inTime, "SELECT 1")
			cancel()
			if err != nil {
				return err
			}
		}
	})
	return func() {
		close(done)
		<-ended
	}
}

func (db *DB) exclusivelyHere(name string, work func() error) (ran bool, err error) {
	held, _ := db.names.LoadOrStore(name, new(sync.Mutex))
	lock := held.(*sync.Mutex)
	if !lock.TryLock() {
		return false, nil
	}
	defer lock.Unlock()
	return true, work()
}
