package checkout

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Cents is the number of decimal places of money.
const Cents = 2

// The payment methods.
const (
	MethodCard = "card"
	MethodBank = "ach_bank_account"
)

// limits are the same for both currencies.
var limits = []ramp.Limit{
	{Method: MethodCard, Min: decimal.New(1000, -Cents), Max: decimal.New(750000, -Cents)},
	{Method: MethodBank, Min: decimal.New(1000, -Cents), Max: decimal.New(2500000, -Cents)},
}

// Currencies are the accepted currencies.
var Currencies = []ramp.Currency{{ID: "USD", Limits: limits}, {ID: "EUR", Limits: limits}}

// Fees are the fees of a seller.
type Fees struct {
	// Percent of the payment.
	Percent decimal.Decimal
	// Network is the network fee in US dollars.
	Network decimal.Decimal
}

// Offer is a payment and what it buys: Total = Subtotal + ProviderFee + NetworkFee.
type Offer struct {
	Currency                                 string
	Total, Subtotal, ProviderFee, NetworkFee decimal.Decimal
	// Purchase is in whole units of the token, with at most its decimal places.
	Purchase decimal.Decimal
}

// Offer returns how much of an asset a payment of total buys. rate is US dollars per unit of the currency. Fees are
// rounded up, the purchase is rounded down. It fails with [ramp.ErrUnsupported] if the amount buys nothing.
func (t Fees) Offer(total ramp.Amount, rate decimal.Decimal, a Asset) (Offer, error) {
	if !total.Value.Equal(total.Value.Truncate(Cents)) {
		return Offer{}, fmt.Errorf("%w: money has at most two decimal places", ramp.ErrUnsupported)
	}
	o := Offer{Currency: total.Currency, Total: total.Value}
	o.ProviderFee = total.Value.Mul(t.Percent).Shift(-2).RoundUp(Cents)
	o.NetworkFee = t.networkFee(rate)
	o.Subtotal = o.Total.Sub(o.ProviderFee).Sub(o.NetworkFee)
	o.Purchase, _ = o.Subtotal.Mul(rate).QuoRem(a.Price, int32(a.Decimals))
	if !o.Subtotal.IsPositive() || !o.Purchase.IsPositive() {
		return Offer{}, fmt.Errorf("%w: the amount buys nothing", ramp.ErrUnsupported)
	}
	return o, nil
}

// networkFee converts the network fee to the currency.
func (t Fees) networkFee(rate decimal.Decimal) decimal.Decimal {
	return t.Network.DivRound(rate, 18).RoundUp(Cents)
}

// TotalFor returns the smallest payment that buys at least the purchase, which may have more decimal places than the
// token.
func (t Fees) TotalFor(purchase decimal.Decimal, currency string, rate decimal.Decimal, a Asset) (ramp.Amount, error) {
	if !purchase.IsPositive() {
		return ramp.Amount{}, fmt.Errorf("%w: that much of the token cannot be received", ramp.ErrUnsupported)
	}
	purchase = purchase.RoundUp(int32(a.Decimals))
	subtotal := purchase.Mul(a.Price).DivRound(rate, 36).RoundUp(Cents)
	share := decimal.NewFromInt(1).Sub(t.Percent.Shift(-2))
	total := ramp.Amount{Value: subtotal.Add(t.networkFee(rate)).DivRound(share, 36).RoundUp(Cents), Currency: currency}
	cent := decimal.New(1, -Cents)
	// Rounding the fee may leave the total a cent short.
	for range 3 {
		if o, err := t.Offer(total, rate, a); err == nil && o.Purchase.GreaterThanOrEqual(purchase) {
			break
		}
		total.Value = total.Value.Add(cent)
	}
	return total, nil
}

// CheckAmount fails with [ramp.LimitError] for amounts outside the limits of a method, and [ramp.ErrUnsupported] for other currencies and methods.
func CheckAmount(pay ramp.Amount, method string) error {
	if !acceptsCurrency(pay.Currency) {
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

func acceptsCurrency(currency string) bool { return currency == "USD" || currency == "EUR" }

// FormatMoney formats an amount of money with two decimal places.
func FormatMoney(value decimal.Decimal) string { return value.StringFixed(Cents) }
