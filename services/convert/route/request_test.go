package route_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func TestASearchKeepsTheLimitsOfItsRequest(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	one, two := []route.Venue{1}, []route.Venue{0, 2}
	answered := map[string]int{}
	for range 100 {
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
		if n < 15 {
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

// A search restricted to some venues finds the same plan as one in a graph of only those venues.
func TestASearchOfSomeVenuesEqualsASearchOfAGraphOfThem(t *testing.T) {
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

func TestTheBoundOfSomeVenuesEqualsTheBoundOfAGraphOfThem(t *testing.T) {
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
