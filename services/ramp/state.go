package ramp

import "slices"

// State is how far an order has come.
type State string

// The states, each outweighing those before it: what an order is, is the weightiest state that was ever told of it. So it does not matter
// in which order its provider's messages arrive, or how often.
const (
	// Created: the widget was opened.
	Created State = "created"
	// Expired: nobody paid in time. A payment that comes late outweighs it.
	Expired State = "expired"
	// Pending: the visitor has begun to pay.
	Pending State = "pending"
	// Paid: the money was taken, and the tokens are on their way.
	Paid State = "paid"
	// Cancelled: the visitor gave up.
	Cancelled State = "cancelled"
	// Failed: the payment was declined, or the tokens could not be sent.
	Failed State = "failed"
	// Completed: the tokens were sent.
	Completed State = "completed"
	// Refunded: the money went back.
	Refunded State = "refunded"
)

var byWeight = []State{Created, Expired, Pending, Paid, Cancelled, Failed, Completed, Refunded}

// Known reports whether s is one of the states.
func (s State) Known() bool { return slices.Contains(byWeight, s) }

// Outweighs reports whether an order in state other becomes s when both were told.
func (s State) Outweighs(other State) bool {
	return slices.Index(byWeight, s) > slices.Index(byWeight, other)
}

// Open reports whether the provider may still tell something that people wait for.
func (s State) Open() bool { return s == Created || s == Pending || s == Paid }
