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
	// vendorPause is how often what is wanted is asked for.
	vendorPause = time.Second
	// vendorBatch is how many tokens one question names.
	vendorBatch = 50
	// vendorLifetime is how long an answer, and the lack of one, is used.
	vendorLifetime = time.Minute
	vendorPatience = 10 * time.Minute
	// vendorKept bounds the tokens remembered, and those that wait.
	vendorKept = 20_000
	// vendorTimeout bounds one question.
	vendorTimeout = 10 * time.Second
)

// Vendor is somebody who sells, or gives away, prices: asked only for what neither configuration nor chain knows.
type Vendor interface {
	// Name is the source that prices of the vendor carry.
	Name() string
	// Dollars returns the price of one unit in US dollars, and when it was so, for those of the assets that the vendor knows.
	Dollars(ctx context.Context, assets []Asset) (map[Asset]Price, error)
}

// vendorBook keeps what a vendor said. Nobody waits for a vendor: a price that is asked for is wanted, and known a moment later.
type vendorBook struct {
	vendor Vendor
	clock  clock.Clock
	log    *slog.Logger

	mu     sync.Mutex
	known  map[Asset]vendorPrice
	wanted map[Asset]bool
}

type vendorPrice struct {
	Price
	// asked is when the vendor was, and found whether it knew.
	asked time.Time
	found bool
}

func newVendorBook(v Vendor, c clock.Clock, log *slog.Logger) *vendorBook {
	return &vendorBook{vendor: v, clock: c, log: log, known: map[Asset]vendorPrice{}, wanted: map[Asset]bool{}}
}

// price returns what the vendor said lately, and has it asked again when that is a while ago.
func (b *vendorBook) price(asset Asset) (Price, bool) {
	if b == nil {
		return Price{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.known[asset]
	age := b.clock.Now().Sub(known.asked)
	if due := !ok || known.found && age > vendorLifetime || !known.found && age > vendorPatience; due && len(b.wanted) < vendorKept {
		b.wanted[asset] = true
	}
	return known.Price, known.found && age <= 2*vendorLifetime
}

// run asks for what is wanted until ctx ends.
func (b *vendorBook) run(ctx context.Context) error {
	tick := time.NewTicker(vendorPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			b.ask(ctx)
		}
	}
}

// ask asks for one batch of what is wanted. A vendor that fails leaves what was wanted wanted.
func (b *vendorBook) ask(ctx context.Context) {
	assets := b.take()
	if len(assets) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, vendorTimeout)
	defer cancel()
	said, err := b.vendor.Dollars(ctx, assets)
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "price vendor failed", "vendor", b.vendor.Name(), "error", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		for _, asset := range assets {
			b.wanted[asset] = true
		}
		return
	}
	if len(b.known)+len(assets) > vendorKept {
		clear(b.known)
	}
	for _, asset := range assets {
		price, found := said[asset]
		price.Source = b.vendor.Name()
		b.known[asset] = vendorPrice{price, b.clock.Now(), found && believable(price.Amount)}
	}
}

func (b *vendorBook) take() []Asset {
	b.mu.Lock()
	defer b.mu.Unlock()
	assets := slices.Collect(maps.Keys(b.wanted))
	assets = assets[:min(len(assets), vendorBatch)]
	for _, asset := range assets {
		delete(b.wanted, asset)
	}
	return assets
}
