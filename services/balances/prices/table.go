// Package prices prices tokens, for display only: never for a decision about money.
//
// It makes no contract calls: it returns the queries to make on each chain, so that callers can send them with their own, and stores the
// answers. The sources are, in this order, the configuration, feeds and oracles, the token's deepest pool if it is deep enough, and a
// vendor. What a holding is worth at the price of pools is limited by what they pay, unless the vendor's price agrees with it. A stale price counts as unknown, and no stable coin is assumed to be worth a dollar.
package prices

import (
	"context"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// lifetime is how long the prices of a chain's feeds and pools are cached.
	lifetime = 30 * time.Second
	// ratesChain is the chain whose feeds give the rates of other currencies.
	ratesChain = "eip155:1"
	// oracleDecimals is the number of decimals of an AaveOracle's prices.
	oracleDecimals = 8
)

// Asset is a token of a chain; its Address is evm.Native for the native currency.
type Asset struct {
	Chain   string // CAIP-2
	Address evm.Address
}

// coin returns the asset as vendors name it.
func (a Asset) coin() Coin {
	if a.Address == evm.Native {
		return Coin{Chain: a.Chain}
	}
	return Coin{a.Chain, a.Address.String()}
}

// Table caches the prices of tokens. It is safe for concurrent use.
type Table struct {
	sources map[string]chainSources
	static  map[Asset]float64
	rates   map[string]float64
	tokens  *tokens.Lists
	local   devnet.Source
	clock   clock.Clock
	pools   *poolTable
	vendor  *VendorCache // nil without a vendor

	mu    sync.RWMutex
	feeds map[string]feedPrices
}

// feedPrices holds the prices of one chain's feeds and oracle, in US dollars.
type feedPrices struct {
	read    time.Time
	byToken map[evm.Address]Price
	byBase  map[string]float64 // by base of the pair, in upper case, such as EUR
}

// NewTable returns a table without prices of feeds and pools. The error names an invalid entry of cfg.
func NewTable(cfg Config, lists *tokens.Lists, local devnet.Source, c clock.Clock) (*Table, error) {
	sources, err := parseSources(cfg)
	if err != nil {
		return nil, err
	}
	static, err := parseStatic(cfg.Static)
	if err != nil {
		return nil, err
	}
	pools, err := parseExchanges(cfg.Pools)
	if err != nil {
		return nil, err
	}
	return &Table{pools: newPoolTable(pools, c), sources: sources, static: static, rates: cfg.Rates, tokens: lists, local: local, clock: c, feeds: map[string]feedPrices{}}, nil
}

// UseVendor sets the vendor for tokens without another price. It must be called before the table is used; [Table.Run] makes the requests.
func (b *Table) UseVendor(v Vendor, log *slog.Logger) { b.vendor = NewVendorCache(v, b.clock, log) }

// Vendor returns the cache of the vendor's prices; nil without a vendor. A nil cache has no prices.
func (b *Table) Vendor() *VendorCache { return b.vendor }

// Run requests prices from the vendor until ctx ends. Without a vendor it returns nil at once.
func (b *Table) Run(ctx context.Context) error {
	if b.vendor == nil {
		return nil
	}
	return b.vendor.run(ctx)
}

// Batch is the set of queries that updates the prices of a chain.
type Batch struct {
	// Queries are the queries to make; empty if all prices are fresh.
	Queries []evm.Query

	chain  string
	feeds  []feed
	tokens []evm.Address // priced by the oracle; their queries follow the feeds'
	native *evm.Address
	due    []dueToken // their queries follow the oracle's
}

// Due returns the queries that update the prices of a chain, given by CAIP-2 id.
func (b *Table) Due(chainID string) Batch { return b.feedsDue(chainID).with(b.pools.due(chainID, nil)) }

// PoolsDue returns the queries that update the pool prices of tokens of a chain.
func (b *Table) PoolsDue(chainID string, tokens []Unit) Batch {
	return Batch{chain: chainID}.with(b.pools.due(chainID, tokens))
}

// SearchPools returns the search for the pools of tokens; held is set if an account holds them. Pass the answers to [Table.StorePools].
func (b *Table) SearchPools(chainID string, tokens []Unit, held bool) PoolSearch {
	return b.pools.search(chainID, tokens, held)
}

// StorePools stores the answers to a search's queries, and reports whether there is a pool.
func (b *Table) StorePools(s PoolSearch, answers [][]evm.Answer) (found bool) {
	return b.pools.storePools(s, answers)
}

// StoreYoung records which of the pools that a search found were created within the last hour.
func (b *Table) StoreYoung(s PoolSearch, young map[evm.Address]bool) { b.pools.storeYoung(s, young) }

// with adds the queries for the pools of tokens.
func (r Batch) with(due []dueToken) Batch {
	r.due = due
	for _, s := range due {
		r.Queries = append(r.Queries, s.queries()...)
	}
	return r
}

func (b *Table) feedsDue(chainID string) Batch {
	b.mu.RLock()
	known, ok := b.feeds[chainID]
	b.mu.RUnlock()
	if ok && b.clock.Now().Sub(known.read) < lifetime {
		return Batch{}
	}
	t := b.sources[chainID]
	batch := Batch{chain: chainID, feeds: t.feeds, native: t.nativeAsset}
	if chain, ok := b.local.Describe().Chain(chainID); ok {
		batch.feeds = append(localFeeds(chain), batch.feeds...)
	}
	batch.Queries = feedQueries(batch.feeds)
	if t.oracle == nil {
		return batch
	}
	for _, token := range b.tokens.On(chainID) {
		if token.Oracle {
			batch.tokens = append(batch.tokens, token.Address)
			batch.Queries = append(batch.Queries, oracleQuery(*t.oracle, token.Address))
		}
	}
	return batch
}

// Store stores the answers to a batch's queries. at is the time of the block that they were read in.
func (b *Table) Store(r Batch, answers [][]evm.Answer, at time.Time) {
	if len(r.Queries) == 0 || len(answers) != len(r.Queries) {
		return
	}
	if len(r.feeds)+len(r.tokens) > 0 {
		answers = b.storeFeeds(r, answers, at)
	}
	b.pools.storeReads(r.due, answers, b.anchorPrice)
}

// storeFeeds stores the answers of feeds and oracle, and returns the remaining answers.
func (b *Table) storeFeeds(r Batch, answers [][]evm.Answer, at time.Time) [][]evm.Answer {
	q := feedPrices{read: b.clock.Now(), byToken: map[evm.Address]Price{}, byBase: map[string]float64{}}
	if len(r.feeds) > 0 {
		q.takeFeeds(r.feeds, answers[:feedQueryCount], at)
		answers = answers[feedQueryCount:]
	}
	for i, token := range r.tokens {
		if usd, ok := scaled(answers[i][0], oracleDecimals); ok {
			q.byToken[token] = Price{Amount: usd, Source: SourceFeed, At: q.read}
		}
	}
	if r.native != nil {
		if usd, ok := q.byToken[*r.native]; ok {
			q.byToken[evm.Native] = usd
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.feeds[r.chain] = q
	return answers[len(r.tokens):]
}

// OtherChains returns the other chains whose feeds are needed to price the tokens of a chain in a currency.
func (b *Table) OtherChains(chainID, currency string) []string {
	var chains []string
	for _, other := range b.sources[chainID].same {
		chains = append(chains, other)
	}
	_, fixed := b.rates[currency]
	if currency != "usd" && !fixed && chainID != ratesChain && !b.hasRate(chainID, currency) {
		chains = append(chains, ratesChain)
	}
	slices.Sort(chains)
	return slices.Compact(chains)
}

// hasRate reports whether a feed of the chain gives the rate of the currency.
func (b *Table) hasRate(chainID, currency string) bool {
	is := func(base string) bool { return strings.EqualFold(base, currency) }
	if slices.ContainsFunc(b.sources[chainID].feeds, func(f feed) bool { return is(f.base) }) {
		return true
	}
	chain, _ := b.local.Describe().Chain(chainID)
	return slices.ContainsFunc(chain.Feeds, func(f devnet.Feed) bool {
		base, ok := baseOf(f.Pair)
		return ok && is(base)
	})
}

// Price returns the price of one whole unit in a currency, given as a lower-case code; false if it is unknown.
func (b *Table) Price(asset Asset, currency string, d Demand) (Price, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	usd, ok := b.usdPrice(asset, d)
	if !ok {
		return Price{}, false
	}
	rate, ok := b.rate(asset.Chain, currency)
	if !ok {
		return Price{}, false
	}
	return usd.In(rate)
}

// usdPrice returns the price in US dollars.
func (b *Table) usdPrice(asset Asset, d Demand) (Price, bool) {
	if usd, ok := b.feedPrice(asset); ok {
		return usd, true
	}
	if usd, ok := b.pools.price(asset); ok {
		return b.vendor.Confirm(usd, asset.coin(), d), true
	}
	return b.vendor.Price(asset.coin(), d)
}

// feedPrice returns the price in US dollars by configuration or feed. A wrapped native currency has the native currency's price.
func (b *Table) feedPrice(asset Asset) (Price, bool) {
	if usd, ok := b.static[asset]; ok {
		return Price{Amount: usd, Source: SourceStatic}, true
	}
	if usd, ok := b.freshFeeds(asset.Chain).byToken[asset.Address]; ok {
		return usd, true
	}
	if other, ok := b.sources[asset.Chain].same[asset.Address]; ok {
		usd, ok := b.freshFeeds(other).byToken[evm.Native]
		return usd, ok
	}
	if b.pools.exchanges[asset.Chain].wraps(asset.Address) {
		return b.feedPrice(Asset{asset.Chain, evm.Native})
	}
	return Price{}, false
}

// anchorPrice returns the price of an anchor in US dollars. It is never the price of a pool: pool prices do not build on each other.
func (b *Table) anchorPrice(asset Asset) (Price, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.feedPrice(asset)
}

// Rate returns the price of one unit of a currency in US dollars, by configuration or the feeds of the chain that has them; false if it is unknown.
func (b *Table) Rate(currency string) (float64, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.rate(ratesChain, currency)
}

// rate returns the price of one unit of the currency in US dollars.
func (b *Table) rate(chainID, currency string) (float64, bool) {
	if currency == "usd" {
		return 1, true
	}
	if rate, ok := b.rates[currency]; ok {
		return rate, rate > 0
	}
	base := strings.ToUpper(currency)
	if rate, ok := b.freshFeeds(chainID).byBase[base]; ok {
		return rate, true
	}
	rate, ok := b.freshFeeds(ratesChain).byBase[base]
	return rate, ok
}

// freshFeeds returns the prices of a chain's feeds; empty if they are stale. They may be used for two lifetimes, so that they do not expire
// between Due and Price of one request.
func (b *Table) freshFeeds(chainID string) feedPrices {
	q := b.feeds[chainID]
	if b.clock.Now().Sub(q.read) > 2*lifetime {
		return feedPrices{}
	}
	return q
}

// Unpriced returns why the pools of a token give it no price; empty if they do, or if it has none.
func (b *Table) Unpriced(asset Asset) string { return b.pools.unpriced(asset) }

// Unsellable reports whether the pools of a token are known, an anchor of the chain has a price, and no pool is deep enough.
func (b *Table) Unsellable(asset Asset) bool {
	x := b.pools.exchanges[asset.Chain]
	return b.pools.unsellable(asset) && slices.ContainsFunc(x.anchors, func(a Unit) bool {
		_, priced := b.anchorPrice(Asset{asset.Chain, a.Token})
		return priced
	})
}

// baseOf returns the base of a pair in US dollars, in upper case.
func baseOf(pair string) (string, bool) {
	base, quote, ok := strings.Cut(pair, "/")
	if !ok || strings.TrimSpace(quote) != "USD" {
		return "", false
	}
	base = strings.ToUpper(strings.TrimSpace(base))
	return base, base != ""
}

// scaled decodes a price with a number of decimals.
func scaled(a evm.Answer, decimals uint64) (float64, bool) {
	n, ok := a.Amount()
	if !ok || n.BitLen() > 255 || decimals > 36 {
		return 0, false // the sign bit is set: feeds answer with signed integers
	}
	scale := new(big.Int).Exp(big.NewInt(10), new(big.Int).SetUint64(decimals), nil)
	price, _ := new(big.Rat).SetFrac(n, scale).Float64()
	return price, depth.ValidPrice(price)
}
