package route_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

// graph returns a random market in which some pools are similar and some are extreme.
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

// verify checks the properties of a plan that do not depend on other plans.
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

// paid returns the output of shares of an amount on paths, executed in order; false if one of them is refused.
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
