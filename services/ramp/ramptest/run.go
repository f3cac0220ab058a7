package ramptest

import (
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/services/ramp"
)

// Setup is a provider, and whatever stands behind it.
type Setup struct {
	Provider ramp.Provider
	// Secrets must be in no error.
	Secrets []string
	// Place is one where the provider sells.
	Region ramp.Region
	// Ask and Purchase are about something that is sold there, and within its limits.
	Ask      ramp.Ask
	Purchase ramp.Purchase
	// TooLittle and TooMuch are outside the limits of Ask; nil where there are none.
	TooLittle, TooMuch *ramp.Amount
	// Answer has every further call to the provider's API answered so; nil where the provider calls nobody.
	Answer func(http.HandlerFunc)
	// Tell has an order reach a state at the provider, so that whoever looks finds it.
	SetState func(orderID string, s ramp.State)
	// Deliver is the webhook call about an order in a state, signed now.
	Deliver func(orderID string, s ramp.State) ramp.Delivery
	// Sign signs any body as the provider does, with its own key or with another.
	Sign func(body []byte, otherKey bool) ramp.Delivery
	// States are those that the provider tells of.
	States []ramp.State
	// SignsURL says that a signature counts for one URL only.
	SignsURL bool
}

// Run runs everything that the provider's capabilities promise. Each test opens a world of its own.
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
