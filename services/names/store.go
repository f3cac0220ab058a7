package names

import (
	"context"
	"embed"
	"io/fs"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// SQLStore is the [Store] in a database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
	// changesPerHour limits the changes of one account; 0 is no limit.
	changesPerHour int
}

// NewSQLStore creates the tables that do not exist.
func NewSQLStore(ctx context.Context, db *store.DB, outbox *bus.Outbox, changesPerHour int) (*SQLStore, error) {
	if err := migrate(ctx, db); err != nil {
		return nil, err
	}
	return &SQLStore{db: db, outbox: outbox, changesPerHour: changesPerHour}, nil
}

func migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "names", files)
}

// Insert stores a new name.
func (s *SQLStore) Insert(ctx context.Context, r Record, c Change) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := insertName(ctx, tx, r); err != nil {
			return err
		}
		if err := insertAddresses(ctx, tx, r); err != nil {
			return err
		}
		if err := s.remember(ctx, tx, c); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, &namesv1.NameRegistered{Name: string(r.Name), Address: r.Owner.Address.String()})
	})
	return wrap("register name", err)
}

// Update applies change to a name.
func (s *SQLStore) Update(ctx context.Context, name Name, c Change, change func(r *Record) error) (changed Record, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if changed, err = find(ctx, tx, name); err != nil {
			return err
		}
		before := changed.touched()
		if err := change(&changed); err != nil {
			return err
		}
		if err := replace(ctx, tx, changed); err != nil {
			return err
		}
		if err := s.remember(ctx, tx, c); err != nil {
			return err
		}
		return s.publishChanged(ctx, tx, name, append(before, changed.touched()...))
	})
	if err != nil {
		return Record{}, wrap("change name", err)
	}
	return changed, nil
}

// Delete releases the name.
func (s *SQLStore) Delete(ctx context.Context, name Name, c Change, allow func(r Record) error) error {
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
		if err := s.remember(ctx, tx, c); err != nil {
			return err
		}
		return s.publishChanged(ctx, tx, name, r.touched())
	})
	return wrap("release name", err)
}

// Find returns a name.
func (s *SQLStore) Find(ctx context.Context, name Name) (Record, error) {
	r, err := find(ctx, s.db.Reader(), name)
	return r, wrap("find name", err)
}

// OwnedBy lists names that an account owns, those without its signature last.
func (s *SQLStore) OwnedBy(ctx context.Context, account evm.Address, limit int) ([]Record, error) {
	all, err := ownedBy(ctx, s.db.Reader(), account, limit)
	return all, wrap("list names", err)
}

// Registered returns which of the names are registered.
func (s *SQLStore) Registered(ctx context.Context, among []Name) (map[Name]bool, error) {
	taken, err := registered(ctx, s.db.Reader(), among)
	return taken, wrap("look names up", err)
}

// publishChanged adds NameChanged to the outbox, with each account once.
func (s *SQLStore) publishChanged(ctx context.Context, tx *store.Tx, name Name, accounts []evm.Address) error {
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
