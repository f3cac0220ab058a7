package ramp

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Amount is an amount of a currency or a token, in whole units.
type Amount struct {
	Value decimal.Decimal
	// Currency is an ISO 4217 code, or a token's symbol.
	Currency string
}

// Format returns an exact amount with at least two decimal places.
func Format(value decimal.Decimal) string {
	text := value.String()
	if _, places, _ := strings.Cut(text, "."); len(places) < 2 {
		return value.StringFixed(2)
	}
	return text
}

// Ask is a purchase to quote.
type Ask struct {
	// Pay is the total payment, including fees.
	Pay Amount
	// Method is the payment method; empty for any.
	Method string
	// Symbol and ChainID (CAIP-2) are the token and its chain. An empty chain leaves it to the provider.
	Symbol, ChainID string
	Region
	// Wallet is the address that receives the tokens; optional.
	Wallet string
	// Without lists sellers to leave out.
	Without []string
}

// Quote is the price of a purchase. It always adds up: Total = Subtotal + ProviderFee + NetworkFee, and Subtotal buys Purchase.
type Quote struct {
	// ID is the provider's id of the quote; empty if it has none.
	ID string
	// Seller is the name of the seller for [Purchase].Seller: the provider's name in upper case, or that of a seller
	// behind it.
	Seller string
	// Title is the seller's display name.
	Title string
	// Method and Country are those for which the quote is valid.
	Method, Country string
	// ChainID is the CAIP-2 id of the chain on which the tokens are received.
	ChainID string
	// Total is what the visitor pays; Subtotal is the rest without both fees.
	Total, Subtotal, ProviderFee, NetworkFee Amount
	// Purchase is the amount that is received, in the token.
	Purchase Amount
	// Expires is when the quote expires; zero if unknown.
	Expires time.Time
}

// AddsUp reports whether the amounts of the quote are consistent.
func (q Quote) AddsUp() bool {
	currency := q.Total.Currency
	sum := q.Subtotal.Value.Add(q.ProviderFee.Value).Add(q.NetworkFee.Value)
	return sum.Equal(q.Total.Value) &&
		q.Subtotal.Currency == currency && q.ProviderFee.Currency == currency && q.NetworkFee.Currency == currency &&
		!q.Subtotal.Value.IsNegative() && !q.ProviderFee.Value.IsNegative() && !q.NetworkFee.Value.IsNegative() && q.Purchase.Value.IsPositive()
}

// Price returns the price of one unit of the token without fees, rounded to 18 places.
func (q Quote) Price() decimal.Decimal { return q.Subtotal.Value.DivRound(q.Purchase.Value, 18) }
