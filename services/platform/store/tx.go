package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// txAttempts bounds the attempts of a transaction that conflicts with others: some three seconds, because busy
// databases report conflicts where there are none.
const txAttempts = 25

// Tx is an open transaction.
type Tx struct {
	*sql.Tx
	committed []func()
}

// OnCommit registers a function to call once the transaction is durable. It is not called if the transaction fails.
func (tx *Tx) OnCommit(work func()) { tx.committed = append(tx.committed, work) }

// InTx runs work in one serializable transaction and commits it unless work fails. It retries on contention, a bounded
// number of times. Work may therefore run more than once, and must change only the database and values that it creates.
func (db *DB) InTx(ctx context.Context, work func(tx *Tx) error) error {
	// SQLite has only the serializable level, which its driver accepts only as the default.
	level := sql.LevelDefault
	if db.dialect == PostgreSQL {
		level = sql.LevelSerializable
	}
	return db.retry(ctx, func() error { return db.noteRoom(db.attempt(ctx, level, work)) })
}

// noteRoom records whether the disk is full.
func (db *DB) noteRoom(err error) error {
	switch {
	case err == nil:
		db.fullAt.Store(0)
	case isFull(err):
		db.fullAt.Store(time.Now().UnixNano())
	}
	return err
}

func (db *DB) retry(ctx context.Context, attempt func() error) error {
	pause := time.Millisecond
	for tries := 1; ; tries++ {
		err := attempt()
		if err == nil || !isContention(err) {
			return err
		}
		if tries == txAttempts {
			return fmt.Errorf("transaction given up after %d attempts: %w", tries, err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(pause + rand.N(pause)):
			pause = min(2*pause, 100*time.Millisecond)
		}
	}
}

func (db *DB) attempt(ctx context.Context, level sql.IsolationLevel, work func(tx *Tx) error) error {
	begun, err := db.writer.BeginTx(ctx, &sql.TxOptions{Isolation: level})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := &Tx{Tx: begun}
	// Rollback after a commit does nothing; it is for failures and panics.
	defer func() { _ = begun.Rollback() }()
	if err := work(tx); err != nil {
		return err
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, announce := range tx.committed {
		announce()
	}
	return nil
}
