package route_test

import (
	"context"
	"errors"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func TestSearchErrorsNameTheCause(t *testing.T) {
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

func TestACancelledSearchReturnsAnErrorOrTheBestPlanSoFar(t *testing.T) {
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

// shortContext ends after its error was read a number of times.
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
