package engine

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// vendorLifetime is how long vendors' quotes are cached: a watched quote is searched again at every block, which would exceed vendors' rate limits.
	vendorLifetime = 10 * time.Second
	// cachedQuotes bounds the cache.
	cachedQuotes = 1000
)

// cachedVendors is [Vendors] with a cache for Quotes.
type cachedVendors struct {
	*vendors.Panel
	quotes *cache.Cache[vendorKey, vendors.Answers]
}

// vendorKey holds the parameters on which vendors' quotes depend; the account is not one of them.
type vendorKey struct {
	chainID     string
	from, to    evm.Address
	amount      string
	slippageBPS uint32
}

// CacheQuotes returns a panel of vendors whose quotes are cached for ten seconds.
func CacheQuotes(p *vendors.Panel) Vendors {
	return cachedVendors{p, cache.New(cache.Options[vendorKey, vendors.Answers]{
		MaxEntries: cachedQuotes, Lifetime: vendorLifetime,
	})}
}

// Quotes returns cached quotes, or requests them.
func (c cachedVendors) Quotes(ctx context.Context, r vendors.Request) vendors.Answers {
	key := vendorKey{r.ChainID, r.From, r.To, r.Amount.String(), r.SlippageBPS}
	if cached, ok := c.quotes.Get(key); ok {
		return cached
	}
	answers := c.Panel.Quotes(ctx, r)
	if ctx.Err() == nil {
		c.quotes.Set(key, answers)
	}
	return answers
}
