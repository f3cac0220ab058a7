package orders

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
)

// sources are which message each field of an order is from.
type sources struct {
	Reason, ChainID, Transaction, Ref, Payment, Purchase source
}

// source is a message; the zero source is the order as it was placed.
type source struct {
	State ramp.State
	// At is in Unix milliseconds, by the provider's clock.
	At int64
}

// outweighs reports whether what s says counts more than what other says.
func (s source) outweighs(other source) bool {
	if s.State != other.State {
		return s.State.Outweighs(other.State)
	}
	return s.At > other.At
}

// Hear takes in what the provider told, and reports whether that says anything new. In whatever order the same events are heard, and however
// often, the order is the same afterwards, but for [Order.LookAt]: that follows from when something new was heard.
func (o *Order) Hear(e ramp.Event, heardAt time.Time) bool {
	before := *o
	at := exact(e.At)
	by := source{State: e.State}
	if !at.IsZero() {
		by.At = at.UnixMilli()
	}
	o.become(e.State)
	if e.State == o.State {
		learn(&o.Reason, &o.told.Reason, e.Reason, by)
	}
	if at.After(o.UpdatedAt) {
		o.UpdatedAt = at
	}
	learn(&o.ChainID, &o.told.ChainID, e.ChainID, by)
	learn(&o.Transaction, &o.told.Transaction, e.Transaction, by)
	learn(&o.Ref, &o.told.Ref, e.Ref, by)
	learnAmount(&o.Payment, &o.told.Payment, e.Paid, by)
	learnAmount(&o.Purchase, &o.told.Purchase, e.Received, by)
	if *o == before {
		return false
	}
	o.LookAt = time.Time{}
	if o.followed() {
		o.LookAt = exact(heardAt).Add(soonest)
	}
	return true
}

// learn puts what a message says in place of what is known, if the message counts more than the one that is from. Of two that count the same,
// the greater text stays: which of them does not matter, as long as it is always the same one.
func learn(known *string, from *source, said string, by source) {
	if said == "" {
		return
	}
	if by.outweighs(*from) || by == *from && said > *known {
		*known, *from = said, by
	}
}

func learnAmount(known **ramp.Amount, from *source, said *ramp.Amount, by source) {
	if said == nil {
		return
	}
	if by.outweighs(*from) || by == *from && text(said) > text(*known) {
		*known, *from = plain(said), by
	}
}

// plain is an amount of its own, in the form in which it is kept: 5.00 is 5.
func plain(a *ramp.Amount) *ramp.Amount {
	if a == nil {
		return nil
	}
	return &ramp.Amount{Value: decimal.RequireFromString(a.Value.String()), Currency: a.Currency}
}

func text(a *ramp.Amount) string { return a.Value.String() + " " + a.Currency }
