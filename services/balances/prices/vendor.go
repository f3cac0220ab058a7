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
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// vendorInterval is the pause between two requests.
	vendorInterval = time.Second
	// vendorBatch bounds the tokens of one request.
	vendorBatch = 50
	// namedPerBatch is how many of them may be tokens that no account holds while those that accounts hold wait.
	namedPerBatch = 10
	// vendorLifetime is how long a price is cached, and vendorMissLifetime how long it is cached that the vendor has none.
	vendorLifetime     = time.Minute
	vendorMissLifetime = 10 * time.Minute
	// maxVendorTokens bounds the cached tokens, and the queued ones.
	maxVendorTokens = 20_000
	// vendorTimeout bounds one request.
	vendorTimeout = 10 * time.Second
)

// Vendor is a third-party price source. It is used for tokens without a price by configuration, feed or pool, and to confirm those of pools.
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

	mu    sync.Mutex
	known map[Coin]vendorPrice
	// held are the queued tokens that accounts hold, named those whose prices were asked for.
	held, named *coinQueue
}

// Demand is who needs a price, and for what.
type Demand struct {
	// Held is set for a token that an account holds, which comes before those that are only named.
	Held   bool
	Caller limit.Caller
}

// Held returns the demand of a call for the prices of tokens that an account holds.
func Held(ctx context.Context) Demand {
	c, _ := limit.From(ctx)
	return Demand{Held: true, Caller: c}
}

// Named returns the demand of a call for the prices of tokens that it names.
func Named(ctx context.Context) Demand {
	c, _ := limit.From(ctx)
	return Demand{Caller: c}
}

type vendorPrice struct {
	Price
	// requested is the time of the request; found reports whether the vendor had a price.
	requested time.Time
	found     bool
}

// NewVendorCache returns an empty cache; [VendorCache.run] makes the requests.
func NewVendorCache(v Vendor, c clock.Clock, log *slog.Logger) *VendorCache {
	return &VendorCache{vendor: v, clock: c, log: log, known: map[Coin]vendorPrice{}, held: newCoinQueue(), named: newCoinQueue()}
}

// Price returns the cached price, and queues the token if the price is absent or expired.
func (b *VendorCache) Price(coin Coin, d Demand) (Price, bool) {
	if b == nil {
		return Price{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.known[coin]
	age := b.clock.Now().Sub(known.requested)
	if due := !ok || known.found && age > vendorLifetime || !known.found && age > vendorMissLifetime; due {
		b.queue(d).add(coin, d.Caller)
	}
	return known.Price, known.found && age <= 2*vendorLifetime
}

const (
	// agreeFactor is how many times another price at most one is that it agrees with.
	agreeFactor = 2
	// agreeLifetime is how long the vendor's price can agree with another one.
	agreeLifetime = 10 * time.Minute
)

// Confirm returns a price of pools in US dollars, without the limit of its market if the vendor's price agrees with it: the token trades elsewhere too. It
// queues the token as [VendorCache.Price] does.
func (b *VendorCache) Confirm(pooled Price, coin Coin, d Demand) Price {
	if b == nil || pooled.Market == nil {
		return pooled
	}
	b.Price(coin, d)
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.known[coin]
	if !known.found || b.clock.Now().Sub(known.requested) > agreeLifetime {
		return pooled
	}
	if max(known.Amount, pooled.Amount) <= agreeFactor*min(known.Amount, pooled.Amount) {
		pooled.Market = nil
	}
	return pooled
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
			b.held.add(coin, limit.Caller{})
		}
		return
	}
	if len(b.known)+len(coins) > maxVendorTokens {
		b.evict()
	}
	for _, coin := range coins {
		price, found := received[coin]
		price.Source = b.vendor.Name()
		b.known[coin] = vendorPrice{price, b.clock.Now(), found && depth.ValidPrice(price.Amount)}
	}
}

// evict drops the eighth of the prices that was requested first.
func (b *VendorCache) evict() {
	oldest := slices.SortedFunc(maps.Keys(b.known), func(x, y Coin) int { return b.known[x].requested.Compare(b.known[y].requested) })
	for _, coin := range oldest[:len(oldest)/8] {
		delete(b.known, coin)
	}
}

// queue returns the queue of a demand.
func (b *VendorCache) queue(d Demand) *coinQueue {
	if d.Held {
		return b.held
	}
	return b.named
}

// nextBatch removes up to vendorBatch tokens from the queues.
func (b *VendorCache) nextBatch() []Coin {
	b.mu.Lock()
	defer b.mu.Unlock()
	coins := b.held.take(vendorBatch - min(namedPerBatch, b.named.n))
	return append(coins, b.named.take(vendorBatch-len(coins))...)
}

// coinQueue holds tokens that wait, of which callers take turns.
type coinQueue struct {
	queued  map[Coin]bool
	waiting map[limit.Caller][]Coin
	// order has the callers with waiting tokens, the next one first.
	order []limit.Caller
	n     int
}

func newCoinQueue() *coinQueue {
	return &coinQueue{queued: map[Coin]bool{}, waiting: map[limit.Caller][]Coin{}}
}

// add adds a token, unless the caller has as many as there is room left.
func (q *coinQueue) add(coin Coin, c limit.Caller) {
	if q.queued[coin] || len(q.waiting[c]) >= maxVendorTokens-q.n {
		return
	}
	if len(q.waiting[c]) == 0 {
		q.order = append(q.order, c)
	}
	q.queued[coin] = true
	q.waiting[c] = append(q.waiting[c], coin)
	q.n++
}

// take removes up to n tokens, one of each caller in turn.
func (q *coinQueue) take(n int) (coins []Coin) {
	for len(coins) < n && len(q.order) > 0 {
		c := q.order[0]
		q.order = q.order[1:]
		coin := q.waiting[c][0]
		if q.waiting[c] = q.waiting[c][1:]; len(q.waiting[c]) == 0 {
			delete(q.waiting, c)
		} else {
			q.order = append(q.order, c)
		}
		delete(q.queued, coin)
		q.n--
		coins = append(coins, coin)
	}
	return coins
}
