package routetest

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hawser-dev/hawser/services/convert/route"
)

// hubs are the tokens against which most other tokens are traded.
var hubs = []Token{
	{Symbol: "WETH", Decimals: 18, Price: 3000}, {Symbol: "USDC", Decimals: 6, Price: 1}, {Symbol: "USDT", Decimals: 6, Price: 1},
	{Symbol: "DAI", Decimals: 18, Price: 1}, {Symbol: "WBTC", Decimals: 8, Price: 100_000}, {Symbol: "LINK", Decimals: 18, Price: 20},
	{Symbol: "UNI", Decimals: 18, Price: 10}, {Symbol: "AAVE", Decimals: 18, Price: 250}, {Symbol: "wstETH", Decimals: 18, Price: 3600},
	{Symbol: "FRAX", Decimals: 18, Price: 1},
}

// popularity is how often a less common token is paired with each hub.
var popularity = []float64{.5, .22, .12, .05, .03, .02, .02, .02, .01, .01}

// tiers are the fees of v3 with their tick spacings.
var tiers = []struct {
	fee     uint32
	spacing int32
}{{100, 1}, {500, 10}, {3000, 60}, {10000, 200}}

// Generate generates a market of about the given number of pools, four of five of them constant products; the same
// number gives the same market. No cycle of trades has a profit, because every pool's price is off by less than its
// fee. There are 36 queries, from small to large, between hubs and less common tokens.
func Generate(pools int) *Market {
	g := &generator{random: rand.New(rand.NewPCG(0x9e3779b9, uint64(pools))), market: &Market{}, pairs: pools * 4 / 5, concentrated: pools / 5}
	g.tokens(max(len(hubs)+20, pools*4/25))
	g.hubPools()
	g.tailPools()
	g.queries()
	return g.market
}

type generator struct {
	random              *rand.Rand
	market              *Market
	pairs, concentrated int
}

func (g *generator) tokens(n int) {
	for i := range n {
		t := Token{Symbol: fmt.Sprintf("T%d", i), Decimals: 18, Price: math.Exp(g.random.NormFloat64() * 2)}
		if g.random.Float64() < 0.15 {
			t.Decimals = 6
		}
		if i < len(hubs) {
			t = hubs[i]
		}
		t.ID = i
		t.Address = fmt.Sprintf("0x1%010x%029x", g.random.Uint64N(1<<40), i)
		g.market.Tokens = append(g.market.Tokens, t)
	}
}

func (g *generator) hubPools() {
	for i := range hubs {
		for j := i + 1; j < len(hubs); j++ {
			a, b := g.market.Tokens[i], g.market.Tokens[j]
			base := g.around(2e6, 1.5)
			if i < 2 {
				base *= 4
			}
			for range 4 {
				g.pair(a, b, base*g.around(1, 1.2))
			}
			for tier := range 3 {
				g.pool(a, b, 2*base*g.around(1, 1.2), tier)
			}
		}
	}
}

func (g *generator) tailPools() {
	tails := g.market.Tokens[len(hubs):]
	any := func() Token { return tails[g.random.IntN(len(tails))] }
	for len(g.market.V3) < g.concentrated {
		tier := 2
		if g.random.Float64() > 0.7 {
			tier = 3
		}
		g.pool(any(), g.hub(), g.around(3e5, 1.5), tier)
	}
	for i := 0; len(g.market.V2) < g.pairs*19/20; i++ {
		g.pair(tails[i%len(tails)], g.hub(), g.around(1.5e5, 1.6))
	}
	for len(g.market.V2) < g.pairs {
		if a, b := any(), any(); a.ID != b.ID {
			g.pair(a, b, g.around(5e4, 1))
		}
	}
}

func (g *generator) queries() {
	hub, tails := g.market.Tokens, g.market.Tokens[len(hubs):]
	ask := func(a, b Token, usd float64, class string) {
		g.market.Queries = append(g.market.Queries, Query{a.ID, b.ID, units(usd, a).String(), usd, class})
	}
	for _, usd := range []float64{1e3, 1e5, 1e6} {
		for _, pair := range [][2]int{{0, 1}, {2, 4}, {5, 7}, {8, 3}} {
			ask(hub[pair[0]], hub[pair[1]], usd, "hub-hub")
		}
	}
	for i := range 12 {
		ask(tails[i*31%len(tails)], hub[i%3], []float64{1e3, 1e4, 5e4}[i%3], "tail-hub")
	}
	for i := range 12 {
		ask(tails[(i*17+3)%len(tails)], tails[(i*53+9)%len(tails)], []float64{1e3, 1e4, 5e4}[i%3], "tail-tail")
	}
}

// around returns a log-normal random number.
func (g *generator) around(middle, deviation float64) float64 {
	return math.Exp(math.Log(middle) + g.random.NormFloat64()*deviation)
}

func (g *generator) hub() Token {
	at := g.random.Float64()
	for i, share := range popularity {
		if at -= share; at < 0 {
			return g.market.Tokens[i]
		}
	}
	return g.market.Tokens[0]
}

// pair adds a constant-product pool worth usd dollars.
func (g *generator) pair(a, b Token, usd float64) {
	a, b = sorted(a, b)
	off := math.Sqrt(1 + clamp(g.random.NormFloat64()*0.0013, 0.0027))
	reserve0, reserve1 := units(usd/2*off, a), units(usd/2/off, b)
	if reserve0.Cmp(big.NewInt(1000)) < 0 || reserve1.Cmp(big.NewInt(1000)) < 0 {
		return
	}
	g.market.V2 = append(g.market.V2, Pair{a.ID, b.ID, reserve0.String(), reserve1.String()})
}

// pool adds a concentrated pool with some positions worth usd dollars together.
func (g *generator) pool(a, b Token, usd float64, tier int) {
	a, b = sorted(a, b)
	fee, spacing := tiers[tier].fee, tiers[tier].spacing
	share := float64(fee) / 1e6
	off := 1 + clamp(g.random.NormFloat64()*min(0.0013, share/2), 0.9*share)
	price := a.Price / b.Price * off * math.Pow10(b.Decimals-a.Decimals)
	place := math.Log(price) / math.Log(1.0001)
	if math.Abs(place) > 800_000 {
		return
	}
	tick := int32(math.Floor(place))
	net, liquidity := map[int32]*big.Int{}, new(big.Int)
	positions := 3 + g.random.IntN(18)
	for range positions {
		low, high := g.span(tick, fee, spacing)
		amount := liquidityWorth(usd/float64(positions), price, low, high, a, b)
		if amount.Sign() <= 0 {
			continue
		}
		for at, change := range map[int32]*big.Int{low: amount, high: new(big.Int).Neg(amount)} {
			if net[at] == nil {
				net[at] = new(big.Int)
			}
			net[at].Add(net[at], change)
		}
		if low <= tick && tick < high {
			liquidity.Add(liquidity, amount)
		}
	}
	maps.DeleteFunc(net, func(_ int32, change *big.Int) bool { return change.Sign() == 0 })
	if liquidity.Sign() == 0 || len(net) < 2 {
		return
	}
	pool := Concentrated{
		Token0: a.ID, Token1: b.ID, Fee: fee, Spacing: spacing, SqrtPrice: sqrtPrice(tick, place-float64(tick)).String(), Tick: tick,
		Liquidity: liquidity.String(),
	}
	for _, at := range slices.Sorted(maps.Keys(net)) {
		pool.Ticks = append(pool.Ticks, Tick{at, net[at].String()})
	}
	g.market.V3 = append(g.market.V3, pool)
}

// span returns the ticks at which a position begins and ends.
func (g *generator) span(tick int32, fee uint32, spacing int32) (low, high int32) {
	width := math.Exp(math.Log(float64(fee)*0.02+20) + math.Abs(g.random.NormFloat64())*1.5)
	half := max(spacing, int32(width)/spacing*spacing)
	centre := tick + int32(math.Floor(g.random.NormFloat64()*float64(half)*0.3))
	low = max(-880_000, centre-half) / spacing * spacing
	high = min(880_000, centre+half) / spacing * spacing
	if high <= low {
		high = low + spacing
	}
	return low, high
}

// liquidityWorth returns the liquidity between two ticks that is worth usd dollars.
func liquidityWorth(usd, price float64, low, high int32, a, b Token) *big.Int {
	root := func(tick int32) float64 { return math.Pow(1.0001, float64(tick)/2) }
	bottom, top := root(low), root(high)
	at := min(max(math.Sqrt(price), bottom), top)
	worth := (1/at-1/top)/math.Pow10(a.Decimals)*a.Price + (at-bottom)/math.Pow10(b.Decimals)*b.Price
	if !(worth > 0) {
		return new(big.Int)
	}
	liquidity, _ := big.NewFloat(math.Floor(usd / worth)).Int(nil)
	return liquidity
}

// sqrtPrice returns a square root price between those of a tick and of the next one.
func sqrtPrice(tick int32, share float64) *big.Int {
	low, high := route.SqrtPriceAt(tick), route.SqrtPriceAt(tick+1)
	width := new(big.Int).Sub(high.ToBig(), low.ToBig())
	width.Mul(width, big.NewInt(int64(share*1e9))).Div(width, big.NewInt(1e9))
	return width.Add(width, low.ToBig())
}

// units returns the value of usd dollars in a token's base units, at least one.
func units(usd float64, t Token) *big.Int {
	millionths, _ := big.NewFloat(math.Round(usd / t.Price * 1e6)).Int(nil)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals)), nil)
	n := millionths.Mul(millionths, scale)
	if n.Div(n, big.NewInt(1e6)).Sign() == 0 {
		return big.NewInt(1)
	}
	return n
}

func sorted(a, b Token) (first, second Token) {
	if a.Address < b.Address {
		return a, b
	}
	return b, a
}

func clamp(x, limit float64) float64 { return max(-limit, min(limit, x)) }
