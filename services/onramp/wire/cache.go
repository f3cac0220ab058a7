package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Cache keeps lists that change rarely. Many who want the same one at once ask once; a failure is not kept.
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

// maxEntries is how many lists are kept: more than there are countries.
const maxEntries = 512

// NewCache returns a cache that keeps lists for so long.
func NewCache[T any](c clock.Clock, lifetime time.Duration) *Cache[T] {
	return &Cache[T]{clock: c, lifetime: lifetime, kept: map[string]entry[T]{}}
}

// Get returns the list of a key, asking for it if it is not there. What is asked is not given up when one of those who wait leaves.
func (c *Cache[T]) Get(ctx context.Context, key string, ask func(context.Context) (T, error)) (T, error) {
	if list, ok := c.find(key); ok {
		return list, nil
	}
	asked := c.flights.DoChan(ctx, key, func() (any, error) {
		list, err := ask(context.WithoutCancel(ctx))
		if err == nil {
			c.keep(key, list)
		}
		return list, err
	})
	select {
	case <-ctx.Done():
		var none T
		return none, gone(ctx)
	case answer := <-asked:
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

// gone is why somebody does not wait any longer.
func gone(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ramp.ErrUnavailable, ctx.Err())
}
