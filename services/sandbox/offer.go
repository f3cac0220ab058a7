package sandbox

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
)

// cents is how many decimal places money has here.
const cents = 2

// How one pays.
const (
	methodCard = "card"
	methodBank = "ach_bank_account"
)

// limits are the same for both currencies.
var limits = []ramp.Limit{
	{Method: methodCard, Min: decimal.New(1000, -cents), Max: decimal.New(750000, -cents)},
	{Method: methodBank, Min: decimal.New(1000, -cents), Max: decimal.New(2500000, -cents)},
}

// currencies are what one pays with.
var currencies = []ramp.Currency{{ID: "USD", Limits: limits}, {ID: "EUR", Limits: limits}}

// terms are what a seller takes.
type terms struct {
	// percent of what is paid.
	percent decimal.Decimal
	// network is in US dollars.
	network decimal.Decimal
}

// offer is what a payment buys. Total = Subtotal + ProviderFee + NetworkFee.
type offer struct {
	Currency                                 string
	Total, Subtotal, ProviderFee, NetworkFee decimal.Decimal
	// Purchase is in whole units of the token, with no more decimal places than it has.
	Purchase decimal.Decimal
}

// offer says what total buys of a token at its price in US dollars, where one unit of the currency is worth rate dollars. Fees are rounded up,
// what is received down. It fails with [ramp.ErrUnsupported] when nothing would be received.
func (t terms) offer(total ramp.Amount, rate decimal.Decimal, a asset) (offer, error) {
	if !total.Value.Equal(total.Value.Truncate(cents)) {
		return offer{}, fmt.Errorf("%w: money has at most two decimal places", ramp.ErrUnsupported)
	}
	o := offer{Currency: total.Currency, Total: total.Value}
	o.ProviderFee = total.Value.Mul(t.percent).Shift(-2).RoundUp(cents)
	o.NetworkFee = t.networkFee(rate)
	o.Subtotal = o.Total.Sub(o.ProviderFee).Sub(o.NetworkFee)
	o.Purchase, _ = o.Subtotal.Mul(rate).QuoRem(a.Price, int32(a.Decimals))
	if !o.Subtotal.IsPositive() || !o.Purchase.IsPositive() {
		return offer{}, fmt.Errorf("%w: the amount buys nothing", ramp.ErrUnsupported)
	}
	return o, nil
}

// networkFee is in the currency.
func (t terms) networkFee(rate decimal.Decimal) decimal.Decimal {
	return t.network.DivRound(rate, 18).RoundUp(cents)
}

// totalFor is the least total that buys at least so much of a token; clients work with more decimal places than a token has.
func (t terms) totalFor(purchase decimal.Decimal, currency string, rate decimal.Decimal, a asset) (ramp.Amount, error) {
	if !purchase.IsPositive() {
		return ramp.Amount{}, fmt.Errorf("%w: that much of the token cannot be received", ramp.ErrUnsupported)
	}
	purchase = purchase.RoundUp(int32(a.Decimals))
	subtotal := purchase.Mul(a.Price).DivRound(rate, 36).RoundUp(cents)
	share := decimal.NewFromInt(1).Sub(t.percent.Shift(-2))
	total := ramp.Amount{Value: subtotal.Add(t.networkFee(rate)).DivRound(share, 36).RoundUp(cents), Currency: currency}
	cent := decimal.New(1, -cents)
	// The fee is rounded for itself: that may be a cent short.
	for range 3 {
		if o, err := t.offer(total, rate, a); err == nil && o.Purchase.GreaterThanOrEqual(purchase) {
			break
		}
		total.Value = total.Value.Add(cent)
	}
	return total, nil
}

// checkAmount refuses amounts outside the limits of a method, and money and methods that nobody takes here.
func checkAmount(pay ramp.Amount, method string) error {
	if !takes(pay.Currency) {
		return fmt.Errorf("%w: not in this currency", ramp.ErrUnsupported)
	}
	for _, l := range limits {
		if l.Method != method {
			continue
		}
		if pay.Value.LessThan(l.Min) || pay.Value.GreaterThan(l.Max) {
			return &ramp.LimitError{Method: method, Min: &ramp.Amount{Value: l.Min, Currency: pay.Currency}, Max: &ramp.Amount{Value: l.Max, Currency: pay.Currency}}
		}
		return nil
	}
	return fmt.Errorf("%w: not paid this way", ramp.ErrUnsupported)
}

func takes(currency string) bool { return currency == "USD" || currency == "EUR" }

func money(value decimal.Decimal) string { return value.StringFixed(cents) }
