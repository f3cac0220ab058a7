package route_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

// graph invents a market in which some pools are alike and some are wild.
func graph(t testing.TB, random *rand.Rand, tokens, pools int, wildness float64) *route.Graph {
	t.Helper()
	list := make([]route.Pool, pools)
	for i := range list {
		a := random.IntN(tokens)
		b := (a + 1 + random.IntN(tokens-1)) % tokens
		list[i] = route.Pool{
			Token0: route.Token(a), Token1: route.Token(b), Venue: route.Venue(random.IntN(3)), GasHop: 60_000 + random.Uint64N(60_000),
			Model: routetest.Pool(random, wildness),
		}
	}
	return market(t, tokens, list...)
}

func market(t testing.TB, tokens int, pools ...route.Pool) *route.Graph {
	t.Helper()
	m, err := route.NewGraph(tokens, pools)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func pair(t testing.TB, reserve0, reserve1 uint64) route.Model {
	t.Helper()
	p, err := route.NewConstantProduct(uint256.NewInt(reserve0), uint256.NewInt(reserve1), 997, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func search(t testing.TB, m *route.Graph, r route.Request) route.Plan {
	t.Helper()
	plan, err := m.Search(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func amount(n uint64) uint256.Int { return *uint256.NewInt(n) }

// verify checks everything that a plan promises by itself.
func verify(t testing.TB, m *route.Graph, r route.Request, plan route.Plan) {
	t.Helper()
	var in, out uint256.Int
	gas := uint64(0)
	for _, path := range plan.Paths {
		in.Add(&in, &path.In)
		out.Add(&out, &path.Out)
		at, have := r.From, path.In
		for _, s := range path.Steps {
			pool := m.Pool(s.Pool)
			sold, bought := pool.Token0, pool.Token1
			if !s.ZeroForOne {
				sold, bought = bought, sold
			}
			if s.From != at || s.From != sold || s.To != bought || s.In != have {
				t.Fatalf("step %+v does not follow token %d, %v", s, at, have.Dec())
			}
			at, have, gas = s.To, s.Out, gas+pool.GasHop
			if r.Venues != nil && !slices.Contains(r.Venues, pool.Venue) || r.WholePaths && pool.Venue != m.Pool(path.Steps[0].Pool).Venue || r.Exclude[s.Pool] {
				t.Fatalf("pool %d of venue %d must not be used", s.Pool, pool.Venue)
			}
		}
		if at != r.To || have != path.Out || path.In.IsZero() || path.Out.IsZero() {
			t.Fatalf("a path ends at token %d with %v", at, have.Dec())
		}
		if r.MaxHops > 0 && len(path.Steps) > r.MaxHops {
			t.Fatalf("a path has %d hops", len(path.Steps))
		}
	}
	if in != r.Amount || plan.In != in || plan.Out != out || plan.Gas != gas {
		t.Fatalf("paths trade %v for %v with %d gas, the plan says %v for %v with %d", in.Dec(), out.Dec(), gas, plan.In.Dec(), plan.Out.Dec(), plan.Gas)
	}
	if !(plan.AllowedBoundBPS >= 0 && plan.AllowedBoundBPS <= plan.BoundBPS) {
		t.Fatalf("%v bps from the bound, %v within what is allowed", plan.BoundBPS, plan.AllowedBoundBPS)
	}
	if plan.Bound.Lt(&plan.Out) || plan.SpotOut.Lt(&plan.Out) || !(plan.BoundBPS >= 0 && plan.BoundBPS <= 1e4) {
		t.Fatalf("%v is paid, the bound is %v (%v bps), the marginal price gives %v", plan.Out.Dec(), plan.Bound.Dec(), plan.BoundBPS, plan.SpotOut.Dec())
	}
	again, err := m.Replay(plan)
	if err != nil || again.Out != plan.Out || again.Gas != plan.Gas || !reflect.DeepEqual(again.Paths, plan.Paths) {
		t.Fatalf("the replay pays %v: %v", again.Out.Dec(), err)
	}
}

// everyPath lists all paths between two tokens.
func everyPath(m *route.Graph, from, to route.Token, hops int) (paths [][]route.Step) {
	var walk func(way []route.Step, at route.Token)
	walk = func(way []route.Step, at route.Token) {
		if at == to {
			paths = append(paths, append([]route.Step(nil), way...))
			return
		}
		if len(way) == hops {
			return
		}
	pools:
		for i := range m.Pools() {
			p := m.Pool(i)
			step := route.Step{Pool: i, ZeroForOne: p.Token0 == at, From: at, To: p.Token1}
			if !step.ZeroForOne {
				if step.To = p.Token0; p.Token1 != at {
					continue
				}
			}
			for _, before := range way {
				if before.From == step.To {
					continue pools
				}
			}
			if step.To != from {
				walk(append(way, step), step.To)
			}
		}
	}
	walk(nil, from)
	return paths
}

// paid is what shares of an amount are paid on paths, one after another; false when one of them is refused.
func paid(m *route.Graph, paths [][]route.Step, ins []uint256.Int) (uint256.Int, bool) {
	var plan route.Plan
	for i, steps := range paths {
		if !ins[i].IsZero() {
			plan.Paths = append(plan.Paths, route.Path{In: ins[i], Steps: steps})
		}
	}
	replayed, err := m.Replay(plan)
	return replayed.Out, err == nil
}

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

// The shares of up to three paths are tried in steps of a fifteenth, over all combinations of paths in small markets.
func TestNoSplitBeatsTheBoundAndHardlyAnyThePlan(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const grid = 15
	worst := 0.0
	for range 60 {
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

// shares divides an amount into a, b and the rest of so many parts.
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

func TestMoreIsNeverPaidLess(t *testing.T) {
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

func TestARequestsBoundsAreKept(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	one, two := []route.Venue{1}, []route.Venue{0, 2}
	answered := map[string]int{}
	for range 300 {
		m := graph(t, random, 5, 25, 0.2)
		base := route.Request{From: 0, To: 1, Amount: amount(1e10 + random.Uint64N(1e17))}
		free, err := m.Search(t.Context(), base)
		if err != nil {
			continue
		}
		excluded := map[int]bool{}
		for _, p := range free.Paths {
			excluded[p.Steps[0].Pool] = true
		}
		for name, bound := range map[string]func(*route.Request){
			"one venue":    func(r *route.Request) { r.Venues = one },
			"two venues":   func(r *route.Request) { r.Venues = two },
			"whole paths":  func(r *route.Request) { r.WholePaths = true },
			"without":      func(r *route.Request) { r.Exclude = excluded },
			"two hops":     func(r *route.Request) { r.MaxHops = 2 },
			"two pools":    func(r *route.Request) { r.MaxPools = 2 },
			"one path":     func(r *route.Request) { r.MaxPaths = 1 },
			"two paths":    func(r *route.Request) { r.MaxPaths, r.Gas = 2, &route.GasCost{Price: amount(10), Native: 0} },
			"one pool":     func(r *route.Request) { r.MaxPools = 1 },
			"venue, gas":   func(r *route.Request) { r.Venues, r.Gas = one, &route.GasCost{Price: amount(1e5), Native: 2} },
			"paths, pools": func(r *route.Request) { r.WholePaths, r.MaxPools = true, 3 },
		} {
			r := base
			bound(&r)
			plan, err := m.Search(t.Context(), r)
			if err != nil {
				continue
			}
			verify(t, m, r, plan)
			if steps := countSteps(plan); r.MaxPools > 0 && steps > r.MaxPools {
				t.Fatalf("%s: %d steps", name, steps)
			}
			if r.MaxPaths > 0 && len(plan.Paths) > r.MaxPaths {
				t.Fatalf("%s: %d paths", name, len(plan.Paths))
			}
			if r.Exclude == nil && r.Gas == nil && r.MaxHops == 0 && r.MaxPools == 0 && plan.Bound.Lt(&free.Out) {
				t.Fatalf("%s: the bound %v is not about the whole market, which pays %v", name, plan.Bound.Dec(), free.Out.Dec())
			}
			answered[name]++
		}
	}
	for name, n := range answered {
		if n < 40 {
			t.Errorf("%s: only %d plans", name, n)
		}
	}
}

func countSteps(p route.Plan) (n int) {
	for _, path := range p.Paths {
		n += len(path.Steps)
	}
	return n
}

// Within the pools of some venues the search is as good as if there were no others.
func TestVenuesAreSearchedAsWellAsAMarketOfTheirOwn(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for i := range 200 {
		venues := []route.Venue{2}
		if i%2 == 1 {
			venues = []route.Venue{0, 2}
		}
		m := graph(t, random, 4, 30, 0)
		var own []route.Pool
		for i := range m.Pools() {
			if p := m.Pool(i); slices.Contains(venues, p.Venue) {
				own = append(own, p)
			}
		}
		r := route.Request{From: 0, To: 1, Amount: amount(1e10 + random.Uint64N(1e17))}
		alone, errAlone := market(t, 4, own...).Search(t.Context(), r)
		r.Venues = venues
		within, errWithin := m.Search(t.Context(), r)
		if (errAlone == nil) != (errWithin == nil) || within.Out.Float64() < alone.Out.Float64()*(1-1e-6) {
			t.Fatalf("within the market %v (%v), alone %v (%v)", within.Out.Dec(), errWithin, alone.Out.Dec(), errAlone)
		}
	}
}

// sliced is what an order is paid that is cut into equal parts, each on the path that is best for it after those before.
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

// ranged is a v3 pool at the price 1 with positions of a liquidity each, which reach so many ticks to either side.
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

// Where liquidity ends a little way from the price, as between tokens that are worth the same, a large order uses it up and prices jump.
func TestAnOrderThatTakesMostOfThePoolsIsPaidAsMuchAsManySmallOnes(t *testing.T) {
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

func TestTheBoundWithinAVenueIsThatOfAMarketWithoutTheOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 0))
	for range 60 {
		m := graph(t, random, 6, 24, 0.3)
		venue := route.Venue(random.IntN(3))
		var own []route.Pool
		for i := range m.Pools() {
			if p := m.Pool(i); p.Venue == venue {
				own = append(own, p)
			}
		}
		if len(own) == 0 {
			continue
		}
		r := route.Request{From: 0, To: 1, Amount: routetest.Amount(random, 60), Venues: []route.Venue{venue}}
		plan, err := m.Search(t.Context(), r)
		alone, aloneErr := market(t, 6, own...).Search(t.Context(), route.Request{From: 0, To: 1, Amount: r.Amount})
		if (err == nil) != (aloneErr == nil) {
			t.Fatalf("%v, alone %v", err, aloneErr)
		}
		if err != nil {
			continue
		}
		verify(t, m, r, plan)
		if best := alone.Out.Float64(); plan.Out.Float64() < best && (1-plan.Out.Float64()/best)*1e4 > plan.AllowedBoundBPS+1e-6 {
			t.Errorf("%v is paid, %v alone, and the bound is %v bps away", plan.Out.Dec(), alone.Out.Dec(), plan.AllowedBoundBPS)
		}
	}
}

func TestGasDecidesHowManyPoolsAreWorthIt(t *testing.T) {
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

// After gas no plan of another search, and no single path, leaves more than the bound would.
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

func TestWhyThereIsNoPlan(t *testing.T) {
	m := market(t, 4,
		route.Pool{Token0: 0, Token1: 1, Model: pair(t, 1e6, 1e3)},
		route.Pool{Token0: 1, Token1: 2, Model: pair(t, 1e3, 1e6)},
	)
	huge := uint256.Int{0, 0, 0, 1 << 63}
	var most uint256.Int
	most.SetAllOne()
	for name, c := range map[string]struct {
		r    route.Request
		want error
	}{
		"no pool trades the token":       {route.Request{From: 0, To: 3, Amount: amount(1)}, route.ErrNoRoute},
		"too many hops":                  {route.Request{From: 0, To: 2, Amount: amount(1e4), MaxHops: 1}, route.ErrNoRoute},
		"every pool excluded":            {route.Request{From: 0, To: 1, Amount: amount(1e4), Exclude: map[int]bool{0: true}}, route.ErrNoRoute},
		"less than a unit":               {route.Request{From: 0, To: 1, Amount: amount(1)}, route.ErrDust},
		"less than a unit on the way":    {route.Request{From: 0, To: 2, Amount: amount(500)}, route.ErrDust},
		"more than a pair can hold":      {route.Request{From: 0, To: 1, Amount: huge}, route.ErrNoLiquidity},
		"all that a word can hold":       {route.Request{From: 0, To: 2, Amount: most}, route.ErrNoLiquidity},
		"nothing":                        {route.Request{From: 0, To: 1}, route.ErrRequest},
		"a token for itself":             {route.Request{From: 1, To: 1, Amount: amount(1)}, route.ErrRequest},
		"a token that does not exist":    {route.Request{From: 0, To: 4, Amount: amount(1)}, route.ErrRequest},
		"gas in a token of another list": {route.Request{From: 0, To: 1, Amount: amount(1e4), Gas: &route.GasCost{Native: 9}}, route.ErrRequest},
	} {
		if _, err := m.Search(t.Context(), c.r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestAnEndedContextGivesNothingOrTheBestSoFar(t *testing.T) {
	invented := routetest.Generate(2500)
	m, err := invented.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := invented.Queries[26].Request()
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Search(ended, r); !errors.Is(err, context.Canceled) {
		t.Errorf("before the search: %v", err)
	}
	whole := search(t, m, r)
	for looks := 1; looks < 8; looks++ {
		plan, err := m.Search(&shortContext{Context: t.Context(), looks: looks}, r)
		if errors.Is(err, context.DeadlineExceeded) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		verify(t, m, r, plan)
		if plan.Bound.Lt(&whole.Out) {
			t.Errorf("after %d looks the bound is %v, but %v is paid", looks, plan.Bound.Dec(), whole.Out.Dec())
		}
	}
}

// shortContext ends once it was looked at so often.
type shortContext struct {
	context.Context
	looks int
}

func (c *shortContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestSearchesAtTheSameTimeAnswerAlike(t *testing.T) {
	invented := routetest.Generate(2500)
	m, err := invented.Build()
	if err != nil {
		t.Fatal(err)
	}
	first := make([]route.Plan, len(invented.Queries))
	requests := make([]route.Request, len(invented.Queries))
	for i, q := range invented.Queries {
		if requests[i], err = q.Request(); err != nil {
			t.Fatal(err)
		}
		first[i] = search(t, m, requests[i])
		verify(t, m, requests[i], first[i])
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range requests {
				at := (i*7 + worker) % len(requests)
				if plan, err := m.Search(t.Context(), requests[at]); err != nil || !reflect.DeepEqual(plan, first[at]) {
					t.Errorf("query %d: another answer (%v)", at, err)
				}
			}
		})
	}
	group.Wait()
}

func TestNewStatesLeaveTheOldMarketAsItWas(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	old := graph(t, random, 4, 100, 0)
	r := route.Request{From: 0, To: 1, Amount: amount(1e16)}
	before := search(t, old, r)
	states := map[int]route.Model{-1: pair(t, 1, 1), 100: pair(t, 1, 1)}
	var pools []route.Pool
	for i := range old.Pools() {
		p := old.Pool(i)
		if i%7 == 0 {
			p.Model = routetest.Pool(random, 0)
			states[i] = p.Model
		}
		pools = append(pools, p)
	}
	if got, want := search(t, old.With(states), r), search(t, market(t, 4, pools...), r); !reflect.DeepEqual(got, want) {
		t.Errorf("with new states %v is paid, in a new market %v", got.Out.Dec(), want.Out.Dec())
	}
	if after := search(t, old, r); !reflect.DeepEqual(after, before) {
		t.Error("the old market has changed")
	}
}

func TestAReplayAtAnotherStatePaysWhatThatStatePays(t *testing.T) {
	m := market(t, 2, route.Pool{Token0: 0, Token1: 1, Model: pair(t, 1e15, 1e15)})
	plan := search(t, m, route.Request{From: 0, To: 1, Amount: amount(1e12)})
	moved := m.With(map[int]route.Model{0: pair(t, 1e15, 2e15)})
	again, err := moved.Replay(plan)
	if err != nil || again.In != plan.In || again.Out.Float64() < 1.9*plan.Out.Float64() {
		t.Errorf("%v for %v: %v", again.Out.Dec(), again.In.Dec(), err)
	}
	emptied := m.With(map[int]route.Model{0: pair(t, 0, 0)})
	if _, err := emptied.Replay(plan); !errors.Is(err, route.ErrStale) {
		t.Errorf("an empty pool: %v", err)
	}
	plan.Paths[0].Steps[0].Pool = 7
	if _, err := m.Replay(plan); !errors.Is(err, route.ErrStale) {
		t.Errorf("a pool that does not exist: %v", err)
	}
}
