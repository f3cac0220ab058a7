package checkout

import (
	"errors"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func amount(t *testing.T, text string) decimal.Decimal {
	t.Helper()
	d, err := decimal.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAnOfferAddsUpAndRoundsInFavourOfTheSeller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := Fees{
			Percent: decimal.New(rapid.Int64Range(0, 4999).Draw(t, "percent"), -2),
			Network: decimal.New(rapid.Int64Range(0, 500).Draw(t, "network fee"), -Cents),
		}
		rate := decimal.New(rapid.Int64Range(1, 5_000_000).Draw(t, "rate"), -6)
		a := Asset{
			Symbol:   "TKN",
			Price:    decimal.New(rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "price"), -8),
			Decimals: uint8(rapid.IntRange(0, 36).Draw(t, "decimals")),
		}
		total := ramp.Amount{Value: decimal.New(rapid.Int64Range(1, 2_500_000).Draw(t, "total"), -Cents), Currency: "EUR"}
		o, err := terms.Offer(total, rate, a)
		if errors.Is(err, ramp.ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		q := ramp.Quote{
			Total: ramp.Amount{Value: o.Total, Currency: "EUR"}, Subtotal: ramp.Amount{Value: o.Subtotal, Currency: "EUR"},
			ProviderFee: ramp.Amount{Value: o.ProviderFee, Currency: "EUR"}, NetworkFee: ramp.Amount{Value: o.NetworkFee, Currency: "EUR"},
			Purchase: ramp.Amount{Value: o.Purchase, Currency: "TKN"},
		}
		if !q.AddsUp() || !o.Total.Equal(total.Value) {
			t.Fatalf("%+v does not add up", o)
		}
		if !o.Purchase.Equal(o.Purchase.Truncate(int32(a.Decimals))) {
			t.Errorf("%s has more than %d decimal places", o.Purchase, a.Decimals)
		}
		// The received amount is worth the payment for it, to less than one base unit.
		paid, unit := o.Subtotal.Mul(rate), decimal.New(1, -int32(a.Decimals))
		if o.Purchase.Mul(a.Price).GreaterThan(paid) || !o.Purchase.Add(unit).Mul(a.Price).GreaterThan(paid) {
			t.Errorf("%s is paid for %s at %s", paid, o.Purchase, a.Price)
		}
		// The fee is not below its percentage, and less than a cent above it.
		over := o.ProviderFee.Sub(total.Value.Mul(terms.Percent).Shift(-2))
		if over.IsNegative() || over.GreaterThanOrEqual(decimal.New(1, -Cents)) {
			t.Errorf("a fee of %s, which is %s too much", o.ProviderFee, over)
		}
	})
}

func TestAnOfferForATokenAmountHasTheLowestTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := Fees{
			Percent: decimal.New(rapid.Int64Range(0, 1000).Draw(t, "percent"), -2),
			Network: decimal.New(rapid.Int64Range(0, 500).Draw(t, "network fee"), -Cents),
		}
		a := Asset{Price: decimal.New(rapid.Int64Range(1_000_000, 400_000_000_000).Draw(t, "price"), -8), Decimals: 6}
		rate := decimal.New(rapid.Int64Range(500_000, 2_000_000).Draw(t, "rate"), -6)
		// Clients may request the amount of a quote with more decimal places than the token has.
		want := decimal.New(rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "wanted"), -8)
		total, err := terms.TotalFor(want, "EUR", rate, a)
		if err != nil {
			t.Fatal(err)
		}
		o, err := terms.Offer(total, rate, a)
		if err != nil || o.Purchase.LessThan(want) {
			t.Fatalf("%s buys %s, want %s: %v", total.Value, o.Purchase, want, err)
		}
		less := ramp.Amount{Value: total.Value.Sub(decimal.New(3, -Cents)), Currency: "EUR"}
		if o, err := terms.Offer(less, rate, a); err == nil && o.Purchase.GreaterThanOrEqual(want) {
			t.Errorf("%s would do, not %s", less.Value, total.Value)
		}
	})
}

func TestAmountsOutsideTheLimitsAreRefusedWithThem(t *testing.T) {
	tests := []struct {
		value, method string
		within        bool
	}{
		{"9.99", MethodCard, false},
		{"10.00", MethodCard, true},
		{"7500", MethodCard, true},
		{"7500.01", MethodCard, false},
		{"9.99", MethodBank, false},
		{"7500.01", MethodBank, true},
		{"25000.00", MethodBank, true},
		{"25000.01", MethodBank, false},
		{"-100", MethodCard, false},
	}
	for _, test := range tests {
		for _, currency := range []string{"USD", "EUR"} {
			err := CheckAmount(ramp.Amount{Value: amount(t, test.value), Currency: currency}, test.method)
			limit := &ramp.LimitError{}
			if test.within != (err == nil) || err != nil && (!errors.As(err, &limit) || limit.Method != test.method || limit.Min.Currency != currency) {
				t.Errorf("%s %s by %s: %v", test.value, currency, test.method, err)
			}
		}
	}
	for _, ask := range []struct{ currency, method string }{{"GBP", MethodCard}, {"usd", MethodCard}, {"USD", "cash"}, {"USD", ""}} {
		if err := CheckAmount(ramp.Amount{Value: amount(t, "100"), Currency: ask.currency}, ask.method); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%s by %q: %v", ask.currency, ask.method, err)
		}
	}
}
