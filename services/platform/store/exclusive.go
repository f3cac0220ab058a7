package store

import (
	"context"
	"fmt"
	"sync"
)

// Exclusively runs work under a database lock with this name, and reports whether it ran: if another caller holds the
// lock it returns false at once. The lock is released when work ends or its process dies. An SQLite file belongs to one
// serving process, so there the lock is held within this process.
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
	return true, work()
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
