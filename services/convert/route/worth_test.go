package route_test

import (
	"math"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/route"
)

func TestWorthFollowsTheDeepestPools(t *testing.T) {
	m := market(t, 5,
		route.Pool{Token0: 0, Token1: 1, Model: pair(t, 1e18, 3e15)},
		route.Pool{Token0: 0, Token1: 2, Model: pair(t, 1e6, 1e8)}, // a thousand times too expensive, with almost no liquidity
		route.Pool{Token0: 2, Token1: 1, Model: pair(t, 1e8, 1e8)},
		route.Pool{Token0: 1, Token1: 3, Model: pair(t, 1e16, 1e16)},
	)
	for name, c := range map[string]struct {
		of, in route.Token
		want   float64
	}{
		"a pool":            {0, 1, 3e-3 * 0.997},
		"the other way":     {1, 0, 1 / 3e-3 * 0.997},
		"over two pools":    {0, 3, 3e-3 * 0.997 * 0.997},
		"itself":            {2, 2, 1},
		"no pool":           {0, 4, 0},
		"outside of it all": {0, 9, 0},
	} {
		if got := m.Worth(c.of, c.in); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
