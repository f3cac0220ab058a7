package route_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func TestConcurrentSearchesReturnTheSamePlan(t *testing.T) {
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

func TestWithStatesLeavesTheOldGraphUnchanged(t *testing.T) {
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

func TestReplayUsesTheStateOfItsGraph(t *testing.T) {
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
