package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// maxEntries bounds a cache; there are fewer countries.
const maxEntries = 512

// Cache caches lists that change rarely. Concurrent callers share one request; errors are not cached.
type Cache[T any] struct {
	lists   *cache.Cache[string, T]
	flights routine.Flights
}

// NewCache returns an empty cache whose entries expire after lifetime.
func NewCache[T any](c clock.Clock, lifetime time.Duration) *Cache[T] {
	return &Cache[T]{lists: cache.New(cache.Options[string, T]{MaxEntries: maxEntries, Lifetime: lifetime, Clock: c})}
}

// Get returns the list of a key, and loads it if it is not cached. The request continues if a caller's context ends.
func (c *Cache[T]) Get(ctx context.Context, key string, load func(context.Context) (T, error)) (T, error) {
	if list, ok := c.lists.Get(key); ok {
		return list, nil
	}
	loaded := c.flights.DoChan(ctx, key, func() (any, error) {
		// Another caller may have stored it since the check above.
		if list, ok := c.lists.Get(key); ok {
			return list, nil
		}
		list, err := load(context.WithoutCancel(ctx))
		if err == nil {
			c.lists.Set(key, list)
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

// ctxError returns the error of a context: a deadline is [ramp.ErrUnavailable].
func ctxError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ramp.ErrUnavailable, ctx.Err())
}
