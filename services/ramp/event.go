package ramp

import (
	"net/http"
	"time"
)

// WebhookPath and a provider's name are the path below the public URL to which the provider sends webhooks.
const WebhookPath = "/v1/onramp/webhooks/"

// Delivery is a webhook call, as it came.
type Delivery struct {
	// URL is where it was sent to, as the provider knows it: some sign it.
	URL    string
	Header http.Header
	// Body is signed byte for byte.
	Body []byte
	// At is when it came.
	At time.Time
}

// Event is what a provider tells of an order.
type Event struct {
	// ID is unique with the provider: the same one twice is one event.
	ID string
	// OrderID is ours; empty when the provider names only its own, Ref.
	OrderID string
	// Ref is the provider's name for the order or its session; empty when it named ours.
	Ref   string
	State State
	// At is when it happened, as the provider says.
	At time.Time
	// Reason says for people why an order failed; empty otherwise.
	Reason string
	// Transaction is the hash under which the tokens were sent; empty until they were.
	Transaction string
	// Paid and Received are what the purchase really was; nil when the event does not say.
	Paid, Received *Amount
	// ChainID is where the tokens were sent, CAIP-2; empty when the event does not say.
	ChainID string
}
