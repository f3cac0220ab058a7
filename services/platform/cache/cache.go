// Package cache keeps values in memory by key, bounded in number or weight and in age.
//
// It wraps github.com/maypok86/otter/v2, which evicts the entries that are least likely to be used again. Otter is generic, and the compiler compiles
// an instantiation again in every package that uses it, which takes seconds. So this is the only package that imports otter, and it has one
// instantiation, for keys and values of type any. What is compiled for each [Cache] are conversions. A key costs an allocation per call.
package cache

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Cache is a cache of values of type V by keys of type K. It is safe for concurrent use.
type Cache[K comparable, V any] struct{ table table }

// Options are the bounds of a [Cache]. Either MaxEntries or MaxWeight may be set.
type Options[K comparable, V any] struct {
	// MaxEntries bounds the number of entries; 0 for no bound.
	MaxEntries int
	// MaxWeight bounds the sum of what Weigh returns; 0 for no bound. An entry of weight 0 is not evicted.
	MaxWeight uint64
	// Weigh returns the weight of an entry. It must be set if MaxWeight is, and must not call the cache.
	Weigh func(K, V) uint32
	// Lifetime is how long an entry is kept after it was set; 0 for no limit.
	Lifetime time.Duration
	// LifetimeOf returns the lifetime of an entry with this value, instead of Lifetime. It must not call the cache.
	LifetimeOf func(V) time.Duration
	// Clock is the time source of lifetimes; nil for the system's.
	Clock clock.Clock
}

// New returns an empty cache. It panics if options exclude each other.
func New[K comparable, V any](o Options[K, V]) *Cache[K, V] {
	var weigh func(key, value any) uint32
	if o.Weigh != nil {
		weigh = func(key, value any) uint32 { return o.Weigh(to[K](key), to[V](value)) }
	}
	var lifetimeOf func(value any) time.Duration
	if o.LifetimeOf != nil {
		lifetimeOf = func(value any) time.Duration { return o.LifetimeOf(to[V](value)) }
	}
	return &Cache[K, V]{newTable(o.MaxEntries, o.MaxWeight, weigh, o.Lifetime, lifetimeOf, o.Clock)}
}

// Get returns the value of a key, and whether the cache has one.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	value, ok := c.table.get(key)
	return to[V](value), ok
}

// GetOrLoad returns the value of a key. If the cache has no value it calls load, and keeps the result if load returns no error. Concurrent calls for the same
// key share one call of load, which has the context of the first of them. A value is discarded, and the key read again, if the key was set or deleted
// while it was loaded.
func (c *Cache[K, V]) GetOrLoad(ctx context.Context, key K, load func(context.Context) (V, error)) (V, error) {
	value, err := c.table.getOrLoad(ctx, key, func(ctx context.Context) (any, error) { return load(ctx) })
	return to[V](value), err
}

// Set sets the value of a key.
func (c *Cache[K, V]) Set(key K, value V) { c.table.swap(key, value) }

// Swap sets the value of a key and returns the previous one; false if there was none.
func (c *Cache[K, V]) Swap(key K, value V) (previous V, ok bool) {
	old, ok := c.table.swap(key, value)
	return to[V](old), ok
}

// Delete removes the entry of a key.
func (c *Cache[K, V]) Delete(key K) { c.table.remove(key) }

// Clear removes all entries.
func (c *Cache[K, V]) Clear() { c.table.clear() }

// ExpiresAfter returns the time until the entry of a key expires, and whether the cache has the entry.
func (c *Cache[K, V]) ExpiresAfter(key K) (time.Duration, bool) { return c.table.expiresAfter(key) }

// to returns a key or value as its type. A nil interface has no type to assert, and is the zero value.
func to[T any](v any) T {
	t, _ := v.(T)
	return t
}

// table is a [Cache] without type parameters. It is an interface because a package that sees otter's type, even as that of an unexported field, compiles
// all methods of it.
type table interface {
	get(key any) (any, bool)
	getOrLoad(ctx context.Context, key any, load func(context.Context) (any, error)) (any, error)
	swap(key, value any) (previous any, ok bool)
	remove(key any)
	clear()
	expiresAfter(key any) (time.Duration, bool)
}

type otterTable struct{ entries *otter.Cache[any, any] }

// newTable is not inlined, because otter would be compiled in the package into which it is.
//
//go:noinline
func newTable(maxEntries int, maxWeight uint64, weigh func(key, value any) uint32, lifetime time.Duration, lifetimeOf func(value any) time.Duration, c clock.Clock) table {
	o := &otter.Options[any, any]{MaximumSize: maxEntries, MaximumWeight: maxWeight, Weigher: weigh}
	switch {
	case lifetimeOf != nil:
		o.ExpiryCalculator = otter.ExpiryWritingFunc(func(e otter.Entry[any, any]) time.Duration { return lifetimeOf(e.Value) })
	case lifetime > 0:
		o.ExpiryCalculator = otter.ExpiryWriting[any, any](lifetime)
	}
	if c != nil {
		o.Clock = otterClock{c}
	}
	return otterTable{otter.Must(o)}
}

// otterClock is a clock for otter.
type otterClock struct{ clock clock.Clock }

// NowNano returns the time in nanoseconds since 1970.
func (c otterClock) NowNano() int64 { return c.clock.Now().UnixNano() }

// Tick returns nil: expired entries are removed by later calls alone, because the clock may not be the system's.
func (c otterClock) Tick(time.Duration) <-chan time.Time { return nil }

func (t otterTable) get(key any) (any, bool) { return t.entries.GetIfPresent(key) }

func (t otterTable) getOrLoad(ctx context.Context, key any, load func(context.Context) (any, error)) (any, error) {
	return t.entries.Get(ctx, key, otter.LoaderFunc[any, any](func(ctx context.Context, _ any) (any, error) { return load(ctx) }))
}

func (t otterTable) swap(key, value any) (previous any, ok bool) {
	current, added := t.entries.Set(key, value)
	if added {
		return nil, false
	}
	return current, true
}

func (t otterTable) remove(key any) { t.entries.Invalidate(key) }

func (t otterTable) clear() { t.entries.InvalidateAll() }

func (t otterTable) expiresAfter(key any) (time.Duration, bool) {
	e, ok := t.entries.GetEntry(key)
	return e.ExpiresAfter(), ok
}
