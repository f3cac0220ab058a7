package orders

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

var (
	// ErrUnknown means that there is no such order.
	ErrUnknown = errors.New("there is no such order")
	// ErrPlaced means that an order with this id exists.
	ErrPlaced = errors.New("the order is placed already")
	// ErrIncomplete means that a required field is missing.
	ErrIncomplete = errors.New("the order is incomplete")
)

// Order is a purchase with a provider. Its times have a precision of a millisecond.
type Order struct {
	// ID is a ULID, so ids sort by the time at which orders were placed.
	ID string
	// Project is the id of the project whose page placed the order.
	Project string
	// Proof is the digest of the buyer's token ([caller.NewOrderToken]); an order without one is never listed.
	Proof string
	// Provider is the name of the [ramp.Provider]; Seller is the name in [ramp.Quote], and Title the display name.
	Provider, Seller, Title string
	// Sandbox means that no money is transferred.
	Sandbox bool
	State   ramp.State
	// Reason explains why the order failed, in English, and Failure says it as a code; both are empty otherwise.
	Reason  string
	Failure ramp.Failure
	// Wallet is the address that receives the tokens, as it was given.
	Wallet string
	// ChainID is the CAIP-2 id of the tokens' chain; empty until it is chosen.
	ChainID string
	// Transaction is the hash of the transfer; empty until the tokens were sent.
	Transaction string
	// Ref is the provider's id of the order or session; empty until there is one.
	Ref string
	// Payment is the total payment, and Purchase the amount to receive; nil until it is chosen.
	Payment, Purchase *ramp.Amount
	// UpdatedAt is the time of the newest event.
	CreatedAt, UpdatedAt time.Time
	// ExpiresAt is when an unpaid order expires. A later payment still counts.
	ExpiresAt time.Time
	// PollAt is when the provider is polled next; zero for never.
	PollAt time.Time

	sources sources
}

// paymentTimeout is the default time until an unpaid order expires.
const paymentTimeout = time.Hour

// placed returns the order in its initial state.
func (o Order) placed(now time.Time) (Order, error) {
	if _, err := ulid.ParseStrict(o.ID); err != nil || o.Project == "" || o.Provider == "" || o.Wallet == "" {
		return Order{}, ErrIncomplete
	}
	if o.CreatedAt.IsZero() {
		o.CreatedAt = now
	}
	if o.ExpiresAt.IsZero() {
		o.ExpiresAt = o.CreatedAt.Add(paymentTimeout)
	}
	o.State, o.Reason, o.Failure, o.Transaction = ramp.Created, "", "", ""
	o.CreatedAt, o.ExpiresAt = truncate(o.CreatedAt), truncate(o.ExpiresAt)
	o.UpdatedAt, o.PollAt = o.CreatedAt, time.Time{}
	o.Payment, o.Purchase = normalize(o.Payment), normalize(o.Purchase)
	o.sources = sources{}
	return o, nil
}

// Open records that the visitor was sent to the provider at a time.
func (o *Order) Open(w ramp.Widget, at time.Time) {
	if o.sources.Ref == (source{}) && w.Ref != "" {
		o.Ref = w.Ref
	}
	if expires := truncate(w.Expires); expires.After(o.ExpiresAt) {
		o.ExpiresAt = expires
	}
	if o.expectsEvents() {
		o.PollAt = truncate(at).Add(minPollDelay)
	}
}

// Expire records that the order was not paid in time.
func (o *Order) Expire() {
	o.setState(ramp.Expired)
}

// setState sets the state if it outweighs the current one, and clears the reason of the old state.
func (o *Order) setState(s ramp.State) {
	if s.Outweighs(o.State) {
		o.State, o.Reason, o.Failure = s, "", ""
		o.sources.Reason, o.sources.Failure = source{}, source{}
	}
}

// expectsEvents reports whether further events are possible: expired, failed and cancelled orders may still be paid.
func (o *Order) expectsEvents() bool {
	return o.State != ramp.Refunded && (o.State != ramp.Completed || o.Transaction == "")
}

var evmAddress = regexp.MustCompile(`^0[xX][0-9a-fA-F]{40}$`)

// account returns the wallet for comparison: in lower case if the case is only a checksum (ERC-55).
func account(wallet string) string {
	if evmAddress.MatchString(wallet) {
		return strings.ToLower(wallet)
	}
	return wallet
}

// truncate returns a time in the precision of the store; the zero time stays zero.
func truncate(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}
