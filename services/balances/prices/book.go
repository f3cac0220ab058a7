// Package prices tells what a token is worth, for display: never for a decision about money. It reads nothing itself: it says which
// calls to make on which chain, so that they can ride along with others, and learns from the answers. A price that no source of the
// configuration gives, or that is stale, is not known; no stable coin is taken to be worth a dollar. A token without a feed is worth what
// the deepest pool pays, if one is deep enough.
package prices

import (
	"context"
	"log/slog"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/tokens"
)

const (
	// lifetime is how long what a chain's feeds said is used.
	lifetime = 30 * time.Second
	// ratesChain has the feeds that count in other currencies.
	ratesChain = "eip155:1"
	// oracleDecimals is the scale of an AaveOracle's answers.
	oracleDecimals = 8
)

// Asset is a token of a chain; evm.Native is the chain's own currency.
type Asset struct {
	Chain   string // CAIP-2
	Address evm.Address
}

// Book holds the prices that are known. It is safe for concurrent use.
type Book struct {
	tables map[string]table
	static map[Asset]float64
	rates  map[string]float64
	tokens *tokens.Lists
	local  devnet.Source
	clock  clock.Clock
	pools  *poolBook
	vendor *vendorBook // nil where none is set up

	mu     sync.RWMutex
	quotes map[string]quotes
}

// quotes is what one chain's feeds said, in US dollars.
type quotes struct {
	read    time.Time
	byToken map[evm.Address]Price
	byBase  map[string]float64 // by the upper-case first half of the pair
}

// NewBook returns a book without any price read. The error names a wrong entry of cfg.
func NewBook(cfg Config, lists *tokens.Lists, local devnet.Source, c clock.Clock) (*Book, error) {
	tables, err := parseTables(cfg)
	if err != nil {
		return nil, err
	}
	static, err := parseStatic(cfg.Static)
	if err != nil {
		return nil, err
	}
	markets, err := parseExchanges(cfg.Pools)
	if err != nil {
		return nil, err
	}
	return &Book{pools: newPoolBook(markets, c), tables: tables, static: static, rates: cfg.Rates, tokens: lists, local: local, clock: c, quotes: map[string]quotes{}}, nil
}

// Ask lets v be asked for prices that neither configuration nor chain knows. Call it before the book is used; somebody must run [Book.Run].
func (b *Book) Ask(v Vendor, log *slog.Logger) { b.vendor = newVendorBook(v, b.clock, log) }

// Run asks the vendor, where there is one, until ctx ends.
func (b *Book) Run(ctx context.Context) error {
	if b.vendor == nil {
		return nil
	}
	return b.vendor.run(ctx)
}

// Round is one reading of a chain's prices.
type Round struct {
	// Queries are what must be read; none when what is known is fresh.
	Queries []evm.Query

	chain  string
	feeds  []feed
	tokens []evm.Address // priced by the oracle, one query each after the feeds'
	native *evm.Address
	sales  []sale // asked after feeds and oracle
}

// Due returns what must be read on the chain with the given CAIP-2 id to know its prices.
func (b *Book) Due(chainID string) Round { return b.feedsDue(chainID).with(b.pools.due(chainID, nil)) }

// PoolsDue returns what must be read to know what tokens of a chain could be sold for.
func (b *Book) PoolsDue(chainID string, tokens []Unit) Round {
	return Round{chain: chainID}.with(b.pools.due(chainID, tokens))
}

// Search notes that tokens of a chain are held, and returns what must be read to know their pools; then comes [Book.Found].
func (b *Book) Search(chainID string, tokens []Unit) Search { return b.pools.search(chainID, tokens) }

// Found takes the answers to a search's queries.
func (b *Book) Found(s Search, answers [][]evm.Answer) { b.pools.found(s, answers) }

func (r Round) with(sales []sale) Round {
	r.sales = sales
	for _, s := range sales {
		r.Queries = append(r.Queries, s.queries()...)
	}
	return r
}

func (b *Book) feedsDue(chainID string) Round {
	b.mu.RLock()
	known, ok := b.quotes[chainID]
	b.mu.RUnlock()
	if ok && b.clock.Now().Sub(known.read) < lifetime {
		return Round{}
	}
	t := b.tables[chainID]
	round := Round{chain: chainID, feeds: t.feeds, native: t.nativeAsset}
	if chain, ok := b.local.Describe().Chain(chainID); ok {
		round.feeds = append(localFeeds(chain), round.feeds...)
	}
	round.Queries = feedQueries(round.feeds)
	if t.oracle == nil {
		return round
	}
	for _, token := range b.tokens.On(chainID) {
		if token.Oracle {
			round.tokens = append(round.tokens, token.Address)
			round.Queries = append(round.Queries, oracleQuery(*t.oracle, token.Address))
		}
	}
	return round
}

// Learn takes the answers to a round's queries; at is the time of the block that they were read in.
func (b *Book) Learn(r Round, answers [][]evm.Answer, at time.Time) {
	if len(r.Queries) == 0 || len(answers) != len(r.Queries) {
		return
	}
	if len(r.feeds)+len(r.tokens) > 0 {
		answers = b.learnFeeds(r, answers, at)
	}
	b.pools.learn(r.sales, answers, b.anchorPrice)
}

// learnFeeds takes what feeds and oracle said and returns the answers after theirs.
func (b *Book) learnFeeds(r Round, answers [][]evm.Answer, at time.Time) [][]evm.Answer {
	q := quotes{read: b.clock.Now(), byToken: map[evm.Address]Price{}, byBase: map[string]float64{}}
	if len(r.feeds) > 0 {
		q.takeFeeds(r.feeds, answers[:feedQueryCount], at)
		answers = answers[feedQueryCount:]
	}
	for i, token := range r.tokens {
		if usd, ok := scaled(answers[i][0], oracleDecimals); ok {
			q.byToken[token] = Price{usd, SourceFeed, q.read}
		}
	}
	if r.native != nil {
		if usd, ok := q.byToken[*r.native]; ok {
			q.byToken[evm.Native] = usd
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.quotes[r.chain] = q
	return answers[len(r.tokens):]
}

// Elsewhere returns the other chains whose feeds are needed to price the tokens of a chain in a currency.
func (b *Book) Elsewhere(chainID, currency string) []string {
	var chains []string
	for _, other := range b.tables[chainID].same {
		chains = append(chains, other)
	}
	_, fixed := b.rates[currency]
	if currency != "usd" && !fixed && chainID != ratesChain && !b.hasRate(chainID, currency) {
		chains = append(chains, ratesChain)
	}
	slices.Sort(chains)
	return slices.Compact(chains)
}

// hasRate says whether a chain's own feeds count in the currency.
func (b *Book) hasRate(chainID, currency string) bool {
	is := func(base string) bool { return strings.EqualFold(base, currency) }
	if slices.ContainsFunc(b.tables[chainID].feeds, func(f feed) bool { return is(f.base) }) {
		return true
	}
	chain, _ := b.local.Describe().Chain(chainID)
	return slices.ContainsFunc(chain.Feeds, func(f devnet.Feed) bool {
		base, ok := baseOf(f.Pair)
		return ok && is(base)
	})
}

// Price returns the price of one unit in a currency; false when it is not known.
func (b *Book) Price(asset Asset, currency string) (Price, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	usd, ok := b.dollars(asset)
	if !ok {
		return Price{}, false
	}
	rate, ok := b.rate(asset.Chain, currency)
	if !ok {
		return Price{}, false
	}
	return usd.in(rate)
}

// dollars is the price in US dollars.
func (b *Book) dollars(asset Asset) (Price, bool) {
	if usd, ok := b.fed(asset); ok {
		return usd, true
	}
	if usd, ok := b.pools.price(asset); ok {
		return usd, true
	}
	return b.vendor.price(asset)
}

// fed is the price in US dollars by the configuration or a feed; a wrapped native currency is worth what it wraps.
func (b *Book) fed(asset Asset) (Price, bool) {
	if usd, ok := b.static[asset]; ok {
		return Price{Amount: usd, Source: SourceStatic}, true
	}
	if usd, ok := b.fresh(asset.Chain).byToken[asset.Address]; ok {
		return usd, true
	}
	if other, ok := b.tables[asset.Chain].same[asset.Address]; ok {
		usd, ok := b.fresh(other).byToken[evm.Native]
		return usd, ok
	}
	if b.pools.exchanges[asset.Chain].wraps(asset.Address) {
		return b.fed(Asset{asset.Chain, evm.Native})
	}
	return Price{}, false
}

// anchorPrice is what an anchor of pools is worth in US dollars; a pool's own price never makes another's.
func (b *Book) anchorPrice(asset Asset) (Price, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.fed(asset)
}

// rate is what one unit of the currency is worth in US dollars.
func (b *Book) rate(chainID, currency string) (float64, bool) {
	if currency == "usd" {
		return 1, true
	}
	if rate, ok := b.rates[currency]; ok {
		return rate, rate > 0
	}
	base := strings.ToUpper(currency)
	if rate, ok := b.fresh(chainID).byBase[base]; ok {
		return rate, true
	}
	rate, ok := b.fresh(ratesChain).byBase[base]
	return rate, ok
}

// fresh is what a chain's feeds said, or nothing once it is too old to be read out; the second lifetime is for the answer that is
// being put together while the first one ends.
func (b *Book) fresh(chainID string) quotes {
	q := b.quotes[chainID]
	if b.clock.Now().Sub(q.read) > 2*lifetime {
		return quotes{}
	}
	return q
}

// Unsellable says that the pools of a token are known, that what they pay in has a price, and that none is deep enough to sell into.
func (b *Book) Unsellable(asset Asset) bool {
	x := b.pools.exchanges[asset.Chain]
	return b.pools.unsellable(asset) && slices.ContainsFunc(x.anchors, func(a Unit) bool {
		_, priced := b.anchorPrice(Asset{asset.Chain, a.Token})
		return priced
	})
}

// baseOf is the upper-case first half of a pair in US dollars.
func baseOf(pair string) (string, bool) {
	base, quote, ok := strings.Cut(pair, "/")
	if !ok || strings.TrimSpace(quote) != "USD" {
		return "", false
	}
	base = strings.ToUpper(strings.TrimSpace(base))
	return base, base != ""
}

func believable(price float64) bool {
	return price > 0 && !math.IsInf(price, 0) && !math.IsNaN(price)
}

// scaled reads an answer as a price of decimals places.
func scaled(a evm.Answer, decimals uint64) (float64, bool) {
	n, ok := a.Amount()
	if !ok || n.BitLen() > 255 || decimals > 36 {
		return 0, false // the sign bit is set: feeds answer with signed integers
	}
	scale := new(big.Int).Exp(big.NewInt(10), new(big.Int).SetUint64(decimals), nil)
	price, _ := new(big.Rat).SetFrac(n, scale).Float64()
	return price, believable(price)
}
