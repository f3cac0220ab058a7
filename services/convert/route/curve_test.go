package route

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

// pools returns random models of all magnitudes: pairs, and concentrated pools with two overlapping positions.
func pools(t *testing.T, random *rand.Rand) []Model {
	t.Helper()
	reserve := func() *uint256.Int { return new(uint256.Int).Rsh(maxReserve, uint(random.IntN(112))) }
	pair, err := NewConstantProduct(reserve(), reserve(), 10_000-random.Uint64N(400), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	tick := random.Int32N(2*800_000) - 800_000
	s := ConcentratedState{Fee: uint32(random.IntN(20_000)), Spacing: 10, SqrtPrice: sqrtPriceAt(tick), Tick: tick}
	inner, outer := uint256.NewInt(1+random.Uint64()>>random.IntN(60)), uint256.NewInt(1+random.Uint64()>>random.IntN(60))
	s.Liquidity.Add(inner, outer)
	for i, net := range []*uint256.Int{outer, inner, new(uint256.Int).Neg(inner), new(uint256.Int).Neg(outer)} {
		index := (tick/10 + []int32{-3000, -20, 20, 3000}[i]) * 10
		s.Ticks = append(s.Ticks, Tick{Index: index, Net: *net})
	}
	concentrated, err := NewConcentrated(s)
	if err != nil {
		t.Fatal(err)
	}
	return []Model{pair, concentrated}
}

// Certificates depend on this: the output of a curve is at least that of its model, and it accepts every input that the
// model accepts.
func TestACurvePaysAtLeastAsMuchAsItsModel(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	compared, close := 0, 0
	for range 3000 {
		for _, model := range pools(t, random) {
			c := model.curve()
			c.keep *= feeFactor
			for from := range side(2) {
				in := uint256.NewInt(random.Uint64() >> random.IntN(64))
				out, ok := model.quote(in, from)
				if !ok {
					continue
				}
				drawn, fits := c.forward(in.Float64(), from)
				if !fits && in.Float64() < 0.999*c.most(from) || drawn*summing < out.Float64() {
					t.Fatalf("%T pays %v for %v, its curve %v (%v)", model, out.Dec(), in.Dec(), drawn, fits)
				}
				if compared++; out.Float64() > 1e9 && in.GtUint64(1e9) && drawn < out.Float64()*(1+1e-6) {
					close++
				}
			}
		}
	}
	if compared < 5000 || close < 1000 {
		t.Errorf("%d compared, %d close", compared, close)
	}
}

// most returns the largest input that a curve accepts.
func (c *curve) most(from side) float64 {
	if len(c.sides[from]) == 0 {
		return 0
	}
	last := c.sides[from][len(c.sides[from])-1]
	return (last.in + last.room) / c.keep
}

func TestTheCurvesArbitrageIsAnUpperBound(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	found := 0
	for range 2000 {
		for _, model := range pools(t, random) {
			c := model.curve()
			from := side(random.IntN(2))
			worth := math.Exp(random.NormFloat64()) / c.spot(from)
			in, out := c.exploit(from, worth)
			gain := worth*out - in
			if in == 0 {
				if worth*c.spot(from) > 1+tiny && c.most(from) > 0 {
					t.Fatalf("%v is gained a unit, and not traded", worth*c.spot(from)-1)
				}
				continue
			}
			found++
			for _, factor := range []float64{0.5, 0.9, 0.999, 1.001, 1.1, 2} {
				if other, fits := c.forward(in*factor, from); fits && worth*other-in*factor > gain+1e-9*in {
					t.Fatalf("%v gains %v, %v gains %v", in, gain, in*factor, worth*other-in*factor)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d arbitrages", found)
	}
}

func TestATickIsTheGreatestBelowThePrice(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 26))
	for range 20_000 {
		tick := random.Int32N(2*maxTick-1) - maxTick
		low, high := sqrtPriceAt(tick), sqrtPriceAt(tick+1)
		last := new(uint256.Int).SubUint64(&high, 1)
		for _, price := range []*uint256.Int{&low, last, new(uint256.Int).Rsh(new(uint256.Int).Add(&low, last), 1)} {
			if got := tickAt(price); got != tick {
				t.Fatalf("price %s is at tick %d, not %d", price.Dec(), got, tick)
			}
		}
	}
}

func TestIntegerRoundsDown(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", -5: "0", 0.999: "0", 1: "1", 1.9: "1", 123456789.7: "123456789", 1 << 52: "4503599627370496", 1 << 60: "1152921504606846976",
		math.Ldexp(1, 255):   "57896044618658097711785492504343953926634992332820282019728792003956564819968",
		math.Ldexp(1, 256):   "115792089237316195423570985008687907853269984665640564039457584007913129639935",
		math.Inf(1):          "115792089237316195423570985008687907853269984665640564039457584007913129639935",
		math.NaN():           "0",
		math.Ldexp(1, -1000): "0",
	} {
		if got := integer(f); got.Dec() != want {
			t.Errorf("%v: %s, want %s", f, got.Dec(), want)
		}
	}
}

func TestLinearSystemsAreSolved(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 28))
	for n := 1; n < 30; n++ {
		// A matrix times its transpose is symmetric and positive semidefinite.
		root, a, want, b := make([]float64, n*n), make([]float64, n*n), make([]float64, n), make([]float64, n)
		for i := range root {
			root[i] = random.NormFloat64()
		}
		for i := range n {
			root[i*n+i] += float64(n)
			want[i] = random.NormFloat64()
		}
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += root[i*n+k] * root[j*n+k]
				}
				b[i] += a[i*n+j] * want[j]
			}
		}
		if !solve(a, b, n) {
			t.Fatal("not solved")
		}
		for i := range n {
			if math.Abs(b[i]-want[i]) > 1e-9 {
				t.Fatalf("%v, want %v", b, want)
			}
		}
	}
	if solve([]float64{1, 2, 2, 1}, []float64{1, 1}, 2) {
		t.Error("a matrix that is not positive is solved")
	}
}
