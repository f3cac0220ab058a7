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
	// ID is the provider's id of the token.
	ID     string
	Name   string
	Symbol string
	// Networks are the networks on which it can be received; the first is the default.
	Networks []Network
}

// Network is a network on which an [Asset] can be received.
type Network struct {
	// Name is the provider's name of the network, such as ethereum-mainnet.
	Name string
	// Title is the display name.
	Title string
	// ChainID is a CAIP-2 id.
	ChainID string
	// Contract is the address of the token's contract, in the form of its namespace; empty for the native currency.
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
	// ID is an ISO 4217 code, such as USD.
	ID string
	// Limits has one limit for each payment method.
	Limits []Limit
}

// Limit bounds one purchase, in whole units of its currency.
type Limit struct {
	// Method is the payment method: card, ach_bank_account, or a provider-specific name.
	Method   string
	Min, Max decimal.Decimal
}
