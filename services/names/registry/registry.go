// Package registry has the rules of names: who may register and change them, the texts that accounts sign, and the ENS records of names.
package registry

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Registry registers, changes and finds names.
type Registry struct {
	Zones    Zones
	reserved Reserved
	// past and ahead bound how far the timestamp of a signed text may be from now.
	past, ahead time.Duration
	// Installation is the text that sentences must contain; bareJSON also accepts JSON, which does not contain it.
	Installation string
	bareJSON     bool

	store    Store
	networks Networks
	verifier Verifier
	clock    clock.Clock
}

// Rules are the settings of a registry.
type Rules struct {
	// Zones are the parent domains of names, such as hawser.id.
	Zones []string
	// Reserved are labels that cannot be registered.
	Reserved []string
	// Past and Ahead bound how far the timestamp of a signed text may be from now.
	Past, Ahead time.Duration
	// Installation is the name that signed sentences must contain.
	Installation string
	// BareJSON accepts signed JSON in addition to sentences.
	BareJSON bool
}

// New returns a registry.
func New(cfg Rules, store Store, networks Networks, verifier Verifier, c clock.Clock) *Registry {
	return &Registry{
		Zones: cfg.Zones, reserved: Reserve(cfg.Reserved), past: cfg.Past, ahead: cfg.Ahead,
		Installation: cfg.Installation, bareJSON: cfg.BareJSON,
		store: store, networks: networks, verifier: verifier, clock: c,
	}
}

// Register registers a free name for the account that signed.
func (r *Registry) Register(ctx context.Context, e Envelope) (Record, error) {
	var m registration
	if err := r.read(e, &m); err != nil {
		return Record{}, err
	}
	name, err := r.Zones.ParseNew(*m.Name)
	if err != nil {
		return Record{}, &NameError{*m.Name, err}
	}
	if r.reserved.Holds(name) {
		return Record{}, &NameError{string(name), ErrReserved}
	}
	if err := r.checkBlock(ctx, name); err != nil {
		return Record{}, err
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
	now := r.Now()
	if err := r.checkTimestamp(&m, now); err != nil {
		return Record{}, err
	}
	if err := m.Attributes.check(); err != nil {
		return Record{}, err
	}
	c, err := r.sign(ctx, e, Change{Name: name, Action: Registered, At: now, Project: e.Project})
	if err != nil {
		return Record{}, err
	}
	record := newRecord(c, m.Attributes)
	if err := r.store.Insert(ctx, record, c); err != nil {
		return Record{}, about(name, err)
	}
	return record, nil
}

// newRecord returns the record of a new name. A key is the same account on every chain, so the name resolves to it on Ethereum too; on another
// chain the address of a contract may belong to someone else.
func newRecord(c Change, attributes Attributes) Record {
	record := Record{
		Name: c.Name, Owner: Owner(c.By), Attributes: attributes, RegisteredAt: c.At, UpdatedAt: c.At,
	}
	record.setAddress(Address{c.By.CoinType, c.By.Address, c.At})
	if c.By.isKey() {
		record.setAddress(Address{Ether, c.By.Address, c.At})
	}
	return record
}

// SetAttributes replaces the attributes of a name.
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

// SetAddress sets the address of a name for one coin type, and returns it. The signature is verified on the chain on which the account owns
// the name, not on that of the new address, where a contract may belong to someone else.
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
	set := Address{m.CoinType.Canonical(), to, change.At}
	_, err = r.update(ctx, change, func(record *Record) error {
		record.setAddress(set)
		return nil
	})
	return set, err
}

// Release releases a name.
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

// Transfer gives a name to another account. Its records and addresses are removed, because they were the former owner's.
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
	coin := m.CoinType.Canonical()
	return r.update(ctx, change, func(record *Record) error {
		record.Owner = Owner{Address: to, CoinType: coin}
		record.Attributes = nil
		record.Addresses = []Address{{coin, to, change.At}}
		return nil
	})
}

// Find returns a name. It fails with [NameError].
func (r *Registry) Find(ctx context.Context, text string) (Record, error) {
	name, err := r.Zones.Parse(text)
	if err != nil {
		return Record{}, &NameError{text, err}
	}
	record, err := r.store.Find(ctx, name)
	return record, about(name, err)
}

// maxListed bounds a list of one account's names.
const maxListed = 100

// NamesOf lists the names by which an account may be shown, the oldest first.
func (r *Registry) NamesOf(ctx context.Context, account evm.Address) ([]Record, error) {
	owned, err := r.store.OwnedBy(ctx, account, maxListed)
	return slices.DeleteFunc(owned, func(record Record) bool { return !record.shows(account) }), err
}

// OwnedBy lists all names of an account, the oldest first, including those that resolve to another address. Names that
// were transferred to it without its signature come last.
func (r *Registry) OwnedBy(ctx context.Context, account evm.Address) ([]Record, error) {
	return r.store.OwnedBy(ctx, account, maxListed)
}

// readTarget parses the new address or owner of a name. It refuses the zero address, because whatever is sent to it is
// lost.
func readTarget(text string) (evm.Address, error) {
	to, err := evm.ParseAddress(text)
	if err == nil && to == (evm.Address{}) {
		err = evm.ErrAddress
	}
	return to, err
}

// update applies a change that the owner signed.
func (r *Registry) update(ctx context.Context, c Change, apply func(record *Record) error) (Record, error) {
	record, err := r.store.Update(ctx, c.Name, c, func(record *Record) error {
		if !record.Owner.is(c.By) {
			return ErrNotOwner
		}
		record.setProof(c.By)
		record.UpdatedAt = c.At
		return apply(record)
	})
	return record, about(c.Name, err)
}

// Now returns the time in the precision of the store.
func (r *Registry) Now() time.Time { return r.clock.Now().UTC().Truncate(time.Millisecond) }
