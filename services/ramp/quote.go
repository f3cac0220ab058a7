package ramp

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Amount is so much of a currency or a token, in whole units.
type Amount struct {
	Value decimal.Decimal
	// Currency is ISO 4217, or a token's symbol.
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

// Ask is a purchase that somebody thinks of.
type Ask struct {
	// Pay is what is paid in all, fees included.
	Pay Amount
	// Method is how it is paid; empty for any.
	Method string
	// Symbol and ChainID, CAIP-2, are what is bought and where. An empty chain leaves it to the provider.
	Symbol, ChainID string
	Region
	// Wallet is where the tokens go, an address of the chain; a quote may go without.
	Wallet string
	// Without are sellers that are not asked.
	Without []string
}

// Quote is what a purchase costs. It always adds up: Total = Subtotal + ProviderFee + NetworkFee, and Subtotal buys Purchase.
type Quote struct {
	// ID is the provider's own; empty when it has none.
	ID string
	// Seller is who sells, as [Purchase].Seller wants it: the provider's name in upper case, or that of a seller behind it.
	Seller string
	// Title is the seller's name for people.
	Title string
	// Method and Country are what the quote counts for.
	Method, Country string
	// ChainID is where the tokens would be sent, CAIP-2.
	ChainID string
	// Total is what the visitor pays; Subtotal is what is left of it when both fees are paid.
	Total, Subtotal, ProviderFee, NetworkFee Amount
	// Purchase is what is received, in the token.
	Purchase Amount
	// Expires is when the price stops counting; zero when the provider does not say.
	Expires time.Time
}

// AddsUp reports whether the amounts are what they must be together.
func (q Quote) AddsUp() bool {
	currency := q.Total.Currency
	sum := q.Subtotal.Value.Add(q.ProviderFee.Value).Add(q.NetworkFee.Value)
	return sum.Equal(q.Total.Value) &&
		q.Subtotal.Currency == currency && q.ProviderFee.Currency == currency && q.NetworkFee.Currency == currency &&
		!q.Subtotal.Value.IsNegative() && !q.ProviderFee.Value.IsNegative() && !q.NetworkFee.Value.IsNegative() && q.Purchase.Value.IsPositive()
}

// Price is what one unit of the token costs, fees left out, rounded to 18 places.
func (q Quote) Price() decimal.Decimal { return q.Subtotal.Value.DivRound(q.Purchase.Value, 18) }
