package ramptest

import (
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Setup is a provider under test, with control of its API.
type Setup struct {
	Provider ramp.Provider
	// Secrets must not occur in errors.
	Secrets []string
	// Region is a region in which the provider sells.
	Region ramp.Region
	// Ask and Purchase are for something that is sold in the region, within its limits.
	Ask      ramp.Ask
	Purchase ramp.Purchase
	// TooLittle and TooMuch are outside the limits of Ask; nil if there are no limits.
	TooLittle, TooMuch *ramp.Amount
	// Answer lets a handler respond to every further call to the provider's API; nil if the provider calls none.
	Answer func(http.HandlerFunc)
	// SetState sets the state of an order at the provider, which polls then return.
	SetState func(orderID string, s ramp.State)
	// Deliver returns the webhook about an order in a state, signed now.
	Deliver func(orderID string, s ramp.State) ramp.Delivery
	// Sign signs any body as the provider does, with the provider's key or with another one.
	Sign func(body []byte, otherKey bool) ramp.Delivery
	// States are the states that the provider reports.
	States []ramp.State
	// SignsURL means that a signature is valid for one URL only.
	SignsURL bool
}

// Run tests all capabilities of a provider. Each test opens a new setup.
func Run(t *testing.T, open func(t *testing.T) Setup) {
	t.Helper()
	w := open(t)
	t.Run("profile", func(t *testing.T) { profile(t, open(t)) })
	if _, able := w.Provider.(ramp.Lister); able {
		t.Run("options", func(t *testing.T) { options(t, open) })
	}
	if _, able := w.Provider.(ramp.Quoter); able {
		t.Run("quotes", func(t *testing.T) { quotes(t, open) })
	}
	if _, able := w.Provider.(ramp.Opener); able {
		t.Run("widgets", func(t *testing.T) { widgets(t, open) })
	}
	if _, able := w.Provider.(ramp.Listener); able && w.Deliver != nil {
		t.Run("deliveries", func(t *testing.T) { deliveries(t, open) })
	}
	if _, able := w.Provider.(ramp.Poller); able && w.SetState != nil {
		t.Run("polls", func(t *testing.T) { polls(t, open) })
	}
	if w.Answer != nil {
		t.Run("failures", func(t *testing.T) { failures(t, open) })
	}
}
