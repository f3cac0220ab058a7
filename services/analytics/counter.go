package analytics

import (
	"context"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// maxKeys bounds the counts in memory; further events are dropped until the next flush.
const maxKeys = 100_000

// dayForm is the format of a stored day.
const dayForm = time.DateOnly

// Key is what is counted.
type Key struct {
	Project string
	// Day is a date in UTC: 2026-01-31.
	Day string
	Event
}

// Count is a number of events.
type Count struct {
	Key
	N int64
}

// Store stores counts.
type Store interface {
	// Add adds counts to those that are stored.
	Add(ctx context.Context, counts []Count) error
	// List returns the counts of a project from a day on, the newest day first, then by event and detail.
	List(ctx context.Context, project, fromDay string) ([]Count, error)
	// DeleteBefore deletes the counts of earlier days.
	DeleteBefore(ctx context.Context, day string) error
}

// Counter collects counts in memory. It is safe for concurrent use.
type Counter struct {
	store Store
	clock clock.Clock

	mu     sync.Mutex
	counts map[Key]int64
	// closed means that no worker flushes the counts any more.
	closed bool
}

// NewCounter returns a counter that adds to store.
func NewCounter(s Store, c clock.Clock) *Counter {
	return &Counter{store: s, clock: c, counts: map[Key]int64{}}
}

// Record counts events of a project on this day. After [Counter.Close] it stores them at once, and fails if it cannot.
func (c *Counter) Record(ctx context.Context, project string, list []Event) error {
	if c.add(project, list) {
		return c.Flush(ctx)
	}
	return nil
}

// add counts events in memory, and reports whether the counter is closed.
func (c *Counter) add(project string, list []Event) (closed bool) {
	day := c.clock.Now().UTC().Format(dayForm)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range list {
		key := Key{project, day, e}
		if _, known := c.counts[key]; !known && len(c.counts) >= maxKeys {
			continue
		}
		c.counts[key]++
	}
	return c.closed
}

// Close stores the collected counts. Calls of Record that finish later store their events themselves.
func (c *Counter) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	return c.Flush(ctx)
}

// Flush adds the collected counts to the store. Counts that cannot be stored are kept for the next flush.
func (c *Counter) Flush(ctx context.Context) error {
	c.mu.Lock()
	taken := c.counts
	c.counts = make(map[Key]int64, len(taken))
	c.mu.Unlock()
	if len(taken) == 0 {
		return nil
	}
	list := make([]Count, 0, len(taken))
	for key, n := range taken {
		list = append(list, Count{key, n})
	}
	err := c.store.Add(ctx, list)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		for key, n := range taken {
			c.counts[key] += n
		}
	}
	return err
}
