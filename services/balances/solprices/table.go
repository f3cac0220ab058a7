// Package solprices prices tokens of Solana, for display only. The sources are, in this order, the configuration, price accounts of Pyth, the
// token's deepest pool if it is deep enough, and the vendor of package prices. A stale price counts as unknown, and no stable coin is assumed to
// be worth a dollar.
package solprices

import (
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// lifetime is how long the prices of a chain's feeds and pools are cached.
	lifetime = 30 * time.Second
	// feedSize is how many bytes of a price account are read.
	feedSize = 134
	// maxTraded bounds the tokens whose pools are cached, and tradedLifetime how long they are cached without a read.
	maxTraded      = 20_000
	tradedLifetime = 24 * time.Hour
)

// Asset is a token of a chain; its Mint is [svm.Native] for SOL.
type Asset struct {
	Chain string // CAIP-2
	Mint  svm.Address
}

// Table caches the prices of tokens, in US dollars. It is safe for concurrent use.
type Table struct {
	sources map[string]sources
	static  map[Asset]float64
	vendor  *prices.VendorCache // nil without a vendor
	local   devnet.Source
	clock   clock.Clock
	traded  *cache.Cache[Asset, traded]

	mu    sync.RWMutex
	feeds map[string]feedPrices
}

// feedPrices holds the prices of one chain's feeds.
type feedPrices struct {
	read   time.Time
	byMint map[svm.Address]prices.Price
}

// NewTable returns a table without prices of feeds and pools. static holds US dollars per unit by CAIP-10 address; those of other namespaces are
// ignored. The error names an invalid entry.
func NewTable(cfg map[string]Chain, static map[string]float64, vendor *prices.VendorCache, local devnet.Source, c clock.Clock) (*Table, error) {
	sources, err := parseSources(cfg)
	if err != nil {
		return nil, err
	}
	configured, err := parseStatic(static)
	if err != nil {
		return nil, err
	}
	return &Table{
		sources: sources, static: configured, vendor: vendor, local: local, clock: c, feeds: map[string]feedPrices{},
		traded: cache.New(cache.Options[Asset, traded]{MaxEntries: maxTraded, Lifetime: tradedLifetime}),
	}, nil
}

// FeedsDue returns the price accounts to read before the feeds of a chain are used; none if they are fresh. Pass the
// accounts to [Table.StoreFeeds].
func (t *Table) FeedsDue(chainID string) svm.AccountList {
	list := svm.AccountList{Size: feedSize}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.clock.Now().Sub(t.feeds[chainID].read) < lifetime {
		return list
	}
	for _, f := range t.feedsOf(chainID) {
		list.Addresses = append(list.Addresses, f.account)
	}
	return list
}

// feedsOf returns the feeds of a chain: those of the local chain, then those of the table.
func (t *Table) feedsOf(chainID string) []feed {
	local := t.local.Describe().Solana
	if local == nil || local.CAIP2 != chainID {
		return t.sources[chainID].feeds
	}
	var feeds []feed
	for _, f := range local.Feeds {
		if parsed, err := (Feed{ID: f.ID, Token: f.Token}).parse(); err == nil {
			feeds = append(feeds, parsed)
		}
	}
	return append(feeds, t.sources[chainID].feeds...)
}

// StoreFeeds stores the accounts of [Table.FeedsDue]. Prices older than their feed's heartbeat are left out.
func (t *Table) StoreFeeds(chainID string, accounts []*svm.Account) {
	feeds := t.feedsOf(chainID)
	if len(accounts) == 0 || len(accounts) != len(feeds) {
		return
	}
	now := t.clock.Now()
	read := feedPrices{read: now, byMint: map[svm.Address]prices.Price{}}
	for i, f := range feeds {
		if accounts[i] == nil {
			continue
		}
		p, err := svm.ParseFeed(f.id, accounts[i].Program, accounts[i].Data)
		if err == nil && now.Sub(p.At) <= f.heartbeat {
			read.byMint[f.mint] = prices.Price{Amount: p.Amount, Source: prices.SourceFeed, At: p.At}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.feeds[chainID] = read
}

// Price returns the price of one whole unit in US dollars; false if it is unknown.
func (t *Table) Price(asset Asset, d prices.Demand) (prices.Price, bool) {
	if usd, ok := t.feedPrice(asset); ok {
		return usd, true
	}
	coin := prices.Coin{Chain: asset.Chain}
	if asset.Mint != svm.Native {
		coin.Address = asset.Mint.String()
	}
	if p, ok := t.poolPrice(asset); ok {
		return t.vendor.Confirm(p, coin, d), true
	}
	return t.vendor.Price(coin, d)
}

// feedPrice returns the price by configuration or feed. Wrapped SOL has the price of SOL.
func (t *Table) feedPrice(asset Asset) (prices.Price, bool) {
	if usd, ok := t.static[asset]; ok {
		return prices.Price{Amount: usd, Source: prices.SourceStatic}, true
	}
	t.mu.RLock()
	read := t.feeds[asset.Chain]
	t.mu.RUnlock()
	// Prices may be used for two lifetimes, so that they do not expire between a read and its use.
	if p, ok := read.byMint[asset.Mint]; ok && t.clock.Now().Sub(read.read) <= 2*lifetime {
		return p, true
	}
	if asset.Mint == svm.WrappedSOL {
		return t.feedPrice(Asset{asset.Chain, svm.Native})
	}
	return prices.Price{}, false
}
