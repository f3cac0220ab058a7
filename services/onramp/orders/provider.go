package orders

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Providers finds a provider by its name.
type Providers func(name string) (ramp.Provider, bool)

// Outcome is the effect of an event.
type Outcome string

// The outcomes.
const (
	// Moved: the order changed.
	Moved Outcome = "moved"
	// Known: the event had no new information.
	Known Outcome = "known"
	// Waiting: the event has only the provider's reference, and no order has that reference yet.
	Waiting Outcome = "waiting"
	// Unknown: the event is not about an order of this installation.
	Unknown Outcome = "unknown"
)

// Store stores orders. Every change publishes OrderUpdated in its transaction, except [Store.Insert] and [Store.Remove], because an order is
// not visible until it was opened.
type Store interface {
	// Insert stores a new order. It fails with [ErrPlaced].
	Insert(ctx context.Context, o Order) error
	// Remove deletes an order without events, and reports whether it did.
	Remove(ctx context.Context, id string) (bool, error)
	// Open applies [Order.Open]. It fails with [ErrUnknown].
	Open(ctx context.Context, id string, w ramp.Widget, at time.Time) error
	// Apply applies [Order.Apply] to the order of the event, if that is one of the provider's. An event with only the provider's reference waits
	// until an order has that reference.
	Apply(ctx context.Context, provider string, e ramp.Event, at time.Time) (Outcome, error)
	// Expire applies [Order.Expire]. It fails with [ErrUnknown].
	Expire(ctx context.Context, id string) error
	// Postpone sets the next poll of an order, zero for never, unless that changed since the order was read.
	Postpone(ctx context.Context, o Order, until time.Time) error
	// Find returns an order. It fails with [ErrUnknown].
	Find(ctx context.Context, id string) (Order, error)
	// List lists at most limit orders of an owner with ids less than before, the newest first.
	List(ctx context.Context, w Owner, before string, limit int) ([]Order, error)
	// ListOf lists at most limit orders of a wallet, of every project and with any proof, in the same way.
	ListOf(ctx context.Context, wallet, before string, limit int) ([]Order, error)
	// ListPurchases lists those with one provider whose payment was begun, in the same way.
	ListPurchases(ctx context.Context, w Owner, provider, before string, limit int) ([]Order, error)
	// Due lists at most limit orders whose poll is due, the longest due first.
	Due(ctx context.Context, now time.Time, limit int) ([]Order, error)
	// CountPaid counts the orders of each provider that are paid, not delivered, and have not changed since before a time.
	CountPaid(ctx context.Context, before time.Time) (map[string]int64, error)
	// Lapsed lists the ids of at most limit unpaid orders that have expired.
	Lapsed(ctx context.Context, now time.Time, limit int) ([]string, error)
	// DeleteWaiting deletes events that have been waiting since before a time.
	DeleteWaiting(ctx context.Context, before time.Time) error
}
