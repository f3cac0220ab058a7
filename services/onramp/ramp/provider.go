package ramp

import (
	"context"
	"encoding/json"
)

// Provider sells tokens for money. Errors of all its capabilities wrap those of this package if one applies, and
// contain no secret.
type Provider interface {
	// Name returns the name in the configuration, such as coinbase: lower-case letters, digits and hyphens.
	Name() string
	// Profile describes the provider for display.
	Profile() Profile
}

// Lister lists what is sold in a region.
type Lister interface {
	// Options fails with [ErrUnsupported] if nothing is sold in the region.
	Options(ctx context.Context, at Region) (Options, error)
}

// Quoter quotes purchases.
type Quoter interface {
	// Quotes returns one quote of each seller behind the provider, at least one. It fails with [ErrUnsupported], or a [LimitError].
	Quotes(ctx context.Context, a Ask) ([]Quote, error)
}

// Opener opens the page where the visitor pays.
type Opener interface {
	// Open fails with [ErrUnsupported] or a [LimitError].
	Open(ctx context.Context, p Purchase) (Widget, error)
}

// Marketplace passes purchases on to several sellers, each with its own name.
type Marketplace interface {
	// Resells reports whether quotes may come from a seller of this name, such as TRANSAK, and returns its display name.
	Resells(ctx context.Context, seller string) (title string, ok bool)
}

// Listener parses webhooks of a provider.
type Listener interface {
	// Read verifies a delivery and returns its events; none if it is not about an order. It fails with
	// [ErrSignature], [ErrStale] or [ErrMalformed].
	Read(d Delivery) ([]Event, error)
}

// Poller returns the state of an order, in case a webhook was lost.
type Poller interface {
	// Poll returns all events of the order so far; none before the visitor has begun to pay. An event without a state stands for one that was
	// not in the documented form.
	Poll(ctx context.Context, p Placed) ([]Event, error)
}

// Directory has lists in the provider's own JSON.
type Directory interface {
	// Sellers lists the sellers behind the provider, in the API's form of providers.
	Sellers(ctx context.Context, countries []string) ([]json.RawMessage, error)
	// Properties returns one list. It fails with [ErrUnsupported] if the provider has no such list.
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
