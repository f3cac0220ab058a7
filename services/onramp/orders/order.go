package orders

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/ramp"
)

var (
	// ErrUnknown says that nobody placed such an order.
	ErrUnknown = errors.New("there is no such order")
	// ErrPlaced says that an order with this id is there already.
	ErrPlaced = errors.New("the order is placed already")
	// ErrIncomplete says that the order lacks what every order has.
	ErrIncomplete = errors.New("the order is incomplete")
)

// Order is a purchase that somebody opened a seller's page for. Its times are exact to the millisecond.
type Order struct {
	// ID is a ULID, so that ids sort by when orders were placed.
	ID string
	// Project is whose page it was.
	Project string
	// Proof is the digest of the token that its buyer holds, see package proof; nobody lists an order without one.
	Proof string
	// Provider is the name of the [ramp.Provider]; Seller is who sells, as [ramp.Quote] names it, and Title is that for people.
	Provider, Seller, Title string
	// Sandbox says that no money moves.
	Sandbox bool
	State   ramp.State
	// Reason says for people why the order failed; empty otherwise.
	Reason string
	// Wallet is where the tokens go, spelled as it was given.
	Wallet string
	// ChainID is where they are sent, CAIP-2; empty while nobody decided.
	ChainID string
	// Transaction is the hash under which they were sent; empty until they were.
	Transaction string
	// Ref is how the provider calls the order or its session; empty while it gave it no name.
	Ref string
	// Payment is what is paid in all, and Purchase what is received; nil while nobody decided.
	Payment, Purchase *ramp.Amount
	// UpdatedAt is the newest time of which the provider told something.
	CreatedAt, UpdatedAt time.Time
	// ExpiresAt is when nobody waits any longer for somebody to pay. A payment that comes later still counts.
	ExpiresAt time.Time
	// LookAt is when the provider is asked what became of the order; zero for never.
	LookAt time.Time

	told sources
}

// patience is how long a placed order waits to be paid where nobody says otherwise.
const patience = time.Hour

// placed returns the order as it is kept at first.
func (o Order) placed(now time.Time) (Order, error) {
	if _, err := ulid.ParseStrict(o.ID); err != nil || o.Project == "" || o.Provider == "" || o.Wallet == "" {
		return Order{}, ErrIncomplete
	}
	if o.CreatedAt.IsZero() {
		o.CreatedAt = now
	}
	if o.ExpiresAt.IsZero() {
		o.ExpiresAt = o.CreatedAt.Add(patience)
	}
	o.State, o.Reason, o.Transaction = ramp.Created, "", ""
	o.CreatedAt, o.ExpiresAt = exact(o.CreatedAt), exact(o.ExpiresAt)
	o.UpdatedAt, o.LookAt = o.CreatedAt, time.Time{}
	o.Payment, o.Purchase = plain(o.Payment), plain(o.Purchase)
	o.told = sources{}
	return o, nil
}

// Open notes that the visitor was sent to the provider at a time.
func (o *Order) Open(w ramp.Widget, at time.Time) {
	if o.told.Ref == (source{}) && w.Ref != "" {
		o.Ref = w.Ref
	}
	if expires := exact(w.Expires); expires.After(o.ExpiresAt) {
		o.ExpiresAt = expires
	}
	if o.followed() {
		o.LookAt = exact(at).Add(soonest)
	}
}

// Expire notes that nobody paid in time.
func (o *Order) Expire() {
	o.become(ramp.Expired)
}

// become makes the order what it is told to be, if that outweighs what it is. The reason of what it was is not that of what it is.
func (o *Order) become(s ramp.State) {
	if s.Outweighs(o.State) {
		o.State, o.Reason, o.told.Reason = s, "", source{}
	}
}

// followed reports whether the provider may still have something to tell: also what expired, failed or was given up may be paid after all.
func (o *Order) followed() bool {
	return o.State != ramp.Refunded && (o.State != ramp.Completed || o.Transaction == "")
}

var evmAddress = regexp.MustCompile(`^0[xX][0-9a-fA-F]{40}$`)

// account is the wallet as it is compared: blind to case where case is only a checksum (ERC-55).
func account(wallet string) string {
	if evmAddress.MatchString(wallet) {
		return strings.ToLower(wallet)
	}
	return wallet
}

// exact is a time as it is kept; the zero time stays what it is.
func exact(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}
