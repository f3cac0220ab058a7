package prices

import (
	"math"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// dueToken is a token whose pools are due to be read.
type dueToken struct {
	asset Asset
	pools []pool
	// searched is the time of the search that found the pools.
	searched time.Time
}

// queries returns the queries for the state of every pool of the token.
func (s dueToken) queries() []evm.Query {
	var queries []evm.Query
	for i := range s.pools {
		queries = append(queries, s.pools[i].queries()...)
	}
	return queries
}

// due returns those of the tokens whose pools are due to be read; for nil, of all tokens in use, up to maxPoolReads pools.
func (b *poolTable) due(chainID string, tokens []Unit) []dueToken {
	b.mu.Lock()
	defer b.mu.Unlock()
	var due []dueToken
	if tokens != nil {
		for _, u := range tokens {
			due = b.appendDue(due, Asset{chainID, u.Token})
		}
		return due
	}
	left := maxPoolReads
	for asset, t := range b.tokens {
		if asset.Chain == chainID && b.clock.Now().Sub(t.used) < usedLifetime && len(t.pools) <= left {
			due = b.appendDue(due, asset)
			left -= len(t.pools)
		}
	}
	return due
}

func (b *poolTable) appendDue(due []dueToken, asset Asset) []dueToken {
	t := b.tokens[asset]
	if t == nil || len(t.pools) == 0 || b.clock.Now().Sub(t.read) < lifetime {
		return due
	}
	return append(due, dueToken{asset, slices.Clone(t.pools), t.searched})
}

// storeReads stores the answers to the queries of due. anchorPrice is in US dollars per whole unit.
func (b *poolTable) storeReads(due []dueToken, answers [][]evm.Answer, anchorPrice func(asset Asset) (Price, bool)) {
	for _, s := range due {
		best := bestPrice{at: b.clock.Now()}
		young := b.youngOf(s.asset)
		for i := range s.pools {
			m := &s.pools[i]
			n := len(m.queries())
			anchor, priced := anchorPrice(Asset{s.asset.Chain, m.anchor.Token})
			best.consider(m, young[m.address], answers[:n], anchor.Amount, priced)
			answers = answers[n:]
		}
		b.store(s, best)
	}
}

// youngOf returns the young pools of a token. The map is never changed.
func (b *poolTable) youngOf(asset Asset) map[evm.Address]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tokens[asset]; t != nil {
		return t.young
	}
	return nil
}

// bestPrice is the price of a token in its deepest pool.
type bestPrice struct {
	at        time.Time
	price     *Price
	liquidity float64
	market    depth.Market
	// whole is the number of base units of the token in a whole one.
	whole float64
	// moved means that a pool must be read again, see [tickMoved]; young that a pool was left out because it is.
	moved, young bool
}

// consider takes a pool's price if the pool is deep enough and old enough, and deeper than those before.
func (o *bestPrice) consider(m *pool, young bool, answers [][]evm.Answer, anchorPrice float64, priced bool) {
	curve, state := m.curve(answers)
	o.moved = o.moved || state == tickMoved
	if state != complete || !priced {
		return
	}
	price, liquidity, deep := depth.Worth(curve, m.token.Decimals, m.anchor.Decimals, anchorPrice)
	if deep && young {
		o.young = true
	}
	if !deep || young {
		return
	}
	o.market.Add(curve, m.anchor.Decimals, anchorPrice)
	o.whole = math.Pow10(int(m.token.Decimals))
	if liquidity > o.liquidity {
		o.price, o.liquidity = &Price{Amount: price, Source: SourcePool, At: o.at}, liquidity
	}
}

// store stores the price of a token and the current ticks of its pools, unless the pools were searched meanwhile.
func (b *poolTable) store(s dueToken, o bestPrice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[s.asset]
	if t == nil || !t.searched.Equal(s.searched) {
		return
	}
	t.pools, t.price, t.unpriced = s.pools, o.price, ""
	switch {
	case o.price == nil && o.young:
		t.unpriced = YoungPools
	case o.price == nil:
		t.unpriced = ThinPools
	case !o.market.Bears(t.supply / o.whole * o.price.Amount):
		t.price, t.unpriced = nil, LargeSupply
	default:
		t.price.Market = &o.market
	}
	if !o.moved {
		t.read = o.at
	}
}

// unpriced returns why the pools of a token give it no price.
func (b *poolTable) unpriced(asset Asset) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[asset]
	if t == nil || t.price != nil || t.read.IsZero() {
		return ""
	}
	return t.unpriced
}

// price returns the price of the deepest pool; false if there is none, or if it is stale.
func (b *poolTable) price(asset Asset) (Price, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[asset]
	if t == nil || t.price == nil || b.clock.Now().Sub(t.price.At) > 2*lifetime {
		return Price{}, false
	}
	return *t.price, true
}

// unsellable reports whether all pools of a token were read and none is deep enough.
func (b *poolTable) unsellable(asset Asset) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[asset]
	if t == nil || t.searched.IsZero() || t.price != nil {
		return false
	}
	return len(t.pools) == 0 || !t.read.IsZero()
}
