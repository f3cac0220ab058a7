package depth

import (
	"math"
	"testing"
)

func TestAnAmountIsSplitBetweenPoolsByWhatTheyPay(t *testing.T) {
	deep := ConstantProduct{Token: 1e6, Anchor: 1e6, Fee: 3000}
	// Its price is out of the range of its liquidity: it holds much of the anchor and pays little.
	outOfRange := Concentrated{Root: 1, Liquidity: 1, Fee: 3000, Steps: []Step{{Root: 0.9}}, Anchor: 1e7}
	var one, both Market
	one.Add(deep, 0, 1)
	both.Add(deep, 0, 1)
	both.Add(outOfRange, 0, 1)
	for _, amount := range []float64{1, 1e3, 5e4} {
		if alone, split := one.Limit(amount), both.Limit(amount); split < alone*0.9999 {
			t.Errorf("%v are worth %v, and %v with another pool", amount, alone, split)
		}
	}
	var twice Market
	twice.Add(deep, 0, 1)
	twice.Add(deep, 0, 1)
	const amount = 2e5
	if got, want := twice.Limit(amount), 2*deep.Sell(amount/2); got < want*0.9999 || got > want {
		t.Errorf("two equal pools pay %v, want %v", got, want)
	}
}

func TestAPoolWithoutLiquidityAtItsPricePaysANumber(t *testing.T) {
	empty := Concentrated{Root: 1, Fee: 3000, Steps: []Step{{Root: 0.9, Change: -1}}, Anchor: 1}
	for _, amount := range []float64{0, 1, 1e30} {
		if paid := empty.Sell(amount); math.IsNaN(paid) || paid < 0 {
			t.Errorf("%v pays %v", amount, paid)
		}
	}
}
