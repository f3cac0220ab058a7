package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Cache caches lists that change rarely. Concurrent callers share one request; errors are not cached.
type Cache[T any] struct {
	clock    clock.Clock
	lifetime time.Duration
	flights  routine.Flights

	mu   sync.Mutex
	kept map[string]entry[T]
}

type entry[T any] struct {
	list  T
	until time.Time
}

// maxEntries bounds the cache; there are fewer countries.
const maxEntries = 512

// NewCache returns an empty cache whose entries expire after lifetime.
func NewCache[T any](c clock.Clock, lifetime time.Duration) *Cache[T] {
	return &Cache[T]{clock: c, lifetime: lifetime, kept: map[string]entry[T]{}}
}

// Get returns the list of a key, and loads it if it is not cached. The request continues if a caller's context ends.
func (c *Cache[T]) Get(ctx context.Context, key string, load func(context.Context) (T, error)) (T, error) {
	if list, ok := c.find(key); ok {
		return list, nil
	}
	loaded := c.flights.DoChan(ctx, key, func() (any, error) {
		// Another caller may have stored it since the check above.
		if list, ok := c.find(key); ok {
			return list, nil
		}
		list, err := load(context.WithoutCancel(ctx))
		if err == nil {
			c.keep(key, list)
		}
		return list, err
	})
	select {
	case <-ctx.Done():
		var none T
		return none, ctxError(ctx)
	case answer := <-loaded:
		list, _ := answer.Val.(T)
		return list, answer.Err
	}
}

func (c *Cache[T]) find(key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[key]
	return k.list, ok && c.clock.Now().Before(k.until)
}

func (c *Cache[T]) keep(key string, list T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) >= maxEntries {
		clear(c.kept)
	}
	c.kept[key] = entry[T]{list, c.clock.Now().Add(c.lifetime)}
}

// ctxError returns the error of a context: a deadline is [ramp.ErrUnavailable].
func ctxError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ramp.ErrUnavailable, ctx.Err())
}
