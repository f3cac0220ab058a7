package holdings

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// cacheEntries bounds the number of watched accounts whose amounts are stored.
	cacheEntries = 20_000
	// cacheSize bounds the cached holdings, in bytes.
	cacheSize = 16 << 20
	// entrySize and holdingSize are about how many bytes an entry and a holding take beside their texts.
	entrySize, holdingSize = 512, 384
)

// Key identifies an account on a chain, priced in a currency.
type Key struct {
	ChainID string
	// Owner is the address as its String method prints it.
	Owner    string
	Currency string
}

// cached is what an account holds and the hash of the newest block of the chain when it was read.
type cached[V any] struct {
	held V
	head string
}

// Cache caches holdings until their lifetime ends or their chain has a new block. Concurrent requests for the same key share one read. V is a list
// of holdings.
type Cache[V any] struct {
	entries *cache.Cache[Key, cached[V]]
	flights routine.Flights

	mu sync.RWMutex
	// heads are the hashes of the newest blocks by CAIP-2 chain id: after a reorganization the same number may be another block.
	heads map[string]string
}

// NewCache returns an empty cache that keeps entries for lifetime. listed returns the holdings of an entry.
func NewCache[V any](lifetime time.Duration, listed func(V) []Holding) *Cache[V] {
	return &Cache[V]{
		heads: map[string]string{},
		entries: cache.New(cache.Options[Key, cached[V]]{
			MaxWeight: cacheSize,
			Weigh:     func(k Key, c cached[V]) uint32 { return k.size() + sizeOf(listed(c.held)) },
			Lifetime:  lifetime,
		}),
	}
}

// size returns about how many bytes an entry takes without its holdings.
func (k Key) size() uint32 {
	return uint32(entrySize + len(k.ChainID) + len(k.Owner) + len(k.Currency))
}

// sizeOf returns about how many bytes holdings take.
func sizeOf(list []Holding) (size uint32) {
	for _, h := range list {
		size += uint32(holdingSize + len(h.Address) + len(h.Name) + len(h.Symbol) + len(h.Icon))
	}
	return size
}

// OnHead makes entries of the chain stale that were read before this newest block.
func (c *Cache[V]) OnHead(chainID, hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads[chainID] = hash
}

// HeadOf returns the hash of the newest block of a chain; empty before the first one.
func (c *Cache[V]) HeadOf(chainID string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.heads[chainID]
}

// Get returns the cached holdings, or loads them. If the caller's context ends, loading continues, because other
// callers may wait for it; load must have its own timeout.
func (c *Cache[V]) Get(ctx context.Context, key Key, load func(context.Context) (V, error)) (V, error) {
	head := c.HeadOf(key.ChainID)
	if kept, ok := c.entries.Get(key); ok && kept.head == head {
		return kept.held, nil
	}
	flight := c.flights.DoChan(ctx, flightKey(key, head), func() (any, error) {
		held, err := load(context.WithoutCancel(ctx))
		if err == nil {
			c.Put(key, held, head)
		}
		return held, err
	})
	var held V
	select {
	case <-ctx.Done():
		return held, ctx.Err()
	case result := <-flight:
		held, _ = result.Val.(V)
		return held, result.Err
	}
}

// Put stores holdings that were read at the block head.
func (c *Cache[V]) Put(key Key, held V, head string) { c.entries.Set(key, cached[V]{held, head}) }

// Drop removes an entry.
func (c *Cache[V]) Drop(key Key) { c.entries.Delete(key) }

// flightKey identifies a read. Reads before and after a new block are not shared.
func flightKey(key Key, head string) string {
	return strings.Join([]string{key.ChainID, key.Currency, head, key.Owner}, "/")
}

// seenLifetime is how long the last amounts of an account are stored.
const seenLifetime = time.Hour

// SeenAmounts stores a digest of the last amounts of each watched account.
type SeenAmounts struct {
	digests *cache.Cache[Key, uint64]
}

// NewSeenAmounts returns an empty record.
func NewSeenAmounts() *SeenAmounts {
	return &SeenAmounts{cache.New(cache.Options[Key, uint64]{
		MaxEntries: cacheEntries,
		Lifetime:   seenLifetime,
	})}
}

// Changed stores the amounts and reports whether they differ from the previous ones; false if there were none.
func (s *SeenAmounts) Changed(key Key, holdings []Holding) bool {
	now := Digest(holdings)
	before, ok := s.digests.Swap(key, now)
	return ok && before != now
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
