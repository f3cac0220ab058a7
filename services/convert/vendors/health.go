package vendors

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// maxFailures is how many failures in a row pause a vendor, for leastPause. Each failure after a pause doubles the next one, up to mostPause.
	maxFailures = 3
	leastPause  = 30 * time.Second
	mostPause   = 8 * time.Minute
)

// health counts a vendor's failures in a row.
type health struct {
	name  string
	clock clock.Clock
	log   *slog.Logger

	mu       sync.Mutex
	failures int
	until    time.Time
}

// paused reports whether no quotes are requested from the vendor now.
func (h *health) paused() bool { return h.pause() > 0 }

// pause returns for how long no quotes are requested from the vendor.
func (h *health) pause() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(0, h.until.Sub(h.clock.Now()))
}

// noteBuild counts the result of building a transaction. An unsafe transaction pauses the vendor at once: its quotes do not fail, and may stay the best
// while none of their transactions can be used.
func (h *health) noteBuild(ctx context.Context, err error) {
	if errors.Is(err, ErrUnsafe) {
		h.mu.Lock()
		h.failures = max(h.failures, maxFailures-1)
		h.mu.Unlock()
	}
	h.note(ctx, err)
}

// note counts the result of a call, unless the caller cancelled it.
func (h *health) note(ctx context.Context, err error) {
	if errors.Is(err, context.Canceled) || errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !isFault(err) {
		h.failures = 0
		return
	}
	h.failures++
	if h.failures < maxFailures || h.clock.Now().Before(h.until) {
		return
	}
	pause := leastPause
	for range h.failures - maxFailures {
		pause = min(2*pause, mostPause)
	}
	h.until = h.clock.Now().Add(pause)
	h.log.WarnContext(ctx, "swap vendor paused after failures", "vendor", h.name, "failures", h.failures, "for", pause, "error", err)
}
