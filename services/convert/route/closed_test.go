package route_test

import (
	"errors"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
)

func TestAClosedPoolIsNotTraded(t *testing.T) {
	model, err := route.NewConstantProduct(uint256.NewInt(1e18), uint256.NewInt(1e18), 997, 1000)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := route.NewGraph(2, []route.Pool{{Token0: 0, Token1: 1, Model: model}, {Token0: 0, Token1: 1, Model: route.Closed}})
	if err != nil {
		t.Fatal(err)
	}
	request := route.Request{From: 0, To: 1, Amount: *uint256.NewInt(1e17)}
	plan, err := graph.Search(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range plan.Paths {
		for _, s := range path.Steps {
			if s.Pool != 0 {
				t.Errorf("pool %d is traded", s.Pool)
			}
		}
	}
	if _, err := graph.With(map[int]route.Model{0: route.Closed}).Search(t.Context(), request); !errors.Is(err, route.ErrNoRoute) {
		t.Errorf("without an open pool: %v", err)
	}
	if worth := graph.With(map[int]route.Model{0: route.Closed}).Worth(0, 1); worth != 0 {
		t.Errorf("without an open pool a token is worth %g", worth)
	}
}
