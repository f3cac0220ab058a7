package finalcache

import (
	"context"
	"errors"
	"time"
)

// flushTimeout bounds the last batch, which is written when the process ends.
const flushTimeout = 2 * time.Second

// Run opens the store and writes to it, until ctx ends. It fails only with the error of ctx.
func (c *Cache) Run(ctx context.Context) error {
	stop := c.metrics.observe()
	defer stop()
	s, done, err := c.open(ctx)
	if err != nil {
		return err
	}
	c.store.Store(&s)
	w := writer{cache: c, store: s}
	err = w.run(ctx)
	c.store.Store(nil)
	if closed := done(); closed != nil {
		c.deps.Log.WarnContext(ctx, "the cache of final results was not closed", "error", closed)
	}
	return err
}

// open opens the store, again while that fails. What waits meanwhile is dropped once the queue is full.
func (c *Cache) open(ctx context.Context) (Store, func() error, error) {
	for pause := openPause; ; pause = min(2*pause, longestPause) {
		s, done, err := c.deps.Open(ctx)
		if err == nil {
			return s, done, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		c.deps.Log.WarnContext(ctx, "the cache of final results cannot be opened", "error", err)
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// writer writes what waits in the queue of a cache.
type writer struct {
	cache *Cache
	store Store
	// added is how many bytes were written since the last removal.
	added int64
	// pause is how long nothing is written after a failure.
	pause time.Duration
}

func (w *writer) run(ctx context.Context) error {
	c := w.cache
	trim := time.NewTicker(trimInterval)
	defer trim.Stop()
	// A batch that was begun is written.
	working := context.WithoutCancel(ctx)
	_ = w.trim(ctx, 0)
	for {
		select {
		case <-ctx.Done():
			flushing, cancel := context.WithTimeout(working, flushTimeout)
			defer cancel()
			for batch := w.ready(); len(batch) > 0 && flushing.Err() == nil; batch = w.ready() {
				_ = w.write(flushing, batch)
			}
			return ctx.Err()
		case <-trim.C:
			_ = w.trim(ctx, 0)
		case key := <-c.touches:
			w.touch(ctx, key)
		case first := <-c.queue:
			if err := w.write(working, w.collect(ctx, first)); err != nil && ctx.Err() == nil {
				w.rest(ctx)
			} else {
				w.pause = 0
			}
		}
	}
}

// collect returns a batch that begins with an entry.
func (w *writer) collect(ctx context.Context, first Entry) []Entry {
	batch, size := []Entry{first}, first.size()
	late := time.NewTimer(batchPause)
	defer late.Stop()
	for len(batch) < batchSize && size < batchBytes {
		select {
		case <-ctx.Done():
			return batch
		case <-late.C:
			return batch
		case e := <-w.cache.queue:
			batch, size = append(batch, e), size+e.size()
		}
	}
	return batch
}

// ready returns a batch of what is in the queue.
func (w *writer) ready() (batch []Entry) {
	for size := int64(0); len(batch) < batchSize && size < batchBytes; {
		select {
		case e := <-w.cache.queue:
			batch, size = append(batch, e), size+e.size()
		default:
			return batch
		}
	}
	return batch
}

// write writes a batch, after it made room for it. One that fails is dropped.
func (w *writer) write(ctx context.Context, batch []Entry) error {
	c := w.cache
	size := int64(0)
	for _, e := range batch {
		size += e.size()
	}
	defer c.waiting.Add(-size)
	var err error
	if w.added+size > c.config.MaxBytes/trimPart {
		err = w.trim(ctx, size)
	}
	bounded, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err == nil {
		err = w.store.Add(bounded, batch, c.deps.Clock.Now())
	}
	if err != nil {
		c.deps.Log.WarnContext(ctx, "final results were not kept", "results", len(batch), "error", err)
		c.metrics.dropMany(ctx, droppedStore, len(batch))
		return err
	}
	w.added += size
	return nil
}

// rest waits after a failure, twice as long as after the one before.
func (w *writer) rest(ctx context.Context) {
	w.pause = min(max(openPause, 2*w.pause), longestPause)
	select {
	case <-ctx.Done():
	case <-time.After(w.pause):
	}
}

// touch writes that entries were read: one, and those that wait.
func (w *writer) touch(ctx context.Context, first Key) {
	keys := []Key{first}
	for len(keys) < batchSize {
		select {
		case key := <-w.cache.touches:
			keys = append(keys, key)
			continue
		default:
		}
		break
	}
	bounded, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := w.store.Touch(bounded, keys, w.cache.deps.Clock.Now()); err != nil && ctx.Err() == nil {
		w.cache.deps.Log.DebugContext(ctx, "times of final results were not written", "error", err)
	}
}

// trim removes what is too much, so much that a batch of that size and what is added until the next time have room, and measures what is left.
func (w *writer) trim(ctx context.Context, size int64) error {
	c := w.cache
	bounded, cancel := context.WithTimeout(ctx, trimTimeout)
	defer cancel()
	most := c.config.MaxBytes
	_, err := w.store.Trim(bounded, most-most/trimPart-size)
	sizes, failed := w.store.Sizes(bounded)
	if failed == nil {
		c.metrics.setSizes(sizes)
	}
	if err = errors.Join(err, failed); err != nil && ctx.Err() == nil {
		c.deps.Log.WarnContext(ctx, "final results over the bound were not removed", "error", err)
	}
	if err == nil {
		w.added = 0
	}
	return err
}
