package orders

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// sources records from which event each field of an order comes.
type sources struct {
	Reason, Failure, ChainID, Transaction, Ref, Payment, Purchase source
}

// source is the rank of an event; the zero source is the initial order.
type source struct {
	State ramp.State
	// At is in Unix milliseconds, by the provider's clock.
	At int64
}

// outweighs reports whether s has a higher rank than other.
func (s source) outweighs(other source) bool {
	if s.State != other.State {
		return s.State.Outweighs(other.State)
	}
	return s.At > other.At
}

// Apply merges an event into the order, and reports whether that changed it. The result does not depend on the sequence
// of events or on repetitions, except for [Order.PollAt], which depends on when the order changed.
func (o *Order) Apply(e ramp.Event, receivedAt time.Time) bool {
	before := *o
	at := truncate(e.At)
	by := source{State: e.State}
	if !at.IsZero() {
		by.At = at.UnixMilli()
	}
	o.setState(e.State)
	if e.State == o.State {
		merge(&o.Reason, &o.sources.Reason, e.Reason, by)
		merge(&o.Failure, &o.sources.Failure, e.Failure, by)
	}
	if at.After(o.UpdatedAt) {
		o.UpdatedAt = at
	}
	merge(&o.ChainID, &o.sources.ChainID, e.ChainID, by)
	merge(&o.Transaction, &o.sources.Transaction, e.Transaction, by)
	merge(&o.Ref, &o.sources.Ref, e.Ref, by)
	mergeAmount(&o.Payment, &o.sources.Payment, e.Paid, by)
	mergeAmount(&o.Purchase, &o.sources.Purchase, e.Received, by)
	if *o == before {
		return false
	}
	o.PollAt = time.Time{}
	if o.expectsEvents() {
		o.PollAt = truncate(receivedAt).Add(minPollDelay)
	}
	return true
}

// merge replaces a value if the event has a higher rank than its source. Of two values with the same rank the greater text wins, so that
// the result does not depend on the sequence.
func merge[T ~string](known *T, from *source, value T, by source) {
	if value == "" {
		return
	}
	if by.outweighs(*from) || by == *from && value > *known {
		*known, *from = value, by
	}
}

func mergeAmount(known **ramp.Amount, from *source, value *ramp.Amount, by source) {
	if value == nil {
		return
	}
	if by.outweighs(*from) || by == *from && text(value) > text(*known) {
		*known, *from = normalize(value), by
	}
}

// normalize returns a copy of an amount in the form in which it is stored: 5.00 becomes 5.
func normalize(a *ramp.Amount) *ramp.Amount {
	if a == nil {
		return nil
	}
	return &ramp.Amount{Value: decimal.RequireFromString(a.Value.String()), Currency: a.Currency}
}

func text(a *ramp.Amount) string { return a.Value.String() + " " + a.Currency }
