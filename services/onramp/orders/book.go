package orders

import (
	"context"
	"log/slog"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Deps are what a book works with.
type Deps struct {
	DB        *store.DB
	Outbox    *bus.Outbox
	Providers Providers
	Clock     clock.Clock
	Log       *slog.Logger
}

// Book keeps orders and follows what becomes of them. It is safe for concurrent use, also by several processes on one database.
type Book struct {
	deps     Deps
	store    Store
	tally    *tally
	refusals *refusals
}

// New opens the book in the database, and creates its tables where they are absent.
func New(ctx context.Context, deps Deps) (*Book, error) {
	kept, err := NewSQLStore(ctx, deps.DB, deps.Outbox)
	if err != nil {
		return nil, err
	}
	return &Book{deps: deps, store: kept, tally: newTally(), refusals: newRefusals()}, nil
}

// Place keeps an order before its provider is asked. CreatedAt is now and ExpiresAt an hour later where the order does not say; the state is
// [ramp.Created] whatever it says. It fails with [ErrIncomplete] when the id is no ULID, or project, provider or wallet are missing, and with
// [ErrPlaced].
func (b *Book) Place(ctx context.Context, o Order) error {
	kept, err := o.placed(b.deps.Clock.Now())
	if err != nil {
		return err
	}
	return b.store.Insert(ctx, kept)
}

// Opened notes where the visitor pays. From now on the order is known to its wallet's pages, and its provider is asked what becomes of it.
// It fails with [ErrUnknown].
func (b *Book) Opened(ctx context.Context, id string, w ramp.Widget) error {
	w.Ref = legible(w.Ref)
	return b.store.Open(ctx, id, w, b.deps.Clock.Now())
}

// Abandon forgets an order that its provider refused to open: nobody was told of it. An order that was opened, or of which the provider told
// something all the same, stays.
func (b *Book) Abandon(ctx context.Context, id, reason string) error {
	removed, err := b.store.Remove(ctx, id)
	if removed {
		b.deps.Log.InfoContext(ctx, "an order was not opened", attrOrder, id, "reason", reason)
	}
	return err
}

// Find returns an order of a project. It fails with [ErrUnknown].
func (b *Book) Find(ctx context.Context, project, id string) (Order, error) {
	// A text that no order has for an id may be one that the database does not take.
	if _, err := ulid.ParseStrict(id); err != nil {
		return Order{}, ErrUnknown
	}
	o, err := b.store.Find(ctx, id)
	if err == nil && o.Project != project {
		return Order{}, ErrUnknown
	}
	return o, err
}

// pageSize is how many orders a page holds.
const pageSize = 50

// Page is one page of orders, the newest first.
type Page struct {
	Orders []Order
	// Next is the cursor of the next page; empty on the last.
	Next string
}

// Owner is whose orders are listed: those of one wallet within one project, of which a proof is at hand.
type Owner struct {
	Project, Wallet string
	// Proofs are digests, see package proof; without one there are no orders.
	Proofs []string
}

// Of lists an owner's orders. It fails with [ErrCursor].
func (b *Book) Of(ctx context.Context, w Owner, cursor string) (Page, error) {
	return page(w, cursor, func(before string, limit int) ([]Order, error) {
		return b.store.Of(ctx, w, before, limit)
	})
}

// PurchasesOf lists an owner's orders with one provider, without those that nobody paid: created, expired, cancelled. It fails with
// [ErrCursor].
func (b *Book) PurchasesOf(ctx context.Context, w Owner, provider, cursor string) (Page, error) {
	return page(w, cursor, func(before string, limit int) ([]Order, error) {
		return b.store.Begun(ctx, w, provider, before, limit)
	})
}

func page(w Owner, cursor string, list func(before string, limit int) ([]Order, error)) (Page, error) {
	before, err := readCursor(cursor)
	if err != nil {
		return Page{}, err
	}
	if len(w.Proofs) == 0 {
		return Page{}, nil
	}
	orders, err := list(before, pageSize+1)
	if err != nil || len(orders) <= pageSize {
		return Page{Orders: orders}, err
	}
	next, err := cursorAfter(orders[pageSize-1].ID)
	return Page{Orders: orders[:pageSize], Next: next}, err
}
