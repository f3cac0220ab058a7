package prices

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

const local = "eip155:31337"

// exchangeChain is a local chain with exchanges, and a table configured with their factories.
type exchangeChain struct {
	*exchangetest.Uniswap
	chain  devnettest.Chain
	dollar string // tUSD, six decimals, at one dollar by its feed
	table  *Table
	clock  *now
	reader *evm.Reader
}

func startExchangeChain(t *testing.T) *exchangeChain {
	t.Helper()
	d := devnettest.Start(t)
	chain := d.Chain(t, local)
	file := filepath.Join(t.TempDir(), "devnet.json")
	if err := os.WriteFile(file, d.Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	described := devnet.Open(file, nil)
	lists, err := tokens.Load(tokens.Config{}, described)
	if err != nil {
		t.Fatal(err)
	}
	m := &exchangeChain{Uniswap: exchangetest.Deploy(t, chain), chain: chain, dollar: chain.Token(t, "tUSD").Address, clock: &now{time.Now()}}
	m.table, err = NewTable(Config{Pools: map[string]ChainPools{local: {
		Anchors: []Anchor{{Token: m.dollar, Decimals: 6}},
		Factories: []Factory{
			{Name: "Uniswap", Shape: shapeV2, Address: m.V2, Fee: 3000},
			{Name: "Uniswap", Shape: shapeV3, Address: m.V3, Fees: []uint32{500, 3000}},
		},
	}}}, lists, described, m.clock)
	if err != nil {
		t.Fatal(err)
	}
	m.reader = evm.NewReader(func(string) chainclient.Transport {
		return chain.Forward
	})
	return m
}

// read sends queries until all prices of tokens are fresh, and returns the number of requests.
func (m *exchangeChain) read(t *testing.T, tokens ...string) int {
	t.Helper()
	requests := 0
	send := func(queries []evm.Query) evm.Reading {
		requests++
		reading, err := m.reader.Read(t.Context(), local, queries)
		if err != nil {
			t.Fatal(err)
		}
		return reading
	}
	if batch := m.table.Due(local); len(batch.Queries) > 0 {
		reading := send(batch.Queries)
		m.table.Store(batch, reading.Answers, reading.At)
	}
	var units []Unit
	for _, token := range tokens {
		units = append(units, Unit{evm.MustAddress(token), 18})
	}
	if search := m.table.SearchPools(local, units, true); len(search.Queries) > 0 {
		m.table.StorePools(search, send(search.Queries).Answers)
	}
	for batch := m.table.PoolsDue(local, units); len(batch.Queries) > 0; batch = m.table.PoolsDue(local, units) {
		reading := send(batch.Queries)
		m.table.Store(batch, reading.Answers, reading.At)
	}
	return requests
}

func (m *exchangeChain) price(token string) (Price, bool) {
	return m.table.Price(Asset{local, evm.MustAddress(token)}, "usd", Demand{})
}

func (m *exchangeChain) wantPrice(t *testing.T, token string, want float64) {
	t.Helper()
	got, ok := m.price(token)
	if !ok || math.Abs(got.Amount/want-1) > 1e-4 || got.Source != SourcePool {
		t.Errorf("got %+v %v, want %v from a pool", got, ok, want)
	}
}

func (m *exchangeChain) wantNoPrice(t *testing.T, token string) {
	t.Helper()
	if got, ok := m.price(token); ok {
		t.Errorf("got %+v, want no price", got)
	}
	if !m.table.Unsellable(Asset{local, evm.MustAddress(token)}) {
		t.Error("Unsellable is false, want true")
	}
}

func (m *exchangeChain) token(t *testing.T) string {
	return exchangetest.Token(t, m.chain, "Some", "SOME")
}

func some(token string, whole int64) exchangetest.Amount {
	return exchangetest.Amount{Token: token, Units: exchangetest.Units(whole, 18)}
}

func (m *exchangeChain) dollars(whole int64) exchangetest.Amount {
	return exchangetest.Amount{Token: m.dollar, Units: exchangetest.Units(whole, 6)}
}

func TestOnlyADeepPoolGivesAPrice(t *testing.T) {
	m := startExchangeChain(t)
	deep, thin, poor, alone := m.token(t), m.token(t), m.token(t), m.token(t)
	m.PoolV2(t, some(deep, 10_000), m.dollars(20_000))
	m.PoolV2(t, some(thin, 100), m.dollars(200))
	m.PoolV2(t, some(poor, 10_000), m.dollars(9_999)) // passes the simulated sale, but has too little liquidity
	m.read(t, deep, thin, poor, alone)
	m.wantPrice(t, deep, 2)
	for _, token := range []string{thin, poor, alone} {
		m.wantNoPrice(t, token)
	}
}

// worth returns what an amount of a token, in whole units, is worth.
func (m *exchangeChain) worth(t *testing.T, token string, whole float64) float64 {
	t.Helper()
	p, ok := m.price(token)
	if !ok || p.Market == nil {
		t.Fatalf("got %+v, %t", p, ok)
	}
	return min(whole*p.Amount, p.Market.Limit(whole*1e18))
}

func TestAHoldingIsWorthWhatItsPoolsPay(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	m.PoolV2(t, some(token, 1), m.dollars(10_500))
	m.PoolV3(t, 3000, some(token, 1), m.dollars(10_500))
	m.read(t, token)
	if got := m.worth(t, token, 0.001); got < 10.3 || got > 10.5 {
		t.Errorf("a thousandth of a token is worth %v", got)
	}
	// A tenth of the 21,000 that are in both pools, at a price of 10,500 each.
	for _, whole := range []float64{1, 1_000, 1e30} {
		if got := m.worth(t, token, whole); got > 2_100.1 || got < 1_000 {
			t.Errorf("%v tokens are worth %v", whole, got)
		}
	}
}

func TestAPriceThatNoMarketCanHaveMadeIsNone(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	const totalSupplySlot = "0x0000000000000000000000000000000000000000000000000000000000000002"
	m.chain.Call(t, "anvil_setStorageAt", token, totalSupplySlot, fmt.Sprintf("0x%064x", exchangetest.Units(1, 18)))
	m.PoolV2(t, exchangetest.Amount{Token: token, Units: big.NewInt(1_000)}, m.dollars(10_500))
	m.read(t, token)
	if p, ok := m.price(token); ok {
		t.Errorf("a pool with 1,000 base units gives the price %v", p.Amount)
	}
	if why := m.table.Unpriced(Asset{local, evm.MustAddress(token)}); why != LargeSupply {
		t.Errorf("the reason is %q", why)
	}
}

func TestAYoungPoolGivesNoPrice(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	m.PoolV2(t, some(token, 10_000), m.dollars(20_000))
	m.read(t, token)
	asset := Asset{local, evm.MustAddress(token)}
	known := m.table.pools.tokens[asset]
	search := PoolSearch{chain: local, tokens: []Unit{{asset.Address, 18}}}
	for _, young := range []bool{true, false} {
		m.table.StoreYoung(search, map[evm.Address]bool{known.pools[0].address: young})
		m.clock.at = m.clock.at.Add(31 * time.Second)
		m.read(t, token)
		why := m.table.Unpriced(asset)
		if _, ok := m.price(token); ok == young || (why == YoungPools) != young {
			t.Errorf("young %t: priced %t, the reason is %q", young, ok, why)
		}
	}
}

func TestAReadThatBeganBeforeASearchDoesNotUndoIt(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	b := newPoolTable(nil, w)
	asset := Asset{"eip155:1", evm.Address{1}}
	before, after := pool{address: evm.Address{2}}, pool{address: evm.Address{3}}
	b.tokens[asset] = &tokenPools{searched: w.Now(), pools: []pool{before}}
	early := b.due(asset.Chain, []Unit{{Token: asset.Address}})[0]
	w.Pass(time.Second)
	t.Run("pools", func(t *testing.T) {
		b.tokens[asset].searched, b.tokens[asset].pools = w.Now(), []pool{before, after}
		b.store(early, bestPrice{at: w.Now(), price: &Price{Amount: 1}})
		if n := len(b.tokens[asset].pools); n != 2 || b.tokens[asset].price != nil {
			t.Errorf("%d pools are left", n)
		}
	})
	t.Run("young", func(t *testing.T) {
		early := b.due(asset.Chain, []Unit{{Token: asset.Address}})[0]
		b.storeYoung(PoolSearch{chain: asset.Chain, tokens: []Unit{{Token: asset.Address}}}, map[evm.Address]bool{after.address: true})
		b.store(early, bestPrice{at: w.Now(), price: &Price{Amount: 1}})
		if young := b.youngOf(asset); !young[after.address] || young[before.address] {
			t.Errorf("the young pools are %v", young)
		}
	})
}

func TestKnownPoolsAreReadWithTheFeeds(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	m.PoolV2(t, some(token, 10_000), m.dollars(20_000))
	if requests := m.read(t, token); requests != 3 {
		t.Errorf("first: %d requests, want 3: feeds, pools and their state", requests)
	}
	if requests := m.read(t, token); requests != 0 {
		t.Errorf("at once after: %d requests, want 0", requests)
	}
	m.clock.at = m.clock.at.Add(31 * time.Second)
	if age, _ := must(m.price(token)).Age(m.clock.at); age != 31 {
		t.Errorf("the price is %d s old, want 31", age)
	}
	if requests := m.read(t, token); requests != 1 {
		t.Errorf("31 s later: %d requests, want 1", requests)
	}
	m.clock.at = m.clock.at.Add(61 * time.Second)
	if got, ok := m.price(token); ok {
		t.Errorf("a price of 61 s ago is still returned: %v", got)
	}
}

func must(p Price, _ bool) Price { return p }

// tickOf returns the tick of a price in tUSD (6 decimals) of a token with 18 decimals, rounded to a spacing. A pool's price is token1 per
// token0, so direction is 1 if the token is token0, and -1 otherwise.
func (m *exchangeChain) tickOf(token string, price float64, spacing int64) (tick int64, direction int64) {
	raw := math.Log(price*1e-12) / math.Log(1.0001)
	direction = 1
	first, dollar := evm.MustAddress(token), evm.MustAddress(m.dollar)
	if new(big.Int).SetBytes(first[:]).Cmp(new(big.Int).SetBytes(dollar[:])) > 0 {
		direction = -1
	}
	return int64(math.Floor(raw*float64(direction)/float64(spacing))) * spacing, direction
}

func TestConcentratedCurveMatchesThePoolsQuote(t *testing.T) {
	m := startExchangeChain(t)
	for _, fee := range []int64{500, 3000} {
		token := m.token(t)
		m.PoolV3(t, fee, some(token, 1), m.dollars(5))
		tick, _ := m.tickOf(token, 5, 60)
		m.Position(t, fee, some(token, 4_000), m.dollars(20_000), tick-600, tick+660)
		m.Position(t, fee, some(token, 4_000), m.dollars(20_000), tick-60, tick+120)
		m.read(t, token)
		m.wantPrice(t, token, 5)
		c := m.curve(t, token)
		for _, whole := range []int64{1, 200, 5_000} {
			sold := some(token, whole)
			quoted, _ := new(big.Float).SetInt(m.Quote(t, fee, sold, m.dollar)).Float64()
			amount, _ := new(big.Float).SetInt(sold.Units).Float64()
			if got := c.Sell(amount); math.Abs(got/quoted-1) > 1e-6 {
				t.Errorf("fee %d: selling %d tokens returns %.0f, the quoter returns %.0f", fee, whole, got, quoted)
			}
		}
	}
}

// curve returns the curve of the only pool of a token.
func (m *exchangeChain) curve(t *testing.T, token string) depth.Curve {
	t.Helper()
	one := m.table.pools.tokens[Asset{local, evm.MustAddress(token)}].pools[0]
	reading, err := m.reader.Read(t.Context(), local, one.queries())
	if err != nil {
		t.Fatal(err)
	}
	c, state := one.curve(reading.Answers)
	if state != complete {
		t.Fatal("the ticks around the current one were not read")
	}
	return c
}

func TestLiquidityFarBelowThePriceDoesNotCountAsDepth(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	m.PoolV3(t, 3000, some(token, 1), m.dollars(5))
	tick, _ := m.tickOf(token, 5, 60)
	m.Position(t, 3000, some(token, 10), m.dollars(50), tick-60, tick+120)
	far, direction := m.tickOf(token, 0.05, 60)
	m.Position(t, 3000, some(token, 0), m.dollars(30_000), min(far, far-direction*600), max(far, far-direction*600))
	m.read(t, token)
	m.wantNoPrice(t, token)
}

func TestPoolIsReadAgainWhenItsTickMoved(t *testing.T) {
	m := startExchangeChain(t)
	token := m.token(t)
	m.PoolV3(t, 3000, some(token, 1), m.dollars(5))
	tick, _ := m.tickOf(token, 5, 60)
	m.Position(t, 3000, some(token, 40_000), m.dollars(200_000), tick-6000, tick+6000)
	m.read(t, token)
	cached := m.table.pools.tokens[Asset{local, evm.MustAddress(token)}]
	cached.pools[0].tick += 1200 * -cached.pools[0].direction() // as if it had been read at another price
	m.clock.at = m.clock.at.Add(31 * time.Second)
	m.read(t, token)
	m.wantPrice(t, token, 5)
}

func TestInvalidExchangeConfigIsRefused(t *testing.T) {
	at := "0xdAC17F958D2ee523a2206206994597C13D831ec7"
	for name, pools := range map[string]ChainPools{
		"shape":       {Factories: []Factory{{Shape: "v4", Address: at}}},
		"no v2 fee":   {Factories: []Factory{{Shape: shapeV2, Address: at}}},
		"no such fee": {Factories: []Factory{{Shape: shapeV3, Address: at, Fees: []uint32{3001}}}},
		"address":     {Factories: []Factory{{Shape: shapeV2, Address: "0x12", Fee: 3000}}},
		"anchor":      {Anchors: []Anchor{{Token: "USDC"}}},
		"wrapped":     {Wrapped: "WETH"},
	} {
		if _, err := parseExchanges(map[string]ChainPools{local: pools}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestWrappedCurrencyHasTheNativePrice(t *testing.T) {
	b, _ := newTable(t, Config{})
	store(t, b, "eip155:250", nil)
	wrapped := Asset{"eip155:250", evm.MustAddress("0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83")}
	if price, ok := b.Price(wrapped, "usd", Demand{}); !ok || price.Amount != 2000 || price.Source != SourceFeed {
		t.Errorf("got %+v %v, want 2000 of the native currency's feed", price, ok)
	}
}
