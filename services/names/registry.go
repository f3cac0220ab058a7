package names

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Registry registers, changes and finds names.
type Registry struct {
	zones    Zones
	reserved Reserved
	// past and ahead bound how far the time of a signed text may be from now.
	past, ahead time.Duration
	// installation is what sentences must say they are for; bareJSON says that JSON counts too, which says nothing of it.
	installation string
	bareJSON     bool

	store    Store
	networks Networks
	verifier Verifier
	clock    clock.Clock
}

// NewRegistry returns a registry of what store keeps, by the rules of cfg.
func NewRegistry(cfg Config, store Store, networks Networks, verifier Verifier, c clock.Clock) *Registry {
	return &Registry{
		zones: cfg.Zones, reserved: Reserve(cfg.Reserved), past: cfg.Past, ahead: cfg.Ahead,
		installation: cfg.Installation, bareJSON: cfg.BareJSON,
		store: store, networks: networks, verifier: verifier, clock: c,
	}
}

// Register gives the account that signed a name that nobody has.
func (r *Registry) Register(ctx context.Context, e Envelope) (Record, error) {
	var m registration
	if err := r.read(e, &m); err != nil {
		return Record{}, err
	}
	name, err := r.zones.ParseNew(*m.Name)
	if err != nil {
		return Record{}, &NameError{*m.Name, err}
	}
	if r.reserved.Holds(name) {
		return Record{}, &NameError{string(name), ErrReserved}
	}
	if _, err := r.chain(ctx, e.CoinType); err != nil {
		return Record{}, err
	}
	switch _, err := r.store.Find(ctx, name); {
	case err == nil:
		return Record{}, &NameError{string(name), ErrTaken}
	case !errors.Is(err, ErrUnregistered):
		return Record{}, err
	}
	now := r.now()
	if err := r.timely(&m, now); err != nil {
		return Record{}, err
	}
	if err := m.Attributes.check(); err != nil {
		return Record{}, err
	}
	c, err := r.sign(ctx, e, Change{Name: name, Action: Registered, At: now})
	if err != nil {
		return Record{}, err
	}
	record := begin(c, m.Attributes)
	if err := r.store.Insert(ctx, record, c); err != nil {
		return Record{}, about(name, err)
	}
	return record, nil
}

// begin is a name that was just registered. A key is the same account on every chain, so that the name leads there on Ethereum too; a
// contract may be somebody else's on another chain.
func begin(c Change, attributes Attributes) Record {
	record := Record{
		Name: c.Name, Owner: Owner(c.By), Attributes: attributes, RegisteredAt: c.At, UpdatedAt: c.At,
	}
	record.lead(Address{c.By.CoinType, c.By.Address, c.At})
	if c.By.isKey() {
		record.lead(Address{ether, c.By.Address, c.At})
	}
	return record
}

// SetAttributes replaces what a name says of its owner.
func (r *Registry) SetAttributes(ctx context.Context, name string, e Envelope) (Record, error) {
	var m attributesChange
	if err := r.read(e, &m); err != nil {
		return Record{}, err
	}
	change, err := r.changeOf(ctx, name, m.Name, e, &m, SetAttributes)
	if err != nil {
		return Record{}, err
	}
	return r.update(ctx, change, func(record *Record) error {
		if err := m.Attributes.check(); err != nil {
			return err
		}
		record.Attributes = *m.Attributes
		return nil
	})
}

// SetAddress sets where a name leads for one coin type, and returns that address. The account is verified on the chain on which it owns the
// name, not on that of the new address: a contract there may be another's.
func (r *Registry) SetAddress(ctx context.Context, name string, e Envelope) (Address, error) {
	var m addressChange
	if err := r.read(e, &m); err != nil {
		return Address{}, err
	}
	for _, coin := range []CoinType{e.CoinType, *m.CoinType} {
		if _, err := r.chain(ctx, coin); err != nil {
			return Address{}, err
		}
	}
	to, err := readTarget(*m.Address)
	if err != nil {
		return Address{}, err
	}
	change, err := r.changeOf(ctx, name, m.Name, e, &m, SetAddress)
	if err != nil {
		return Address{}, err
	}
	set := Address{m.CoinType.canonical(), to, change.At}
	_, err = r.update(ctx, change, func(record *Record) error {
		record.lead(set)
		return nil
	})
	return set, err
}

// Release makes nobody have a name.
func (r *Registry) Release(ctx context.Context, name string, e Envelope) error {
	var m release
	if err := r.read(e, &m); err != nil {
		return err
	}
	change, err := r.changeOf(ctx, name, m.Name, e, &m, Released)
	if err != nil {
		return err
	}
	err = r.store.Delete(ctx, change.Name, change, func(record Record) error {
		if !record.Owner.is(change.By) {
			return ErrNotOwner
		}
		return nil
	})
	return about(change.Name, err)
}

// Transfer gives a name to another account. What the name said, and where it led, was the former owner's.
func (r *Registry) Transfer(ctx context.Context, name string, e Envelope) (Record, error) {
	var m transfer
	if err := r.read(e, &m); err != nil {
		return Record{}, err
	}
	for _, coin := range []CoinType{e.CoinType, *m.CoinType} {
		if _, err := r.chain(ctx, coin); err != nil {
			return Record{}, err
		}
	}
	to, err := readTarget(*m.To)
	if err != nil {
		return Record{}, err
	}
	change, err := r.changeOf(ctx, name, m.Name, e, &m, Transferred)
	if err != nil {
		return Record{}, err
	}
	coin := m.CoinType.canonical()
	return r.update(ctx, change, func(record *Record) error {
		record.Owner = Owner{Address: to, CoinType: coin}
		record.Attributes = nil
		record.Addresses = []Address{{coin, to, change.At}}
		return nil
	})
}

// Find returns a name. It fails with [NameError].
func (r *Registry) Find(ctx context.Context, text string) (Record, error) {
	name, err := r.zones.Parse(text)
	if err != nil {
		return Record{}, &NameError{text, err}
	}
	record, err := r.store.Find(ctx, name)
	return record, about(name, err)
}

// maxListed bounds a list of one account's names.
const maxListed = 100

// NamesOf lists the names that an account may be shown by, the oldest first.
func (r *Registry) NamesOf(ctx context.Context, account evm.Address) ([]Record, error) {
	owned, err := r.store.OwnedBy(ctx, account, maxListed)
	return slices.DeleteFunc(owned, func(record Record) bool { return !record.shows(account) }), err
}

// OwnedBy lists the names of an account, the oldest first: also those that lead elsewhere and, after all others, those that it was given
// unasked.
func (r *Registry) OwnedBy(ctx context.Context, account evm.Address) ([]Record, error) {
	return r.store.OwnedBy(ctx, account, maxListed)
}

// readTarget reads an account that a name is to lead to, or to belong to: the zero address is nobody's, and what is sent there is lost.
func readTarget(text string) (evm.Address, error) {
	to, err := evm.ParseAddress(text)
	if err == nil && to == (evm.Address{}) {
		err = evm.ErrAddress
	}
	return to, err
}

// update applies what the owner signed.
func (r *Registry) update(ctx context.Context, c Change, apply func(record *Record) error) (Record, error) {
	record, err := r.store.Update(ctx, c.Name, c, func(record *Record) error {
		if !record.Owner.is(c.By) {
			return ErrNotOwner
		}
		record.prove(c.By)
		record.UpdatedAt = c.At
		return apply(record)
	})
	return record, about(c.Name, err)
}

// now is the time as it is kept.
func (r *Registry) now() time.Time { return r.clock.Now().UTC().Truncate(time.Millisecond) }
