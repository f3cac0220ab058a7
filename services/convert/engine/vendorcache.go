package engine

import (
	"context"
	"net/netip"
	"time"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/limit"
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
	// site is whose answers they are, if another caller's may differ: some vendors were not requested because of what this one used.
	site netip.Prefix
}

// CacheQuotes returns a panel of vendors whose quotes are cached for ten seconds.
func CacheQuotes(p *vendors.Panel) Vendors {
	return cachedVendors{p, cache.New(cache.Options[vendorKey, vendors.Answers]{
		MaxEntries: cachedQuotes, Lifetime: vendorLifetime,
	})}
}

// Quotes returns cached quotes, or requests them.
func (c cachedVendors) Quotes(ctx context.Context, r vendors.Request) vendors.Answers {
	key := vendorKey{chainID: r.ChainID, from: r.From, to: r.To, amount: r.Amount.String(), slippageBPS: r.SlippageBPS}
	if cached, ok := c.quotes.Get(key); ok {
		return cached
	}
	own := key
	if caller, known := limit.From(ctx); known {
		own.site = caller.Site()
		if cached, ok := c.quotes.Get(own); ok {
			return cached
		}
	}
	answers := c.Panel.Quotes(ctx, r)
	some, all := answers.HasShares()
	switch {
	case ctx.Err() != nil, all: // What was not requested costs nothing, and must not displace answers to others.
	case some:
		c.quotes.Set(own, answers)
	default:
		c.quotes.Set(key, answers)
	}
	return answers
}
