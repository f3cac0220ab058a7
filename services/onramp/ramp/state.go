package ramp

import "slices"

// State is the state of an order.
type State string

// The states, each outweighing those before it. The state of an order is the state among its events that outweighs the
// others, so it does not depend on the sequence of events or on repetitions.
const (
	// Created means that the widget was opened.
	Created State = "created"
	// Expired means that the order was not paid in time. A late payment outweighs it.
	Expired State = "expired"
	// Pending means that the visitor has begun to pay.
	Pending State = "pending"
	// Paid means that the payment was received, and the tokens are being sent.
	Paid State = "paid"
	// Cancelled means that the visitor cancelled the purchase.
	Cancelled State = "cancelled"
	// Failed means that the payment was declined, or the tokens could not be sent.
	Failed State = "failed"
	// Completed means that the tokens were sent.
	Completed State = "completed"
	// Refunded means that the money was paid back.
	Refunded State = "refunded"
)

var byWeight = []State{Created, Expired, Pending, Paid, Cancelled, Failed, Completed, Refunded}

// Known reports whether s is one of the states.
func (s State) Known() bool { return slices.Contains(byWeight, s) }

// Outweighs reports whether an order with events of both states is in state s.
func (s State) Outweighs(other State) bool {
	return slices.Index(byWeight, s) > slices.Index(byWeight, other)
}

// Open reports whether the purchase is still in progress.
func (s State) Open() bool { return s == Created || s == Pending || s == Paid }
