package ramp

import (
	"context"
	"encoding/json"
)

// Provider sells tokens for money. Errors of all its capabilities wrap those of this package where one fits, and hold no secret.
type Provider interface {
	// Name is what the operator calls it, such as coinbase: lower-case letters, digits and hyphens.
	Name() string
	// Profile is how it is shown to people.
	Profile() Profile
}

// Lister knows what it sells in a place.
type Lister interface {
	// Options fails with [ErrUnsupported] where nothing is sold in the place.
	Options(ctx context.Context, at Region) (Options, error)
}

// Quoter says what a purchase costs.
type Quoter interface {
	// Quotes returns one quote of each seller behind the provider, at least one. It fails with [ErrUnsupported], or a [LimitError].
	Quotes(ctx context.Context, a Ask) ([]Quote, error)
}

// Opener opens the place where the visitor pays.
type Opener interface {
	// Open fails with [ErrUnsupported] or a [LimitError].
	Open(ctx context.Context, p Purchase) (Widget, error)
}

// Marketplace passes purchases on to several sellers, each with a name of its own.
type Marketplace interface {
	// Resells reports whether quotes may come from a seller of this name, such as TRANSAK, and how it is called among people.
	Resells(ctx context.Context, seller string) (title string, ok bool)
}

// Listener reads what a provider tells by webhook.
type Listener interface {
	// Read verifies a delivery and returns what it says; nothing when it is about something else than an order. It fails with
	// [ErrSignature], [ErrStale] or [ErrMalformed].
	Read(d Delivery) ([]Event, error)
}

// Poller can be asked what became of an order, for webhooks that were lost.
type Poller interface {
	// Poll returns all that is known of the order by now; nothing when the visitor has not begun to pay.
	Poll(ctx context.Context, p Placed) ([]Event, error)
}

// Directory answers with lists of its own, in its own JSON.
type Directory interface {
	// Sellers are those behind the provider, in the API's form of providers.
	Sellers(ctx context.Context, countries []string) ([]json.RawMessage, error)
	// Properties is one list. It fails with [ErrUnsupported] for a kind that the provider has no list of.
	Properties(ctx context.Context, kind Kind, f Filter) ([]json.RawMessage, error)
}

// Kind is a list of a [Directory].
type Kind string

// The lists.
const (
	Countries           Kind = "countries"
	CryptoCurrencies    Kind = "crypto-currencies"
	FiatCurrencies      Kind = "fiat-currencies"
	PaymentMethods      Kind = "payment-methods"
	FiatPurchasesLimits Kind = "fiat-purchases-limits"
	CountriesDefaults   Kind = "countries-defaults"
)

// Filter narrows a list.
type Filter struct {
	// Countries are ISO 3166-1 alpha-2; empty for all.
	Countries []string
	// Without are sellers whose offers are left out.
	Without []string
}
