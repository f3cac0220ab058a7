package route_test

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// exchange is Uniswap's deployed bytecode on a local chain, with two tokens in the order of their addresses.
type exchange struct {
	*exchangetest.Uniswap
	chain          devnettest.Chain
	token0, token1 string
	random         *rand.Rand
}

func openExchange(t *testing.T) *exchange {
	t.Helper()
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	e := &exchange{Uniswap: exchangetest.Deploy(t, chain), chain: chain, random: rand.New(rand.NewPCG(1, 2))}
	e.token0, e.token1 = exchangetest.Token(t, chain, "A", "A"), exchangetest.Token(t, chain, "B", "B")
	a, b := evm.MustAddress(e.token0), evm.MustAddress(e.token1)
	if bytes.Compare(a[:], b[:]) > 0 {
		e.token0, e.token1 = e.token1, e.token0
	}
	return e
}

// below returns a random number of at least 1, of any magnitude below 2^bits.
func (e *exchange) below(bits int) *big.Int {
	n := new(big.Int)
	for i := range 1 + e.random.IntN(bits) {
		n.SetBit(n, i, uint(e.random.IntN(2)))
	}
	if n.Sign() == 0 {
		n.SetInt64(1)
	}
	return n
}

func whole(n *big.Int) *uint256.Int { return uint256.MustFromBig(n) }

// A pair does not return an output: it refuses to pay more than its invariant allows. So the pair must pay the model's
// output, and must refuse to pay one unit more.
func TestAPairPaysExactlyTheOutputOfTheModel(t *testing.T) {
	e := openExchange(t)
	pair := e.Pair(t, e.token0, e.token1)
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 112), big.NewInt(1))
	for i := range 400 {
		reserves := [2]*big.Int{e.below(112), e.below(112)}
		in, zeroForOne := e.below(112), i%2 == 0
		if i%8 == 0 {
			in.Sub(most, reserves[1-i%2]) // the largest input that fits
			in.Add(in, big.NewInt(int64(i/8%2)))
		}
		if in.Sign() == 0 {
			continue
		}
		model, err := route.NewConstantProduct(whole(reserves[0]), whole(reserves[1]), 997, 1000)
		if err != nil {
			t.Fatal(err)
		}
		out, after, ok := model.Swap(whole(in), zeroForOne)

		e.SetReserves(t, pair, reserves[0], reserves[1])
		held := [2]*big.Int{new(big.Int).Set(reserves[0]), new(big.Int).Set(reserves[1])}
		sold := 1
		if zeroForOne {
			sold = 0
		}
		held[sold].Add(held[sold], in)
		exchangetest.Give(t, e.chain, e.token0, pair, held[0])
		exchangetest.Give(t, e.chain, e.token1, pair, held[1])
		pay := func(n *big.Int) evm.Call {
			if zeroForOne {
				return exchangetest.SwapV2(pair, new(big.Int), n, "0x00000000000000000000000000000000000000aa")
			}
			return exchangetest.SwapV2(pair, n, new(big.Int), "0x00000000000000000000000000000000000000aa")
		}
		answers, err := evm.CallEach(t.Context(), e.chain.Forward, []evm.Call{pay(out.ToBig()), pay(new(big.Int).Add(out.ToBig(), big.NewInt(1)))})
		if err != nil {
			t.Fatal(err)
		}
		if answers[0].OK != ok || answers[1].OK {
			t.Fatalf("reserves %v, in %v, zeroForOne %v: the model says %v (%v), the pair pays it %v and one more %v",
				reserves, in, zeroForOne, out.Dec(), ok, answers[0].OK, answers[1].OK)
		}
		if ok && after == nil {
			t.Fatal("no state after a trade")
		}
	}
}

// kinds are v3 pools: the usual ones, and two that only an unusual factory has.
var kinds = []struct{ fee, spacing int64 }{{100, 1}, {500, 10}, {3000, 60}, {10000, 200}, {1, 7}, {400000, 1000}}

func TestAConcentratedPoolPaysExactlyTheOutputOfTheModel(t *testing.T) {
	e := openExchange(t)
	plenty := new(big.Int).Lsh(big.NewInt(1), 254)
	quotes, crossings, refused := 0, int64(0), 0
	for _, kind := range kinds {
		pool := e.EmptyPool(t, e.token0, e.token1, kind.fee, kind.spacing)
		exchangetest.Give(t, e.chain, e.token0, pool, plenty)
		exchangetest.Give(t, e.chain, e.token1, pool, plenty)
		var before exchangetest.StateV3
		for range 5 {
			state := e.state(kind.spacing)
			e.SetState(t, pool, kind.spacing, before, state)
			before = state
			model := e.model(t, kind.fee, kind.spacing, state)
			q, c, r := e.compare(t, kind.fee, model)
			quotes, crossings, refused = quotes+q, crossings+c, refused+r
		}
	}
	t.Logf("%d quotes equal, %d ticks crossed, %d orders refused", quotes, crossings, refused)
	if quotes < 1000 || crossings < 700 || refused < 40 {
		t.Error("the states have become too tame")
	}
}

// Trades are made in sequence by a real router. After each one, the state of the pool must equal that of the model.
func TestTheStateAfterATradeEqualsThatOfTheModel(t *testing.T) {
	e := openExchange(t)
	plenty := new(big.Int).Lsh(big.NewInt(1), 250)
	for _, kind := range kinds[:3] {
		pool := e.EmptyPool(t, e.token0, e.token1, kind.fee, kind.spacing)
		var before exchangetest.StateV3
		for range 4 {
			state := e.state(kind.spacing)
			e.SetState(t, pool, kind.spacing, before, state)
			before = state
			exchangetest.Give(t, e.chain, e.token0, pool, plenty)
			exchangetest.Give(t, e.chain, e.token1, pool, plenty)
			e.tradeOn(t, pool, kind.fee, e.model(t, kind.fee, kind.spacing, state))
		}
	}
}

// tradeOn trades some amounts back and forth, including the smallest one, on the chain and with the model.
func (e *exchange) tradeOn(t *testing.T, pool string, fee int64, model route.Model) {
	t.Helper()
	for i := range 8 {
		in := e.below(1 + e.random.IntN(70))
		sold, bought := e.token0, e.token1
		if i%2 == 1 {
			sold, bought = bought, sold
		}
		out, after, ok := model.Swap(whole(in), i%2 == 0)
		if !ok {
			continue
		}
		paid := e.SwapV3(t, fee, exchangetest.Amount{Token: sold, Units: in}, bought)
		stands := e.State(t, pool)
		model = after
		left := after.(*route.Concentrated)
		if paid == nil || paid.Cmp(out.ToBig()) != 0 || stands.SqrtPrice.Cmp(left.SqrtPrice().ToBig()) != 0 ||
			stands.Tick != int64(left.Tick()) || stands.Liquidity.Cmp(left.Liquidity().ToBig()) != 0 {
			t.Fatalf("%v of token%d: the chain pays %v and stands at %+v, the model pays %v and stands at %v, tick %d, liquidity %v",
				in, i%2, paid, stands, out.Dec(), left.SqrtPrice().Dec(), left.Tick(), left.Liquidity().Dec())
		}
	}
}

// compare compares quotes of the chain and of the model, of all sizes in both directions: the output and the price
// after it.
func (e *exchange) compare(t *testing.T, fee int64, model *route.Concentrated) (quotes int, crossings int64, refused int) {
	t.Helper()
	var orders []*big.Int
	var calls []evm.Call
	for i := range 72 {
		in := e.below(90)
		if i < 4 {
			in = big.NewInt(int64(i/2 + 1))
		}
		sold, bought := e.token0, e.token1
		if i%2 == 1 {
			sold, bought = bought, sold
		}
		orders = append(orders, in)
		calls = append(calls, e.QuoteV3(fee, exchangetest.Amount{Token: sold, Units: in}, bought))
	}
	answers, err := evm.CallEach(t.Context(), e.chain.Forward, calls)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range orders {
		paid, price, crossed, answered := exchangetest.QuotedV3(answers[i])
		out, after, ok := model.Swap(whole(in), i%2 == 0)
		if !ok {
			if answered && !atTheEnd(price) {
				t.Fatalf("%v of token%d: the model refuses, the chain pays %v and stands at %v", in, i%2, paid, price)
			}
			refused++
			continue
		}
		if !answered || paid.Cmp(out.ToBig()) != 0 || price.Cmp(after.(*route.Concentrated).SqrtPrice().ToBig()) != 0 {
			t.Fatalf("%v of token%d: the model pays %v and stands at %v, the chain (%v) %v and %v",
				in, i%2, out.Dec(), after.(*route.Concentrated).SqrtPrice().Dec(), answered, paid, price)
		}
		quotes++
		crossings += crossed
	}
	return quotes, crossings, refused
}

// atTheEnd reports whether a swap stopped at the end of the price range with a part of the input left.
func atTheEnd(price *big.Int) bool {
	low := big.NewInt(4295128740)
	high, _ := new(big.Int).SetString("1461446703485210103287273052203988822378723970341", 10)
	return price.Cmp(low) == 0 || price.Cmp(high) == 0
}

// state returns a random state: positions around a price anywhere in the range, which is sometimes exactly at a tick,
// reached from either side.
func (e *exchange) state(spacing int64) exchangetest.StateV3 {
	tick := e.random.Int64N(2*500_000) - 500_000
	if e.random.IntN(3) > 0 {
		tick = e.random.Int64N(40_000) - 20_000
	}
	if e.random.IntN(3) == 0 {
		tick = tick / spacing * spacing
	}
	state := exchangetest.StateV3{Tick: tick, Liquidity: new(big.Int), Ticks: map[int64]*big.Int{}}
	price := sqrtPriceAt(tick)
	switch next := sqrtPriceAt(tick + 1); e.random.IntN(3) {
	case 0:
		state.SqrtPrice = price
		if e.random.IntN(2) == 0 {
			state.Tick-- // the price has just fallen to the tick
		}
	default:
		share := new(big.Int).Mul(new(big.Int).Sub(next, price), big.NewInt(e.random.Int64N(1<<40)))
		state.SqrtPrice = price.Add(price, share.Rsh(share, 40))
	}
	for range e.random.IntN(24) {
		width := spacing * (1 + e.random.Int64N(1+60_000/spacing>>e.random.IntN(10)))
		low := (tick + e.random.Int64N(2*width+1) - width) / spacing * spacing
		low = max(low, -887272/spacing*spacing)
		high := min(low+width, 887272/spacing*spacing)
		if high <= low {
			continue
		}
		liquidity := e.below(50 + e.random.IntN(50))
		for at, change := range map[int64]*big.Int{low: liquidity, high: new(big.Int).Neg(liquidity)} {
			if state.Ticks[at] == nil {
				state.Ticks[at] = new(big.Int)
			}
			state.Ticks[at].Add(state.Ticks[at], change)
		}
		if low <= state.Tick && state.Tick < high {
			state.Liquidity.Add(state.Liquidity, liquidity)
		}
	}
	return state
}

func (e *exchange) model(t *testing.T, fee, spacing int64, state exchangetest.StateV3) *route.Concentrated {
	t.Helper()
	s := route.ConcentratedState{
		Fee: uint32(fee), Spacing: int32(spacing), Tick: int32(state.Tick),
		SqrtPrice: *whole(state.SqrtPrice), Liquidity: *whole(state.Liquidity),
	}
	for tick, net := range state.Ticks {
		entry := route.Tick{Index: int32(tick)}
		if entry.Net.SetFromBig(new(big.Int).Abs(net)); net.Sign() < 0 {
			entry.Net.Neg(&entry.Net)
		}
		s.Ticks = append(s.Ticks, entry)
	}
	slices.SortFunc(s.Ticks, func(a, b route.Tick) int { return int(a.Index - b.Index) })
	model, err := route.NewConcentrated(s)
	if err != nil {
		t.Fatalf("%+v: %v", state, err)
	}
	return model
}

func sqrtPriceAt(tick int64) *big.Int {
	price := route.SqrtPriceAt(int32(tick))
	return price.ToBig()
}
