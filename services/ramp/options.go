package ramp

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Region is where a visitor lives.
type Region struct {
	// Country is ISO 3166-1 alpha-2, upper case; empty when nobody said.
	Country string
	// Subdivision is the second part of ISO 3166-2, such as NY; empty when nobody said. Some providers sell only in some states.
	Subdivision string
}

// Options are what can be bought, and with what.
type Options struct {
	Assets     []Asset
	Currencies []Currency
	// Partial says that there may be more: something that is asked for it did not answer.
	Partial bool
}

// Asset is a token, on each network where it can be bought.
type Asset struct {
	// ID is the provider's own.
	ID     string
	Name   string
	Symbol string
	// Networks are the places where it can be sent; the first is the usual one.
	Networks []Network
}

// Network is one place of an [Asset].
type Network struct {
	// Name is the provider's own, such as ethereum-mainnet.
	Name string
	// Title is for people.
	Title string
	// ChainID is CAIP-2.
	ChainID string
	// Contract is the token's, spelled as its namespace does; empty for the chain's own currency.
	Contract string
	// Decimals is how many decimal places the token has; 0 when the provider does not say.
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

// Currency is money, and how it can be paid.
type Currency struct {
	// ID is ISO 4217, such as USD.
	ID string
	// Limits are one for each payment method.
	Limits []Limit
}

// Limit bounds one purchase, in whole units of its currency.
type Limit struct {
	// Method is how one pays: card, ach_bank_account, or a name of the provider's own.
	Method   string
	Min, Max decimal.Decimal
}
