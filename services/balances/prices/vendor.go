package prices

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// vendorInterval is the pause between two requests.
	vendorInterval = time.Second
	// vendorBatch bounds the tokens of one request.
	vendorBatch = 50
	// vendorLifetime is how long a price is cached, and vendorMissLifetime how long it is cached that the vendor has none.
	vendorLifetime     = time.Minute
	vendorMissLifetime = 10 * time.Minute
	// maxVendorTokens bounds the cached tokens, and the queued ones.
	maxVendorTokens = 20_000
	// vendorTimeout bounds one request.
	vendorTimeout = 10 * time.Second
)

// Vendor is a third-party price source. It is used for tokens without a price by configuration, feed or pool.
type Vendor interface {
	// Name is the [Price.Source] of the vendor's prices.
	Name() string
	// USDPrices returns the prices of one whole unit in US dollars, with their times, for the coins that the vendor
	// supports.
	USDPrices(ctx context.Context, coins []Coin) (map[Coin]Price, error)
}

// Coin is a token of any namespace.
type Coin struct {
	Chain string // CAIP-2
	// Address is the token as its namespace writes it; empty for the native currency.
	Address string
}

// VendorCache caches the prices of a vendor. A caller never waits for the vendor: a token that is not cached is queued, and a later call
// finds its price.
type VendorCache struct {
	vendor Vendor
	clock  clock.Clock
	log    *slog.Logger

	mu     sync.Mutex
	known  map[Coin]vendorPrice
	queued map[Coin]bool
}

type vendorPrice struct {
	Price
	// requested is the time of the request; found reports whether the vendor had a price.
	requested time.Time
	found     bool
}

// NewVendorCache returns an empty cache; [VendorCache.run] makes the requests.
func NewVendorCache(v Vendor, c clock.Clock, log *slog.Logger) *VendorCache {
	return &VendorCache{vendor: v, clock: c, log: log, known: map[Coin]vendorPrice{}, queued: map[Coin]bool{}}
}

// Price returns the cached price, and queues the token if the price is absent or expired.
func (b *VendorCache) Price(coin Coin) (Price, bool) {
	if b == nil {
		return Price{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.known[coin]
	age := b.clock.Now().Sub(known.requested)
	if due := !ok || known.found && age > vendorLifetime || !known.found && age > vendorMissLifetime; due && len(b.queued) < maxVendorTokens {
		b.queued[coin] = true
	}
	return known.Price, known.found && age <= 2*vendorLifetime
}

// run requests queued prices until ctx ends.
func (b *VendorCache) run(ctx context.Context) error {
	tick := time.NewTicker(vendorInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			b.fetch(ctx)
		}
	}
}

// fetch requests one batch of queued prices. If the request fails, the batch is queued again.
func (b *VendorCache) fetch(ctx context.Context) {
	coins := b.nextBatch()
	if len(coins) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, vendorTimeout)
	defer cancel()
	received, err := b.vendor.USDPrices(ctx, coins)
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "price vendor failed", "vendor", b.vendor.Name(), "error", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		for _, coin := range coins {
			b.queued[coin] = true
		}
		return
	}
	if len(b.known)+len(coins) > maxVendorTokens {
		clear(b.known)
	}
	for _, coin := range coins {
		price, found := received[coin]
		price.Source = b.vendor.Name()
		b.known[coin] = vendorPrice{price, b.clock.Now(), found && depth.ValidPrice(price.Amount)}
	}
}

// nextBatch removes up to vendorBatch tokens from the queue.
func (b *VendorCache) nextBatch() []Coin {
	b.mu.Lock()
	defer b.mu.Unlock()
	coins := slices.Collect(maps.Keys(b.queued))
	coins = coins[:min(len(coins), vendorBatch)]
	for _, coin := range coins {
		delete(b.queued, coin)
	}
	return coins
}
