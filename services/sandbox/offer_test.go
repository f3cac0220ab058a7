package sandbox

import (
	"errors"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/ramp"
)

func amount(t *testing.T, text string) decimal.Decimal {
	t.Helper()
	d, err := decimal.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAnOfferAlwaysAddsUpAndGivesNothingAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := terms{
			percent: decimal.New(rapid.Int64Range(0, 4999).Draw(t, "percent"), -2),
			network: decimal.New(rapid.Int64Range(0, 500).Draw(t, "network fee"), -cents),
		}
		rate := decimal.New(rapid.Int64Range(1, 5_000_000).Draw(t, "rate"), -6)
		a := asset{
			Symbol:   "TKN",
			Price:    decimal.New(rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "price"), -8),
			Decimals: uint8(rapid.IntRange(0, 36).Draw(t, "decimals")),
		}
		total := ramp.Amount{Value: decimal.New(rapid.Int64Range(1, 2_500_000).Draw(t, "total"), -cents), Currency: "EUR"}
		o, err := terms.offer(total, rate, a)
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
		// What is received costs what was paid for it, to less than one base unit.
		paid, unit := o.Subtotal.Mul(rate), decimal.New(1, -int32(a.Decimals))
		if o.Purchase.Mul(a.Price).GreaterThan(paid) || !o.Purchase.Add(unit).Mul(a.Price).GreaterThan(paid) {
			t.Errorf("%s is paid for %s at %s", paid, o.Purchase, a.Price)
		}
		// The fee is not below its percentage, and less than a cent above.
		over := o.ProviderFee.Sub(total.Value.Mul(terms.percent).Shift(-2))
		if over.IsNegative() || over.GreaterThanOrEqual(decimal.New(1, -cents)) {
			t.Errorf("a fee of %s, which is %s too much", o.ProviderFee, over)
		}
	})
}

func TestWhoAsksForATokenPaysTheLeastThatBuysIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := terms{
			percent: decimal.New(rapid.Int64Range(0, 1000).Draw(t, "percent"), -2),
			network: decimal.New(rapid.Int64Range(0, 500).Draw(t, "network fee"), -cents),
		}
		a := asset{Price: decimal.New(rapid.Int64Range(1_000_000, 400_000_000_000).Draw(t, "price"), -8), Decimals: 6}
		rate := decimal.New(rapid.Int64Range(500_000, 2_000_000).Draw(t, "rate"), -6)
		// Clients want what a quote of more decimal places than the token has says.
		want := decimal.New(rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "wanted"), -8)
		total, err := terms.totalFor(want, "EUR", rate, a)
		if err != nil {
			t.Fatal(err)
		}
		o, err := terms.offer(total, rate, a)
		if err != nil || o.Purchase.LessThan(want) {
			t.Fatalf("%s buys %s, want %s: %v", total.Value, o.Purchase, want, err)
		}
		less := ramp.Amount{Value: total.Value.Sub(decimal.New(3, -cents)), Currency: "EUR"}
		if o, err := terms.offer(less, rate, a); err == nil && o.Purchase.GreaterThanOrEqual(want) {
			t.Errorf("%s would do, not %s", less.Value, total.Value)
		}
	})
}

func TestWhichSellerIsBetterDependsOnTheAmount(t *testing.T) {
	sellers := DefaultConfig().Sellers
	buys := func(s Seller, dollars int64) decimal.Decimal {
		terms, err := s.terms()
		if err != nil {
			t.Fatal(err)
		}
		o, err := terms.offer(ramp.Amount{Value: decimal.NewFromInt(dollars), Currency: "USD"}, decimal.NewFromInt(1), asset{Price: decimal.NewFromInt(1), Decimals: 6})
		if err != nil {
			t.Fatal(err)
		}
		return o.Purchase
	}
	if !buys(sellers[0], 100).LessThan(buys(sellers[1], 100)) || !buys(sellers[0], 500).GreaterThan(buys(sellers[1], 500)) {
		t.Error("one is better for every amount")
	}
}

func TestAmountsOutsideTheLimitsAreRefusedWithThem(t *testing.T) {
	tests := []struct {
		value, method string
		within        bool
	}{
		{"9.99", methodCard, false},
		{"10.00", methodCard, true},
		{"7500", methodCard, true},
		{"7500.01", methodCard, false},
		{"9.99", methodBank, false},
		{"7500.01", methodBank, true},
		{"25000.00", methodBank, true},
		{"25000.01", methodBank, false},
		{"-100", methodCard, false},
	}
	for _, test := range tests {
		for _, currency := range []string{"USD", "EUR"} {
			err := checkAmount(ramp.Amount{Value: amount(t, test.value), Currency: currency}, test.method)
			limit := &ramp.LimitError{}
			if test.within != (err == nil) || err != nil && (!errors.As(err, &limit) || limit.Method != test.method || limit.Min.Currency != currency) {
				t.Errorf("%s %s by %s: %v", test.value, currency, test.method, err)
			}
		}
	}
	for _, ask := range []struct{ currency, method string }{{"GBP", methodCard}, {"usd", methodCard}, {"USD", "cash"}, {"USD", ""}} {
		if err := checkAmount(ramp.Amount{Value: amount(t, "100"), Currency: ask.currency}, ask.method); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%s by %q: %v", ask.currency, ask.method, err)
		}
	}
}

func TestMoneyHasTwoDecimalPlaces(t *testing.T) {
	terms, err := DefaultConfig().Sellers[0].terms()
	if err != nil {
		t.Fatal(err)
	}
	_, err = terms.offer(ramp.Amount{Value: amount(t, "100.001"), Currency: "USD"}, decimal.NewFromInt(1), asset{Price: decimal.NewFromInt(1), Decimals: 6})
	if !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("a tenth of a cent is taken: %v", err)
	}
}
