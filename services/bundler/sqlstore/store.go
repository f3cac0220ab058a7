// Package sqlstore stores user operations, calls and sponsorships in an SQL database.
package sqlstore

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"

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

// key returns an address as the database has it.
func key(a common.Address) string { return strings.ToLower(a.Hex()) }

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
