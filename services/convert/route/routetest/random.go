package routetest

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
)

// Pool returns a random pool of either kind. With a volatility of 0 it is a typical pool: about the same amount of both
// tokens, and liquidity around the price. With 1 it may have any state that a contract can have: one unit against
// 2^112-1, no liquidity, a price at the end of the range.
func Pool(random *rand.Rand, volatility float64) route.Model {
	if random.IntN(2) == 0 {
		return constantProduct(random, volatility)
	}
	return concentrated(random, volatility)
}

// Amount returns a random amount of any magnitude below 2^bits, at least 1.
func Amount(random *rand.Rand, bits int) uint256.Int {
	n := uint256.Int{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
	n.Rsh(&n, uint(256-1-random.IntN(bits)))
	if n.IsZero() {
		n.SetOne()
	}
	return n
}

func constantProduct(random *rand.Rand, volatility float64) route.Model {
	reserve := func() *uint256.Int {
		n := Amount(random, 112)
		if random.Float64() >= volatility {
			n = *uint256.NewInt(1e15 + random.Uint64N(1e18))
		}
		return &n
	}
	pool, err := route.NewConstantProduct(reserve(), reserve(), 9970-random.Uint64N(2)*random.Uint64N(300), 10_000)
	if err != nil {
		panic(err)
	}
	return pool
}

func concentrated(random *rand.Rand, volatility float64) route.Model {
	tier := tiers[random.IntN(len(tiers))]
	s := route.ConcentratedState{Fee: tier.fee, Spacing: tier.spacing, Tick: random.Int32N(4000) - 2000}
	deviation := random.Float64() < volatility
	if deviation {
		s.Tick = random.Int32N(2*887_000) - 887_000
	}
	low, high := route.SqrtPriceAt(s.Tick), route.SqrtPriceAt(s.Tick+1)
	s.SqrtPrice.Sub(&high, &low)
	s.SqrtPrice.Mul(&s.SqrtPrice, uint256.NewInt(random.Uint64N(1<<32)))
	s.SqrtPrice.Rsh(&s.SqrtPrice, 32)
	s.SqrtPrice.Add(&s.SqrtPrice, &low)

	net := map[int32]*uint256.Int{}
	positions := 1 + random.IntN(8)
	if deviation {
		positions = random.IntN(12)
	}
	for range positions {
		liquidity := *uint256.NewInt(1e15 + random.Uint64N(1e18))
		if deviation {
			liquidity = Amount(random, 100)
		}
		width := tier.spacing * (1 + random.Int32N(1+20_000/tier.spacing))
		from := (s.Tick + random.Int32N(2*width) - width) / tier.spacing * tier.spacing
		from = max(from, -887_272/tier.spacing*tier.spacing)
		to := min(from+width, 887_272/tier.spacing*tier.spacing)
		if to <= from {
			continue
		}
		for _, at := range []int32{from, to} {
			if net[at] == nil {
				net[at] = new(uint256.Int)
			}
		}
		net[from].Add(net[from], &liquidity)
		net[to].Sub(net[to], &liquidity)
		if from <= s.Tick && s.Tick < to {
			s.Liquidity.Add(&s.Liquidity, &liquidity)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(net)) {
		s.Ticks = append(s.Ticks, route.Tick{Index: at, Net: *net[at]})
	}
	pool, err := route.NewConcentrated(s)
	if err != nil {
		panic(err)
	}
	return pool
}
