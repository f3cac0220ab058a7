package ramp

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Region is where a visitor lives.
type Region struct {
	// Country is ISO 3166-1 alpha-2, upper case; empty if unknown.
	Country string
	// Subdivision is the second part of ISO 3166-2, such as NY; empty if unknown. Some providers sell only in some states.
	Subdivision string
}

// Options are what can be bought, and with what.
type Options struct {
	Assets     []Asset
	Currencies []Currency
	// Partial means that a provider did not respond, so there may be more.
	Partial bool
}

// Asset is a token, on each network where it can be bought.
type Asset struct {
	// ID is the provider's own.
	ID     string
	Name   string
	Symbol string
	// Networks are where it can be received; the first is the default.
	Networks []Network
}

// Network is a network on which an [Asset] can be received.
type Network struct {
	// Name is the provider's own, such as ethereum-mainnet.
	Name string
	// Title is the display name.
	Title string
	// ChainID is CAIP-2.
	ChainID string
	// Contract is the token's, in the form of its namespace; empty for the native currency.
	Contract string
	// Decimals is how many decimal places the token has; 0 if unknown.
	Decimals uint8
}

// On returns the asset's network on a chain.
func (a Asset) On(chainID string) (Network, bool) {
	i := slices.IndexFunc(a.Networks, func(n Network) bool { return n.ChainID == chainID })
	if i < 0 {
		return Network{}, false
	}
	return a.Networks[i], true
}

// Currency is a currency and its payment methods.
type Currency struct {
	// ID is ISO 4217, such as USD.
	ID string
	// Limits are one for each payment method.
	Limits []Limit
}

// Limit bounds one purchase, in whole units of its currency.
type Limit struct {
	// Method is the payment method: card, ach_bank_account, or a name of the provider's own.
	Method   string
	Min, Max decimal.Decimal
}
