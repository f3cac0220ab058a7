package holdings

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// cacheEntries bounds the number of cached accounts.
const cacheEntries = 20_000

// Key identifies an account on a chain, priced in a currency.
type Key struct {
	ChainID  string
	Owner    evm.Address
	currency string
}

// cached is a list of holdings and the hash of the newest block of the chain when it was read.
type cached struct {
	holdings []Holding
	head     string
}

// cache caches holdings until their lifetime ends or their chain has a new block. Concurrent requests for the same key share one read.
type cache struct {
	entries *otter.Cache[Key, cached]
	flights routine.Flights

	mu sync.RWMutex
	// heads are the hashes of the newest blocks by CAIP-2 chain id: after a reorganization the same number may be another block.
	heads map[string]string
}

func newCache(lifetime time.Duration) *cache {
	return &cache{
		heads: map[string]string{},
		entries: otter.Must(&otter.Options[Key, cached]{
			MaximumSize:      cacheEntries,
			ExpiryCalculator: otter.ExpiryWriting[Key, cached](lifetime),
		}),
	}
}

// OnHead makes entries of the chain stale that were read before its newest block.
func (c *cache) OnHead(chainID, hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads[chainID] = hash
}

// HeadOf returns the hash of the newest block of a chain; empty before the first one.
func (c *cache) HeadOf(chainID string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.heads[chainID]
}

// get returns the cached holdings, or loads them. Loading continues when the caller leaves, because others may wait for it; load must have its
// own timeout.
func (c *cache) get(ctx context.Context, key Key, load func(context.Context) ([]Holding, error)) ([]Holding, error) {
	head := c.HeadOf(key.ChainID)
	if kept, ok := c.entries.GetIfPresent(key); ok && kept.head == head {
		return kept.holdings, nil
	}
	flight := c.flights.DoChan(ctx, flightKey(key, head), func() (any, error) {
		holdings, err := load(context.WithoutCancel(ctx))
		if err == nil {
			c.put(key, holdings, head)
		}
		return holdings, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-flight:
		holdings, _ := result.Val.([]Holding)
		return holdings, result.Err
	}
}

// put stores holdings that were read at the block head.
func (c *cache) put(key Key, holdings []Holding, head string) {
	c.entries.Set(key, cached{holdings, head})
}

// drop removes an entry.
func (c *cache) drop(key Key) { c.entries.Invalidate(key) }

// flightKey identifies a read. Reads before and after a new block are not shared.
func flightKey(key Key, head string) string {
	return strings.Join([]string{key.ChainID, key.currency, head, string(key.Owner[:])}, "/")
}

// seenLifetime is how long the last amounts of an account are stored.
const seenLifetime = time.Hour

// SeenAmounts has a digest of the last amounts of each watched account.
type SeenAmounts struct {
	digests *otter.Cache[Key, uint64]
}

// NewSeenAmounts returns an empty record.
func NewSeenAmounts() *SeenAmounts {
	return &SeenAmounts{otter.Must(&otter.Options[Key, uint64]{
		MaximumSize:      cacheEntries,
		ExpiryCalculator: otter.ExpiryWriting[Key, uint64](seenLifetime),
	})}
}

// Changed stores the amounts and reports whether they differ from the previous ones; false if there were none.
func (s *SeenAmounts) Changed(key Key, holdings []Holding) bool {
	now := Digest(holdings)
	before, ok := s.digests.Set(key, now)
	return !ok && before != now
}

// Digest returns a hash of tokens and amounts that does not depend on their order.
func Digest(holdings []Holding) (sum uint64) {
	for _, h := range holdings {
		one := fnv.New64a()
		_, _ = fmt.Fprintln(one, h.Address, h.Units)
		sum += one.Sum64()
	}
	return sum
}
