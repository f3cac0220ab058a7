package prices

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

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
	// USDPrices returns the prices of one whole unit in US dollars, with their times, of those assets that the vendor knows.
	USDPrices(ctx context.Context, assets []Asset) (map[Asset]Price, error)
}

// vendorCache caches the prices of a vendor. A caller never waits for the vendor: a token that is not cached is queued, and a later call
// finds its price.
type vendorCache struct {
	vendor Vendor
	clock  clock.Clock
	log    *slog.Logger

	mu     sync.Mutex
	known  map[Asset]vendorPrice
	queued map[Asset]bool
}

type vendorPrice struct {
	Price
	// requested is the time of the request; found reports whether the vendor had a price.
	requested time.Time
	found     bool
}

func newVendorCache(v Vendor, c clock.Clock, log *slog.Logger) *vendorCache {
	return &vendorCache{vendor: v, clock: c, log: log, known: map[Asset]vendorPrice{}, queued: map[Asset]bool{}}
}

// price returns the cached price, and queues the token if the price is absent or expired.
func (b *vendorCache) price(asset Asset) (Price, bool) {
	if b == nil {
		return Price{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.known[asset]
	age := b.clock.Now().Sub(known.requested)
	if due := !ok || known.found && age > vendorLifetime || !known.found && age > vendorMissLifetime; due && len(b.queued) < maxVendorTokens {
		b.queued[asset] = true
	}
	return known.Price, known.found && age <= 2*vendorLifetime
}

// run requests queued prices until ctx ends.
func (b *vendorCache) run(ctx context.Context) error {
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
func (b *vendorCache) fetch(ctx context.Context) {
	assets := b.nextBatch()
	if len(assets) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, vendorTimeout)
	defer cancel()
	received, err := b.vendor.USDPrices(ctx, assets)
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "price vendor failed", "vendor", b.vendor.Name(), "error", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		for _, asset := range assets {
			b.queued[asset] = true
		}
		return
	}
	if len(b.known)+len(assets) > maxVendorTokens {
		clear(b.known)
	}
	for _, asset := range assets {
		price, found := received[asset]
		price.Source = b.vendor.Name()
		b.known[asset] = vendorPrice{price, b.clock.Now(), found && validPrice(price.Amount)}
	}
}

// nextBatch removes up to vendorBatch tokens from the queue.
func (b *vendorCache) nextBatch() []Asset {
	b.mu.Lock()
	defer b.mu.Unlock()
	assets := slices.Collect(maps.Keys(b.queued))
	assets = assets[:min(len(assets), vendorBatch)]
	for _, asset := range assets {
		delete(b.queued, asset)
	}
	return assets
}
