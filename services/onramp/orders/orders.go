package orders

import (
	"context"
	"log/slog"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Deps are the dependencies of [Orders].
type Deps struct {
	DB        *store.DB
	Outbox    *bus.Outbox
	Providers Providers
	Clock     clock.Clock
	Log       *slog.Logger
}

// Orders stores orders and tracks their state. It is safe for concurrent use, also by several processes on one database.
type Orders struct {
	deps     Deps
	store    Store
	metrics  *metrics
	refusals *refusals
}

// New creates the tables that do not exist.
func New(ctx context.Context, deps Deps) (*Orders, error) {
	kept, err := NewSQLStore(ctx, deps.DB, deps.Outbox)
	if err != nil {
		return nil, err
	}
	return &Orders{deps: deps, store: kept, metrics: newMetrics(), refusals: newRefusals()}, nil
}

// Place stores an order before its provider is called. CreatedAt defaults to now and ExpiresAt to an hour later; the state is always
// [ramp.Created]. It fails with [ErrIncomplete] if the id is not a ULID or if project, provider or wallet are missing, and with [ErrPlaced].
func (s *Orders) Place(ctx context.Context, o Order) error {
	kept, err := o.placed(s.deps.Clock.Now())
	if err != nil {
		return err
	}
	return s.store.Insert(ctx, kept)
}

// Opened stores the page where the visitor pays. From now on the order is listed and polled. It fails with
// [ErrUnknown].
func (s *Orders) Opened(ctx context.Context, id string, w ramp.Widget) error {
	w.Ref = sanitize(w.Ref)
	return s.store.Open(ctx, id, w, s.deps.Clock.Now())
}

// Abandon removes an order that its provider refused to open. An order that was opened, or that has received an event, stays.
func (s *Orders) Abandon(ctx context.Context, id, reason string) error {
	removed, err := s.store.Remove(ctx, id)
	if removed {
		s.deps.Log.InfoContext(ctx, "an order was not opened", attrOrder, id, "reason", reason)
	}
	return err
}

// Find returns an order of a project. It fails with [ErrUnknown].
func (s *Orders) Find(ctx context.Context, project, id string) (Order, error) {
	// The database may reject a text that is not an id.
	if _, err := ulid.ParseStrict(id); err != nil {
		return Order{}, ErrUnknown
	}
	o, err := s.store.Find(ctx, id)
	if err == nil && o.Project != project {
		return Order{}, ErrUnknown
	}
	return o, err
}

// FindAny returns an order of any project, for the operator. It fails with [ErrUnknown].
func (s *Orders) FindAny(ctx context.Context, id string) (Order, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return Order{}, ErrUnknown
	}
	return s.store.Find(ctx, id)
}

// ListOf lists the orders of a wallet of every project, for the operator. It fails with [ErrCursor].
func (s *Orders) ListOf(ctx context.Context, wallet, cursor string) (Page, error) {
	return paged(cursor, func(before string, limit int) ([]Order, error) { return s.store.ListOf(ctx, wallet, before, limit) })
}

// pageSize is the number of orders on a page.
const pageSize = 50

// Page is one page of orders, the newest first.
type Page struct {
	Orders []Order
	// Next is the cursor of the next page; empty on the last.
	Next string
}

// Owner selects the orders of one wallet within one project for which there is a proof.
type Owner struct {
	Project, Wallet string
	// Proofs are digests of order tokens ([caller.NewOrderToken]); without one no order is listed.
	Proofs []string
}

// List lists an owner's orders. It fails with [ErrCursor].
func (s *Orders) List(ctx context.Context, w Owner, cursor string) (Page, error) {
	return page(w, cursor, func(before string, limit int) ([]Order, error) {
		return s.store.List(ctx, w, before, limit)
	})
}

// ListPurchases lists an owner's orders with one provider, except created, expired and cancelled ones. It fails with [ErrCursor].
func (s *Orders) ListPurchases(ctx context.Context, w Owner, provider, cursor string) (Page, error) {
	return page(w, cursor, func(before string, limit int) ([]Order, error) {
		return s.store.ListPurchases(ctx, w, provider, before, limit)
	})
}

func page(w Owner, cursor string, list func(before string, limit int) ([]Order, error)) (Page, error) {
	if len(w.Proofs) == 0 {
		_, err := readCursor(cursor)
		return Page{}, err
	}
	return paged(cursor, list)
}

// paged returns the page that follows a cursor.
func paged(cursor string, list func(before string, limit int) ([]Order, error)) (Page, error) {
	before, err := readCursor(cursor)
	if err != nil {
		return Page{}, err
	}
	orders, err := list(before, pageSize+1)
	if err != nil || len(orders) <= pageSize {
		return Page{Orders: orders}, err
	}
	next, err := cursorAfter(orders[pageSize-1].ID)
	return Page{Orders: orders[:pageSize], Next: next}, err
}
