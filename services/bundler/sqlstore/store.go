// Package sqlstore stores user operations, calls and sponsorships in an SQL database.
package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// Store is the database of the bundler.
type Store struct{ db *store.DB }

// New returns a store in db. It creates the tables that do not exist.
func New(ctx context.Context, db *store.DB) (*Store, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "bundler", files); err != nil {
		return nil, err
	}
	return &Store{db: db}, nil
}

// Exclusively runs work unless another replica runs work of that name.
func (s *Store) Exclusively(ctx context.Context, name string, work func() error) (ran bool, err error) {
	return s.db.Exclusively(ctx, name, work)
}

// DeleteBefore deletes ended operations, calls and sponsorships from before a time. Operations that may still be
// included are kept.
func (s *Store) DeleteBefore(ctx context.Context, before time.Time) error {
	const ended = `(SELECT hash FROM bundler_operations WHERE chain_id = bundler_transactions.chain_id AND state >= 3 AND received_at < $1)`
	for _, statement := range []string{
		`DELETE FROM bundler_transactions WHERE operation IN ` + ended,
		`DELETE FROM bundler_operations WHERE state >= 3 AND received_at < $1`,
		`DELETE FROM bundler_calls WHERE created_at < $1`,
		`DELETE FROM bundler_sponsorships WHERE (day + 1) * 86400000 < $1`,
		`DELETE FROM bundler_sums WHERE starts_at + 86400000 < $1`,
	} {
		if err := s.db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, statement, before.UnixMilli())
			return err
		}); err != nil {
			return wrap("delete old rows", err)
		}
	}
	return nil
}

// KeepNewest deletes the oldest operations that have ended if there are more than most of them, with their transactions. Those since a time are kept.
func (s *Store) KeepNewest(ctx context.Context, most int, since time.Time) error {
	var oldest int64
	row := s.db.Reader().QueryRowContext(ctx, `SELECT received_at FROM bundler_operations ORDER BY received_at DESC LIMIT 1 OFFSET $1`, most)
	switch err := row.Scan(&oldest); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return wrap("count operations", err)
	}
	before := time.UnixMilli(oldest + 1)
	if before.After(since) {
		before = since
	}
	return s.DeleteBefore(ctx, before)
}

// key returns an address in the form in which it is stored.
func key(a common.Address) string { return strings.ToLower(a.Hex()) }

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
