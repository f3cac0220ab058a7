// Package sqlstore stores names, the history of their changes and the ENS signing key in SQL.
package sqlstore

import (
	"context"
	"embed"
	"io"
	"io/fs"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// Store is the [registry.Store] in a database.
type Store struct {
	db     *store.DB
	outbox *bus.Outbox
	// changesPerHour limits the changes of one account; 0 is no limit.
	changesPerHour int
}

// New creates the tables that do not exist.
func New(ctx context.Context, db *store.DB, outbox *bus.Outbox, changesPerHour int) (*Store, error) {
	if err := Migrate(ctx, db); err != nil {
		return nil, err
	}
	return &Store{db: db, outbox: outbox, changesPerHour: changesPerHour}, nil
}

// Migrate migrates the tables.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "names", files)
}

// Insert stores a new name.
func (s *Store) Insert(ctx context.Context, r registry.Record, c registry.Change) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := insertName(ctx, tx, r); err != nil {
			return err
		}
		if err := insertAddresses(ctx, tx, r); err != nil {
			return err
		}
		if err := s.addHistory(ctx, tx, c); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, &namesv1.NameRegistered{
			Name: string(r.Name), Address: r.Owner.Address.String(), ProjectId: c.Project, RegisteredAt: c.At.UnixMilli(),
		})
	})
	return wrap("register name", err)
}

// Update applies change to a name.
func (s *Store) Update(ctx context.Context, name registry.Name, c registry.Change, change func(r *registry.Record) error) (changed registry.Record, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if changed, err = find(ctx, tx, name); err != nil {
			return err
		}
		before := changed.Touched()
		if err := change(&changed); err != nil {
			return err
		}
		if err := replace(ctx, tx, changed); err != nil {
			return err
		}
		if err := s.addHistory(ctx, tx, c); err != nil {
			return err
		}
		return s.publishChanged(ctx, tx, name, append(before, changed.Touched()...))
	})
	if err != nil {
		return registry.Record{}, wrap("change name", err)
	}
	return changed, nil
}

// Delete releases the name.
func (s *Store) Delete(ctx context.Context, name registry.Name, c registry.Change, allow func(r registry.Record) error) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		r, err := find(ctx, tx, name)
		if err != nil {
			return err
		}
		if err := allow(r); err != nil {
			return err
		}
		if err := deleteName(ctx, tx, name); err != nil {
			return err
		}
		if err := s.addHistory(ctx, tx, c); err != nil {
			return err
		}
		return s.publishChanged(ctx, tx, name, r.Touched())
	})
	return wrap("release name", err)
}

// Find returns a name.
func (s *Store) Find(ctx context.Context, name registry.Name) (registry.Record, error) {
	r, err := find(ctx, s.db.Reader(), name)
	return r, wrap("find name", err)
}

// OwnedBy lists names that an account owns, those without its signature last.
func (s *Store) OwnedBy(ctx context.Context, account evm.Address, limit int) ([]registry.Record, error) {
	all, err := ownedBy(ctx, s.db.Reader(), account, limit)
	return all, wrap("list names", err)
}

// Registered returns which of the names are registered.
func (s *Store) Registered(ctx context.Context, among []registry.Name) (map[registry.Name]bool, error) {
	taken, err := registered(ctx, s.db.Reader(), among)
	return taken, wrap("look names up", err)
}

// publishChanged adds NameChanged to the outbox, with each account once.
func (s *Store) publishChanged(ctx context.Context, tx *store.Tx, name registry.Name, accounts []evm.Address) error {
	event := &namesv1.NameChanged{Name: string(name)}
	seen := map[evm.Address]bool{}
	for _, account := range accounts {
		if !seen[account] {
			event.Addresses = append(event.Addresses, account.String())
		}
		seen[account] = true
	}
	return s.outbox.Add(ctx, tx, event)
}

// OpenKey returns the key in the database, which the first replica creates from random.
func OpenKey(ctx context.Context, db *store.DB, random io.Reader) (ens.Key, error) {
	fresh, err := ens.NewKey(random)
	if err != nil {
		return ens.Key{}, err
	}
	var kept string
	err = db.InTx(ctx, func(tx *store.Tx) error {
		const keep = `INSERT INTO name_ens_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, keep, fresh.Hex()); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT key FROM name_ens_key WHERE id = 1`).Scan(&kept)
	})
	if err != nil {
		return ens.Key{}, err
	}
	return ens.ParseKey(kept)
}
