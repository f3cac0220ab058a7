package ramp

import (
	"net/http"
	"time"
)

// WebhookPath and a provider's name are the path below the public URL to which the provider sends webhooks.
const WebhookPath = "/v1/onramp/webhooks/"

// Delivery is a webhook request as it was received.
type Delivery struct {
	// URL is the URL to which the provider sent it; some providers sign it.
	URL    string
	Header http.Header
	// Body is the body; signatures cover its exact bytes.
	Body []byte
	// At is the time of receipt.
	At time.Time
}

// Event is a provider's report about an order.
type Event struct {
	// ID is unique within the provider; two events with the same id are the same event.
	ID string
	// OrderID is the id of the order; empty if the event has only Ref.
	OrderID string
	// Ref is the provider's id of the order or session; may be empty if there is OrderID.
	Ref   string
	State State
	// At is the time of the event by the provider's clock.
	At time.Time
	// Reason explains why an order failed, in English, and Failure says it as a code; both are empty otherwise.
	Reason  string
	Failure Failure
	// Transaction is the hash of the transfer; empty until the tokens were sent.
	Transaction string
	// Paid and Received are the actual amounts; nil if unknown.
	Paid, Received *Amount
	// ChainID is the CAIP-2 id of the chain on which the tokens were sent; empty if unknown.
	ChainID string
}
