package route_test

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

// The expected numbers are those of deployed pools, returned by QuoterV2.
func TestSquareRootPricesEqualThoseOfTheContract(t *testing.T) {
	for tick, want := range map[int32]string{
		-887272: "4295128739",
		-1:      "79224201403219477170569942574",
		0:       "79228162514264337593543950336",
		1:       "79232123823359799118286999568",
		887272:  "1461446703485210103287273052203988822378723970342",
	} {
		if got := route.SqrtPriceAt(tick); got.Dec() != want {
			t.Errorf("tick %d: %s, want %s", tick, got.Dec(), want)
		}
	}
}

// spread returns a pool at the price 1 with liquidity from tick -600 to 600, and twice as much between -60 and 60.
func spread() route.ConcentratedState {
	s := route.ConcentratedState{Fee: 3000, Spacing: 60, SqrtPrice: route.SqrtPriceAt(0), Liquidity: amount(2e18)}
	for _, tick := range []int32{-600, -60} {
		s.Ticks = append(s.Ticks, route.Tick{Index: tick, Net: amount(1e18)})
	}
	for _, tick := range []int32{60, 600} {
		s.Ticks = append(s.Ticks, route.Tick{Index: tick, Net: *new(uint256.Int).Neg(uint256.NewInt(1e18))})
	}
	return s
}

func concentrated(t testing.TB, s route.ConcentratedState) *route.Concentrated {
	t.Helper()
	pool, err := route.NewConcentrated(s)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

func TestAnOrderBeyondTheLiquidityIsRefused(t *testing.T) {
	pool := concentrated(t, spread())
	for _, zeroForOne := range []bool{true, false} {
		most := uint64(0)
		for step := uint64(1 << 60); step > 0; step /= 2 {
			if _, _, ok := pool.Swap(uint256.NewInt(most+step), zeroForOne); ok {
				most += step
			}
		}
		// 2e18 of liquidity over 60 ticks and 1e18 over 540 more amount to 0.03346e18 of either token, before the fee.
		if most < 3355e13 || most > 3357e13 {
			t.Errorf("the pool takes %d", most)
		}
		out, _, _ := pool.Swap(uint256.NewInt(most), zeroForOne)
		if less, _, _ := pool.Swap(uint256.NewInt(most-1), zeroForOne); less.Gt(&out) {
			t.Errorf("one unit less is paid more: %v, %v", less.Dec(), out.Dec())
		}
	}
}

func TestATradeBeyondTheKnownTicksIsRefused(t *testing.T) {
	s := spread()
	whole := concentrated(t, s)
	s.Ticks, s.Low, s.High = s.Ticks[1:3], -300, 300
	part := concentrated(t, s)
	refused := 0
	for in := uint64(1e10); in < 1e17; in = in*5/4 + 1 {
		for _, zeroForOne := range []bool{true, false} {
			out, after, ok := part.Swap(uint256.NewInt(in), zeroForOne)
			want, wantAfter, wantOK := whole.Swap(uint256.NewInt(in), zeroForOne)
			if !ok {
				low, high := route.SqrtPriceAt(-300), route.SqrtPriceAt(300)
				if wantOK {
					if price := wantAfter.(*route.Concentrated).SqrtPrice(); price.Gt(&low) && price.Lt(&high) {
						t.Fatalf("%d is refused within the known ticks", in)
					}
				}
				refused++
				continue
			}
			if !wantOK || out != want || !after.(*route.Concentrated).SqrtPrice().Eq(wantAfter.(*route.Concentrated).SqrtPrice()) {
				t.Fatalf("%d is paid %v, with all ticks known %v (%v)", in, out.Dec(), want.Dec(), wantOK)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	s.Low, s.High = 60, 300
	if _, err := route.NewConcentrated(s); err == nil {
		t.Error("a price outside of the known ticks is taken")
	}
}

func TestAnImpossibleStateIsRefused(t *testing.T) {
	for name, change := range map[string]func(*route.ConcentratedState){
		"a fee of everything":       func(s *route.ConcentratedState) { s.Fee = 1_000_000 },
		"no spacing":                func(s *route.ConcentratedState) { s.Spacing = 0 },
		"not initialised":           func(s *route.ConcentratedState) { s.SqrtPrice.Clear() },
		"off the scale":             func(s *route.ConcentratedState) { s.SqrtPrice.SetAllOne() },
		"a tick of another price":   func(s *route.ConcentratedState) { s.Tick = 5 },
		"ticks out of order":        func(s *route.ConcentratedState) { s.Ticks[0], s.Ticks[1] = s.Ticks[1], s.Ticks[0] },
		"a tick between":            func(s *route.ConcentratedState) { s.Ticks[0].Index++ },
		"a tick off the scale":      func(s *route.ConcentratedState) { s.Ticks[0].Index = -887280 },
		"liquidity below zero":      func(s *route.ConcentratedState) { s.Liquidity = amount(5e17) },
		"liquidity above 2^128":     func(s *route.ConcentratedState) { s.Liquidity = uint256.Int{0, 0, 1, 0} },
		"known ticks upside down":   func(s *route.ConcentratedState) { s.Low, s.High = 60, -60 },
		"known ticks off the scale": func(s *route.ConcentratedState) { s.Low, s.High = -900000, 60 },
	} {
		s := spread()
		change(&s)
		if _, err := route.NewConcentrated(s); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestAMovedModelEqualsANewModelOfThatState(t *testing.T) {
	before := concentrated(t, spread())
	_, after, ok := before.Swap(uint256.NewInt(2e16), true)
	if !ok {
		t.Fatal("refused")
	}
	s := spread()
	s.SqrtPrice = *after.(*route.Concentrated).SqrtPrice()
	s.Liquidity, s.Tick = amount(1e18), -336
	moved, err := before.At(&s.SqrtPrice, &s.Liquidity, s.Tick)
	if err != nil {
		t.Fatal(err)
	}
	for _, pool := range []route.Model{concentrated(t, s), moved} {
		for _, zeroForOne := range []bool{true, false} {
			want, _, wantOK := after.Swap(uint256.NewInt(3e15), zeroForOne)
			if got, _, ok := pool.Swap(uint256.NewInt(3e15), zeroForOne); got != want || ok != wantOK {
				t.Errorf("%v, want %v", got.Dec(), want.Dec())
			}
		}
	}
	if _, err := before.At(&s.SqrtPrice, &s.Liquidity, 0); err == nil {
		t.Error("a tick of another price is taken")
	}
}

func FuzzConcentrated(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(1e15), true)
	f.Add(uint64(7), uint64(9), uint64(1), false)
	f.Fuzz(func(t *testing.T, seed1, seed2, in uint64, zeroForOne bool) {
		tradesFairly(t, routetest.Pool(rand.New(rand.NewPCG(seed1, seed2)), 1), in, zeroForOne)
	})
}

func TestATradeAndItsReverseNeverGain(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	for i := range 20_000 {
		tradesFairly(t, routetest.Pool(random, random.Float64()), random.Uint64()>>random.IntN(63), i%2 == 0)
	}
}

// tradesFairly checks properties of every pool: if a whole order is accepted, so is half of it; a larger input has no
// smaller output; two halves have no larger output than the whole, beyond rounding; and trading back never has a
// profit.
func tradesFairly(t *testing.T, pool route.Model, in uint64, zeroForOne bool) {
	t.Helper()
	whole := uint256.NewInt(in)
	out, after, ok := pool.Swap(whole, zeroForOne)
	if !ok || in < 2 {
		return
	}
	if back, _, ok := after.Swap(&out, !zeroForOne); ok && back.Gt(whole) {
		t.Fatalf("%v is traded for %v and back for %v", in, out.Dec(), back.Dec())
	}
	first := uint256.NewInt(in / 2)
	firstOut, half, ok := pool.Swap(first, zeroForOne)
	if !ok {
		if _, concentrated := pool.(*route.Concentrated); concentrated {
			t.Fatalf("%v is taken, but not %v", in, first.Dec())
		}
		return // a pair refuses a swap without output
	}
	if firstOut.Gt(&out) {
		t.Fatalf("%v is paid %v, half of it %v", in, out.Dec(), firstOut.Dec())
	}
	second := new(uint256.Int).Sub(whole, first)
	secondOut, _, ok := half.Swap(second, zeroForOne)
	if !ok {
		return
	}
	var both, allowed uint256.Int
	both.Add(&firstOut, &secondOut)
	// Prices are rounded to 2^-96 of the square root; the effect on an amount is proportional to the amount.
	allowed.AddUint64(&out, 2)
	allowed.Add(&allowed, new(uint256.Int).Rsh(&out, 30))
	if both.Gt(&allowed) {
		t.Fatalf("%v is paid %v, two halves %v", in, out.Dec(), both.Dec())
	}
}

func FuzzSearch(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(3+seed), uint8(4*seed+1), uint8(seed*30), seed*77)
	}
	f.Fuzz(func(t *testing.T, seed uint64, tokens, pools, bits uint8, gas uint64) {
		searchSurvives(t, seed, 2+int(tokens%12), int(pools), 1+int(bits), gas)
	})
}

func TestRandomGraphsAreSearched(t *testing.T) {
	plans := 0
	for seed := range uint64(500) {
		if searchSurvives(t, seed, 2+int(seed%9), int(seed*7%90), 1+int(seed*13%255), seed%3*seed) {
			plans++
		}
	}
	if plans < 150 {
		t.Errorf("only %d markets had a plan", plans)
	}
}

// searchSurvives searches a random market with pools of all kinds, including extreme ones, and checks the plan.
func searchSurvives(t *testing.T, seed uint64, tokens, pools, bits int, gas uint64) bool {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 99))
	m := graph(t, random, tokens, pools, 1)
	r := route.Request{From: 0, To: 1, Amount: routetest.Amount(random, bits)}
	switch seed % 4 {
	case 1:
		r.Gas = &route.GasCost{Price: amount(gas), Native: route.Token(random.IntN(tokens))}
	case 2:
		r.WholePaths = true
	case 3:
		r.MaxPools, r.MaxHops = 1+random.IntN(8), random.IntN(5)
	}
	plan, err := m.Search(t.Context(), r)
	if err != nil {
		return false
	}
	verify(t, m, r, plan)
	return true
}

func TestAModelWithAnotherFeeEqualsANewModelWithThatFee(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	state := spread()
	first := concentrated(t, state)
	for range 500 {
		state.Fee = uint32(random.IntN(65_536))
		in := routetest.Amount(random, 80)
		zeroForOne := random.IntN(2) == 0
		want, _, wanted := concentrated(t, state).Swap(&in, zeroForOne)
		changed := first.WithFee(state.Fee)
		if got, _, ok := changed.Swap(&in, zeroForOne); got != want || ok != wanted || changed.Fee() != state.Fee {
			t.Fatalf("fee %d, %v in: %v (%v), want %v (%v)", state.Fee, in.Dec(), got.Dec(), ok, want.Dec(), wanted)
		}
	}
	if first.Fee() != 3000 {
		t.Errorf("the first pool takes %d now", first.Fee())
	}
}
