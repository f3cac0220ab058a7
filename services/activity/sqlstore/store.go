// Package sqlstore is the store of activity in SQLite or PostgreSQL.
package sqlstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// recentBlocks is how many of a chain's newest blocks are kept, to find the fork of a reorg.
const recentBlocks = 512

//go:embed migrations
var migrations embed.FS

// Store implements [index.Store].
type Store struct {
	db     *store.DB
	outbox *bus.Outbox
	// whole returns the longest window of a chain that is read whole, in blocks.
	whole func(chainID string) uint64
}

// New creates the tables in db that are missing. Windows of more than whole blocks of a chain are read by their logs only.
func New(ctx context.Context, db *store.DB, outbox *bus.Outbox, whole func(chainID string) uint64) (*Store, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "activity", files); err != nil {
		return nil, err
	}
	return &Store{db: db, outbox: outbox, whole: whole}, nil
}

// accountsPerEvent is how many accounts an event names at most: at up to 90 bytes each they fit into one of [bus.Outbox].
const accountsPerEvent = 4_000

// publish adds events about the accounts whose rows changed to the outbox, as part of tx.
func (s *Store) publish(ctx context.Context, tx *store.Tx, chainID string, block uint64, accounts map[string]bool) error {
	var named []string
	for address := range accounts {
		named = append(named, chainID+":"+address)
	}
	for some := range slices.Chunk(named, accountsPerEvent) {
		if err := s.outbox.Add(ctx, tx, &activityv1.ActivityChanged{ChainId: chainID, Block: block, Accounts: some}); err != nil {
			return err
		}
	}
	return nil
}

// readStrings reads one column of text.
func readStrings(ctx context.Context, q store.Queries, query string, args ...any) (list []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// exec runs a statement without a result.
func exec(ctx context.Context, tx *store.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// wrap adds the action to an error of the database.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, index.ErrStale) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
