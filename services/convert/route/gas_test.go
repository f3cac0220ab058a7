package route_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
)

func TestTheGasPriceDecidesHowManyPoolsAreUsed(t *testing.T) {
	var pools []route.Pool
	for range 8 {
		pools = append(pools, route.Pool{Token0: 0, Token1: 1, Model: pair(t, 1e15, 1e15), GasHop: 100_000})
	}
	m := market(t, 2, pools...)
	for _, price := range []uint64{0, 100_000, 1_000_000, 5_000_000, 1e10} {
		r := route.Request{From: 0, To: 1, Amount: amount(1e14), Gas: &route.GasCost{Price: amount(price), Native: 1}}
		plan := search(t, m, r)
		verify(t, m, r, plan)
		best, most := math.Inf(-1), 0
		for n := 1; n <= len(pools); n++ {
			out := 0.0
			for i := range n {
				part, _, _ := m.Pool(i).Model.Swap(uint256.NewInt(1e14/uint64(n)), true)
				out += part.Float64()
			}
			if left := out - float64(price)*1e5*float64(n); left > best {
				best, most = left, n
			}
		}
		if left := plan.Out.Float64() - float64(price)*float64(plan.Gas); len(plan.Paths) != most || left < best-1e-9*1e14 {
			t.Errorf("at %d wei %d pools leave %v, the plan's %d leave %v", price, most, best, len(plan.Paths), left)
		}
	}
}

// No plan of another search, and no single path, has an output after gas above the bound.
func TestTheBoundHoldsAfterGas(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		m := graph(t, random, 4, 12, 0)
		r := route.Request{From: 0, To: 1, Amount: amount(1e12 + random.Uint64N(1e16))}
		free, err := m.Search(t.Context(), r)
		if err != nil {
			continue
		}
		r.Gas = &route.GasCost{Price: amount(random.Uint64N(1e9)), Native: 1}
		priced := search(t, m, r)
		verify(t, m, r, priced)
		left := func(p route.Plan) float64 { return p.Out.Float64() - r.Gas.Price.Float64()*float64(p.Gas) }
		most := priced.Bound.Float64() - r.Gas.Price.Float64()*float64(priced.Gas)
		others := []route.Plan{free}
		for _, steps := range everyPath(m, 0, 1, 3) {
			if p, err := m.Replay(route.Plan{Paths: []route.Path{{In: r.Amount, Steps: steps}}}); err == nil {
				others = append(others, p)
			}
		}
		for _, p := range others {
			if left(p) > most+1e-9*p.Out.Float64()+1 {
				t.Fatalf("a plan leaves %v after gas, the bound %v", left(p), most)
			}
			if slack := 1e-9 * priced.Out.Float64(); len(p.Paths) == 1 && left(p) > left(priced)+slack+1 {
				t.Fatalf("a path leaves %v after gas, the plan %v", left(p), left(priced))
			}
		}
	}
}
