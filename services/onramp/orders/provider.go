package orders

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/ramp"
)

// Providers finds a provider by its name.
type Providers func(name string) (ramp.Provider, bool)

// Outcome is what became of an event.
type Outcome string

// The outcomes.
const (
	// Moved: the order knows more than before.
	Moved Outcome = "moved"
	// Known: the order knew all of it.
	Known Outcome = "known"
	// Waiting: it names only the provider's own name for an order, and no order has that name yet.
	Waiting Outcome = "waiting"
	// Unknown: it is about no order of this installation.
	Unknown Outcome = "unknown"
)

// Store keeps orders, and tells OrderUpdated of every change but [Store.Insert] and [Store.Remove], in the transaction of the change: until it
// was opened, nobody knows of an order.
type Store interface {
	// Insert keeps a new order. It fails with [ErrPlaced].
	Insert(ctx context.Context, o Order) error
	// Remove forgets an order of which nothing was told but that it was placed, and reports whether it did.
	Remove(ctx context.Context, id string) (bool, error)
	// Open applies [Order.Open]. It fails with [ErrUnknown].
	Open(ctx context.Context, id string, w ramp.Widget, at time.Time) error
	// Hear applies [Order.Hear] to the order that the event is about, if that is one of the provider's. An event that names only the provider's
	// own name for an order waits until an order has that name.
	Hear(ctx context.Context, provider string, e ramp.Event, at time.Time) (Outcome, error)
	// Expire applies [Order.Expire]. It fails with [ErrUnknown].
	Expire(ctx context.Context, id string) error
	// Postpone sets when the provider is asked about an order next, zero for never, unless that changed since the order was read.
	Postpone(ctx context.Context, o Order, until time.Time) error
	// Find returns an order. It fails with [ErrUnknown].
	Find(ctx context.Context, id string) (Order, error)
	// Of lists at most limit orders of an owner, who has a proof, whose ids are less than before, the newest first.
	Of(ctx context.Context, w Owner, before string, limit int) ([]Order, error)
	// Begun lists those with one provider that somebody began to pay, in the same way.
	Begun(ctx context.Context, w Owner, provider, before string, limit int) ([]Order, error)
	// Due lists at most limit orders whose provider is to be asked by now, those that wait longest first.
	Due(ctx context.Context, now time.Time, limit int) ([]Order, error)
	// Lapsed lists the ids of at most limit orders that nobody paid in time.
	Lapsed(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Forget drops events that have been waiting since before a time.
	Forget(ctx context.Context, before time.Time) error
}
