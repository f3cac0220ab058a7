package prices

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
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
	if b.isDue(coin) {
		b.queue(d).add(coin, d.Caller)
	}
	known := b.known[coin]
	return known.Price, known.found && b.clock.Now().Sub(known.requested) <= 2*vendorLifetime
}

// isDue reports whether the price of a token is absent or expired.
func (b *VendorCache) isDue(coin Coin) bool {
	known, ok := b.known[coin]
	age := b.clock.Now().Sub(known.requested)
	return !ok || known.found && age > vendorLifetime || !known.found && age > vendorMissLifetime
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
	batch := b.nextBatch()
	if len(batch) == 0 {
		return
	}
	coins := make([]Coin, len(batch))
	for i, next := range batch {
		coins[i] = next.Coin
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
		for _, next := range batch {
			b.queue(next.Demand).add(next.Coin, next.Caller)
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

// wanted is a token of a batch, and whose turn it is requested in.
type wanted struct {
	Coin
	Demand
}

// nextBatch removes up to vendorBatch tokens from the queues.
func (b *VendorCache) nextBatch() (batch []wanted) {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[Coin]bool{}
	take := func(held bool, most int) {
		for len(batch) < most {
			coin, c, ok := b.queue(Demand{Held: held}).next()
			if !ok {
				return
			}
			if !seen[coin] && b.isDue(coin) { // Another caller may have waited for it as well.
				seen[coin] = true
				batch = append(batch, wanted{coin, Demand{held, c}})
			}
		}
	}
	take(true, vendorBatch-min(namedPerBatch, b.named.n))
	take(false, vendorBatch)
	return batch
}

// coinQueue holds tokens that wait, of which networks take turns. A token waits once for each network.
type coinQueue struct {
	queued  map[queuedCoin]bool
	waiting map[netip.Prefix][]Coin
	order   limit.Rotation
	held    limit.Held
	n       int
}

type queuedCoin struct {
	Coin

	network netip.Prefix
}

func newCoinQueue() *coinQueue {
	return &coinQueue{queued: map[queuedCoin]bool{}, waiting: map[netip.Prefix][]Coin{}, held: limit.Held{}}
}

// add adds a token, unless the network of the caller has as many as there is room left.
func (q *coinQueue) add(coin Coin, c limit.Caller) {
	key := queuedCoin{coin, c.Network}
	if q.queued[key] || !q.held.Allows(c, 1, int64(maxVendorTokens-q.n)) {
		return
	}
	if len(q.waiting[c.Network]) == 0 {
		q.order.Add(c)
	}
	q.queued[key] = true
	q.waiting[c.Network] = append(q.waiting[c.Network], coin)
	q.held.Add(c, 1)
	q.n++
}

// next removes the first token of the caller whose turn it is; false if none waits.
func (q *coinQueue) next() (Coin, limit.Caller, bool) {
	c, ok := q.order.Next()
	if !ok {
		return Coin{}, limit.Caller{}, false
	}
	coins := q.waiting[c.Network]
	if q.waiting[c.Network] = coins[1:]; len(coins) == 1 {
		delete(q.waiting, c.Network)
	} else {
		q.order.Add(c)
	}
	delete(q.queued, queuedCoin{coins[0], c.Network})
	q.held.Add(c, -1)
	q.n--
	return coins[0], c, true
}
