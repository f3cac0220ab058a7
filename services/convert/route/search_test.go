package route_test

import (
	"errors"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func TestAPlanIsNeverWorseThanItsBestSinglePathNorAboveItsBound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 600 {
		m := graph(t, random, 2+random.IntN(5), 1+random.IntN(12), float64(random.IntN(2))*random.Float64())
		r := route.Request{From: 0, To: 1, Amount: routetest.Amount(random, 70)}
		plan, err := m.Search(t.Context(), r)
		var single uint256.Int
		for _, path := range everyPath(m, 0, 1, 3) {
			if out, ok := paid(m, [][]route.Step{path}, []uint256.Int{r.Amount}); ok && out.Gt(&single) {
				single = out
			}
		}
		if err != nil {
			if !single.IsZero() {
				t.Fatalf("%v, but a path pays %v for %v", err, single.Dec(), r.Amount.Dec())
			}
			continue
		}
		verify(t, m, r, plan)
		if plan.Out.Lt(&single) {
			t.Fatalf("a plan pays %v, a single path %v", plan.Out.Dec(), single.Dec())
		}
		found++
	}
	if found < 300 {
		t.Errorf("only %d markets had a plan", found)
	}
}

// In small markets, shares of up to three paths are tried in steps of a fifteenth, over all combinations of paths.
func TestNoRandomSplitBeatsTheBound(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const grid = 15
	worst := 0.0
	for range 30 {
		m := graph(t, random, 3, 3+random.IntN(3), 0)
		r := route.Request{From: 0, To: 1, Amount: amount(1e12 + random.Uint64N(3e17))}
		plan, err := m.Search(t.Context(), r)
		if errors.Is(err, route.ErrNoRoute) {
			continue
		}
		var best uint256.Int
		paths := everyPath(m, 0, 1, 3)
		for i := range paths {
			for j := range paths {
				for k := range paths {
					if i == j || j == k || i == k {
						continue
					}
					for a := range grid + 1 {
						for b := range grid + 1 - a {
							ins := shares(r.Amount, grid, a, b)
							if out, ok := paid(m, [][]route.Step{paths[i], paths[j], paths[k]}, ins); ok && out.Gt(&best) {
								best = out
							}
						}
					}
				}
			}
		}
		if best.IsZero() {
			continue
		}
		if err != nil {
			t.Fatalf("%v, but a split pays %v", err, best.Dec())
		}
		if plan.Bound.Lt(&best) {
			t.Fatalf("a split pays %v, above the bound %v", best.Dec(), plan.Bound.Dec())
		}
		worst = max(worst, best.Float64()/plan.Out.Float64()-1)
	}
	if worst > 1e-5 {
		t.Errorf("a split is %.2f bps better than the plan", worst*1e4)
	}
}

// shares divides an amount into `parts` parts, of which the first share has a, the second b, and the third the rest.
func shares(whole uint256.Int, parts, a, b int) []uint256.Int {
	ins := make([]uint256.Int, 3)
	ins[0].Mul(&whole, uint256.NewInt(uint64(a)))
	ins[0].Div(&ins[0], uint256.NewInt(uint64(parts)))
	ins[1].Mul(&whole, uint256.NewInt(uint64(b)))
	ins[1].Div(&ins[1], uint256.NewInt(uint64(parts)))
	ins[2].Sub(&whole, &ins[0])
	ins[2].Sub(&ins[2], &ins[1])
	return ins
}

func TestTwoEqualPoolsShareAnAmountEqually(t *testing.T) {
	m := market(t, 2, route.Pool{Token0: 0, Token1: 1, Model: pair(t, 1e15, 1e15)}, route.Pool{Token0: 1, Token1: 0, Model: pair(t, 1e15, 1e15)})
	plan := search(t, m, route.Request{From: 0, To: 1, Amount: amount(1e14)})
	if len(plan.Paths) != 2 || plan.BoundBPS > 1e-6 {
		t.Fatalf("%d paths, %v bps from the bound", len(plan.Paths), plan.BoundBPS)
	}
	if a, b := plan.Paths[0].In.Float64(), plan.Paths[1].In.Float64(); a/b > 1.00001 || b/a > 1.00001 {
		t.Errorf("shares of %v and %v", a, b)
	}
}

func TestALargerAmountIsPaidAtLeastAsMuch(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		m := graph(t, random, 4, 10, 0)
		before := 0.0
		for in := uint64(1e6); in < 1e18; in *= 3 {
			plan, err := m.Search(t.Context(), route.Request{From: 0, To: 1, Amount: amount(in)})
			if err != nil {
				break
			}
			if out := plan.Out.Float64(); out < before*(1-1e-6) {
				t.Fatalf("%d is paid %v, a third of it %v", in, out, before)
			}
			before = plan.Out.Float64()
		}
	}
}

// sliced returns the output of an order that is cut into equal parts, each on the best path after the parts before.
func sliced(t testing.TB, m *route.Graph, r route.Request, parts uint64) float64 {
	t.Helper()
	r.Amount.Div(&r.Amount, uint256.NewInt(parts))
	r.MaxPaths, r.MaxHops = 1, 3
	sum := 0.0
	for range parts {
		plan, err := m.Search(t.Context(), r)
		if errors.Is(err, route.ErrNoLiquidity) {
			return 0
		}
		if err != nil {
			t.Fatal(err)
		}
		states := map[int]route.Model{}
		for _, s := range plan.Paths[0].Steps {
			_, states[s.Pool], _ = m.Pool(s.Pool).Model.Swap(&s.In, s.ZeroForOne)
		}
		m = m.With(states)
		sum += plan.Out.Float64()
	}
	return sum
}

// ranged returns a v3 pool at the price 1 with one position for each entry: ticks to either side of the price, and
// liquidity.
func ranged(t testing.TB, fee uint32, spacing int32, positions map[int32]float64) route.Model {
	t.Helper()
	nets := map[int32]*uint256.Int{}
	state := route.ConcentratedState{Fee: fee, Spacing: spacing, SqrtPrice: route.SqrtPriceAt(0)}
	for reach, liquidity := range positions {
		whole, _ := uint256.FromBig(bigOf(liquidity))
		state.Liquidity.Add(&state.Liquidity, whole)
		nets[-reach], nets[reach] = whole, new(uint256.Int).Neg(whole)
	}
	for _, index := range slices.Sorted(maps.Keys(nets)) {
		state.Ticks = append(state.Ticks, route.Tick{Index: index, Net: *nets[index]})
	}
	p, err := route.NewConcentrated(state)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func bigOf(f float64) *big.Int {
	n, _ := big.NewFloat(f).Int(nil)
	return n
}

// If liquidity ends close to the price, as between tokens of the same value, a large order uses it up and prices jump.
func TestALargeOrderIsPaidAsMuchAsManySmallOnes(t *testing.T) {
	deep := func(units float64) route.Model {
		held, _ := uint256.FromBig(bigOf(units))
		p, err := route.NewConstantProduct(held, held, 997, 1000)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const unit = 1e18
	m := market(t, 4, []route.Pool{
		{Token0: 0, Token1: 1, Model: deep(1250 * unit)}, {Token0: 0, Token1: 2, Model: deep(900 * unit)},
		{Token0: 0, Token1: 3, Model: deep(450 * unit)}, {Token0: 1, Token1: 2, Model: deep(300 * unit)},
		{Token0: 1, Token1: 3, Model: deep(350 * unit)},
		{Token0: 0, Token1: 1, Model: ranged(t, 500, 10, map[int32]float64{30: 266_000 * unit, 100: 120_000 * unit, 400: 25_000 * unit})},
		{Token0: 0, Token1: 1, Model: ranged(t, 3000, 60, map[int32]float64{480: 20_000 * unit, 1800: 4_000 * unit})},
		{Token0: 0, Token1: 2, Model: ranged(t, 3000, 60, map[int32]float64{300: 20_000 * unit, 1380: 3_800 * unit})},
		{Token0: 1, Token1: 2, Model: ranged(t, 100, 1, map[int32]float64{5: 1_000_000 * unit, 30: 266_000 * unit, 500: 4_000 * unit})},
		{Token0: 1, Token1: 3, Model: ranged(t, 100, 1, map[int32]float64{10: 600_000 * unit, 100: 40_000 * unit})},
		{Token0: 2, Token1: 3, Model: ranged(t, 500, 10, map[int32]float64{50: 80_000 * unit})},
	}...)
	for _, to := range []route.Token{1, 2, 3} {
		for _, units := range []float64{500, 1500, 5000, 20_000} {
			r := route.Request{From: 0, To: to}
			r.Amount.SetFromBig(bigOf(units * unit))
			plan := search(t, m, r)
			verify(t, m, r, plan)
			if most := sliced(t, m, r, 200); plan.Out.Float64() < most*(1-2e-3) {
				t.Errorf("%.0f for token %d: %v in one plan, %.0f in two hundred: %.1f bps, %v from the bound",
					units, to, plan.Out.Dec(), most, (1-plan.Out.Float64()/most)*1e4, plan.BoundBPS)
			}
		}
	}
}
