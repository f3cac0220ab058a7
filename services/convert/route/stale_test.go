package route_test

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

// Every chain has pools without trades, with stale prices and a dollar or two of liquidity. Here a quarter of the pools
// of less common tokens are such pools. Most of the arbitrage in them costs more gas than its profit. They must not
// make a plan worse, and must not raise a bound by more than the arbitrage that is worth its gas.
func TestPoolsWithStalePricesKeepPlansAndBoundsValid(t *testing.T) {
	invented := routetest.Generate(2500)
	fresh, err := invented.Build()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(19, 20))
	states, stale := map[int]route.Model{}, map[int]bool{}
	for i, p := range invented.V2 {
		if i < 200 || random.IntN(4) > 0 {
			continue
		}
		reserve0, reserve1 := uint256.MustFromDecimal(p.Reserve0), uint256.MustFromDecimal(p.Reserve1)
		reserve0.Div(reserve0, uint256.NewInt(100_000))
		reserve1.Div(reserve1, uint256.NewInt(25_000+random.Uint64N(375_000)))
		pool, err := route.NewConstantProduct(reserve0, reserve1, 997, 1000)
		if err != nil {
			t.Fatal(err)
		}
		states[i], stale[i] = pool, true
	}
	market := fresh.With(states)
	for i, q := range invented.Queries {
		r, err := q.Request()
		if err != nil {
			t.Fatal(err)
		}
		r.Gas = &route.GasCost{Price: *uint256.NewInt(5e9), Native: 0}
		plan := search(t, market, r)
		verify(t, market, r, plan)
		r.Exclude = stale
		without := search(t, market, r)
		worth := market.Worth(0, r.To) * 5e9
		left := func(p route.Plan) float64 { return p.Out.Float64() - worth*float64(p.Gas) }
		if left(plan) < left(without)*(1-5e-5) {
			t.Errorf("query %d: %v is left after gas, without the stale pools %v", i, left(plan), left(without))
		}
		if dollars := (plan.BoundBPS - without.BoundBPS) / 1e4 * q.USD; dollars > 200 {
			t.Errorf("query %d: %v bps from the bound, without the stale pools %v: %.0f dollars", i, plan.BoundBPS, without.BoundBPS, dollars)
		}
	}
}
