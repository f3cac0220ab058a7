package finalcache

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Deps are what a cache needs.
type Deps struct {
	// Open opens the store, and returns what closes it. It is called again while it fails.
	Open  func(ctx context.Context) (s Store, done func() error, err error)
	Clock clock.Clock
	Log   *slog.Logger
}

// Cache keeps final results. It is safe for concurrent use. A nil cache keeps nothing.
type Cache struct {
	config Config
	deps   Deps
	// store is nil until it is open.
	store   atomic.Pointer[Store]
	breaker breaker
	// finding has room for the reads that ask the store.
	finding chan struct{}
	queue   chan Entry
	touches chan Key
	// waiting is how many bytes are in queue.
	waiting atomic.Int64
	callers *limit.Local
	added   limit.Rate
	metrics *metrics
}

// New returns a cache. Nothing is kept or found before [Cache.Run] has opened the store.
func New(cfg Config, deps Deps) *Cache {
	// A rate counts in KiB.
	hourly := int(cfg.MaxBytes / callerPart >> 10)
	return &Cache{
		config: cfg, deps: deps, finding: make(chan struct{}, concurrentFinds), queue: make(chan Entry, queued), touches: make(chan Key, queued),
		callers: limit.NewLocal(deps.Clock, 0), added: limit.PerHour("chains.cache", hourly), metrics: newMetrics(),
	}
}

// Read identifies a read for metrics.
type Read struct {
	Key Key
	// ChainID is the CAIP-2 chain id, Method the JSON-RPC method, of which there are few.
	ChainID, Method string
	// Calls is how many calls of nodes the read takes at least.
	Calls int
}

// Find returns what is known of the reads, within 50 ms. A read is absent from the result if nothing is known, if the store failed or was too slow, or
// if all results together are over 4 MiB.
func (c *Cache) Find(ctx context.Context, reads ...Read) map[Key]Entry {
	if c == nil || len(reads) == 0 {
		return nil
	}
	found, asked := c.find(ctx, reads)
	for _, r := range reads {
		outcome := outcomeMiss
		if !asked {
			outcome = outcomeSkipped
		} else if len(found[r.Key].Result) > 0 {
			outcome = outcomeHit
			c.metrics.saved(ctx, r, SavedByDatabase)
		}
		c.metrics.read(ctx, r, outcome)
	}
	return found
}

// CountSaved counts a read that was answered from memory instead.
func (c *Cache) CountSaved(ctx context.Context, r Read) {
	if c != nil {
		c.metrics.saved(ctx, r, SavedByMemory)
	}
}

// find asks the store, and reports whether it answered. The call of the store may outlive this one, which never waits longer.
func (c *Cache) find(ctx context.Context, reads []Read) (found map[Key]Entry, asked bool) {
	s, now := c.store.Load(), c.deps.Clock.Now()
	if s == nil || !c.breaker.allows(now) {
		return nil, false
	}
	select {
	case c.finding <- struct{}{}:
	default:
		return nil, false
	}
	keys := make([]Key, len(reads))
	for i, r := range reads {
		keys[i] = r.Key
	}
	bounded, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	answered := make(chan map[Key]Entry, 1)
	ended := routine.Go(bounded, func() error {
		defer func() { <-c.finding }()
		all, size := map[Key]Entry{}, 0
		err := (*s).Find(bounded, keys, func(e Entry) bool {
			size += len(e.Result)
			if size <= findBytes {
				all[e.Key] = e
			}
			return size <= findBytes
		})
		if err == nil {
			answered <- all
		}
		return err
	})
	var err error
	select {
	case err = <-ended:
	case <-bounded.Done():
		err = bounded.Err()
	}
	if ctx.Err() != nil {
		// The caller left.
		return nil, false
	}
	if c.breaker.record(err == nil, now) {
		c.deps.Log.WarnContext(ctx, "the cache of final results is not read for a while", "error", err)
	}
	if err != nil {
		return nil, false
	}
	found = <-answered
	c.touch(found, now)
	return found, true
}

// touch has the time of the last read written for entries whose time is old.
func (c *Cache) touch(found map[Key]Entry, now time.Time) {
	for key, e := range found {
		if len(e.Result) == 0 || now.Sub(e.UsedAt) < touchAfter {
			continue
		}
		select {
		case c.touches <- key:
		default:
		}
	}
}

// Keep has an entry written later, for the caller of ctx. It never waits: what is too large, exceeds what the caller may add, or has no room in the
// queue is dropped and counted.
func (c *Cache) Keep(ctx context.Context, e Entry) {
	if c == nil {
		return
	}
	size := e.size()
	who, known := limit.From(ctx)
	// A network counts once, however many projects it names.
	who.Project = ""
	switch {
	case int64(len(e.Result)) > c.config.MaxEntryBytes:
		c.metrics.drop(ctx, droppedSize)
		return
	case known && c.callers.Take(ctx, who, c.added, int((size+1<<10-1)>>10)) > 0:
		c.metrics.drop(ctx, droppedCaller)
		return
	}
	if c.waiting.Add(size) > queuedBytes {
		c.waiting.Add(-size)
		c.metrics.drop(ctx, droppedQueue)
		return
	}
	select {
	case c.queue <- e:
	default:
		c.waiting.Add(-size)
		c.metrics.drop(ctx, droppedQueue)
	}
}

// MaxEntryBytes returns the size in bytes above which [Cache.Keep] drops a result.
func (c *Cache) MaxEntryBytes() int64 {
	if c == nil {
		return 0
	}
	return c.config.MaxEntryBytes
}
