package prices

import (
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
)

// sale is a token whose pools are asked what they would pay.
type sale struct {
	asset   Asset
	markets []market
}

// queries ask every pool of the sale for its state.
func (s sale) queries() []evm.Query {
	var queries []evm.Query
	for i := range s.markets {
		queries = append(queries, s.markets[i].queries()...)
	}
	return queries
}

// due are the sales to ask for: of the tokens given, or, given nil, of those in use, as far as one reading can take them along.
func (b *poolBook) due(chainID string, tokens []Unit) []sale {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sales []sale
	if tokens != nil {
		for _, u := range tokens {
			sales = b.appendDue(sales, Asset{chainID, u.Token})
		}
		return sales
	}
	room := readAtOnce
	for asset, t := range b.tokens {
		if asset.Chain == chainID && b.clock.Now().Sub(t.used) < usedFor && len(t.markets) <= room {
			sales = b.appendDue(sales, asset)
			room -= len(t.markets)
		}
	}
	return sales
}

func (b *poolBook) appendDue(sales []sale, asset Asset) []sale {
	t := b.tokens[asset]
	if t == nil || len(t.markets) == 0 || b.clock.Now().Sub(t.read) < lifetime {
		return sales
	}
	return append(sales, sale{asset, slices.Clone(t.markets)})
}

// learn takes the answers to the queries of sales; anchorPrice is in US dollars per whole unit.
func (b *poolBook) learn(sales []sale, answers [][]evm.Answer, anchorPrice func(asset Asset) (Price, bool)) {
	for _, s := range sales {
		offer := offer{at: b.clock.Now()}
		for i := range s.markets {
			m := &s.markets[i]
			n := len(m.queries())
			anchor, priced := anchorPrice(Asset{s.asset.Chain, m.anchor.Token})
			offer.consider(m, answers[:n], anchor.Amount, priced)
			answers = answers[n:]
		}
		b.settle(s, offer)
	}
}

// offer is the best that the pools of one token would pay.
type offer struct {
	at        time.Time
	price     *Price
	liquidity float64
	// again says that a pool stands where it was not looked at yet.
	again bool
}

// consider takes a pool's price when it is deep enough, and deeper than those before.
func (o *offer) consider(m *market, answers [][]evm.Answer, anchorPrice float64, priced bool) {
	curve, stands := m.curve(answers)
	o.again = o.again || stands == elsewhere
	if stands != here || !priced {
		return
	}
	price, liquidity, deep := worth(curve, m.token, m.anchor, anchorPrice)
	if deep && liquidity > o.liquidity {
		o.price, o.liquidity = &Price{Amount: price, Source: SourcePool, At: o.at}, liquidity
	}
}

// settle remembers what a sale would bring, and where its pools stand.
func (b *poolBook) settle(s sale, o offer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[s.asset]
	if t == nil {
		return
	}
	t.markets, t.price = s.markets, o.price
	if !o.again {
		t.read = o.at
	}
}

// price is what the pools would pay, unless that is too old to be told.
func (b *poolBook) price(asset Asset) (Price, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[asset]
	if t == nil || t.price == nil || b.clock.Now().Sub(t.price.At) > 2*lifetime {
		return Price{}, false
	}
	return *t.price, true
}

// unsellable says whether all pools of a token are known and none is deep enough.
func (b *poolBook) unsellable(asset Asset) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tokens[asset]
	if t == nil || t.searched.IsZero() || t.price != nil {
		return false
	}
	return len(t.markets) == 0 || !t.read.IsZero()
}
