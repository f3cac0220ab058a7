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
	// failuresInARow is after how many a vendor rests for leastRest; each failure after a rest is another one in the row, and doubles the
	// next, up to mostRest.
	failuresInARow = 3
	leastRest      = 30 * time.Second
	mostRest       = 8 * time.Minute
)

// health is how a vendor did lately.
type health struct {
	name  string
	clock clock.Clock
	log   *slog.Logger

	mu       sync.Mutex
	failures int
	until    time.Time
}

// resting reports whether the vendor is left out for now.
func (h *health) resting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clock.Now().Before(h.until)
}

// noteBuild counts how the building of a transaction ended. After one that was unsafe the vendor rests at once: its next quote, which counts as
// no failure, may be the best again, and nobody could swap by it either.
func (h *health) noteBuild(ctx context.Context, err error) {
	if errors.Is(err, ErrUnsafe) {
		h.mu.Lock()
		h.failures = max(h.failures, failuresInARow-1)
		h.mu.Unlock()
	}
	h.note(ctx, err)
}

// note counts how a call ended. A caller that left says nothing of the vendor.
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
	if h.failures < failuresInARow || h.clock.Now().Before(h.until) {
		return
	}
	rest := leastRest
	for range h.failures - failuresInARow {
		rest = min(2*rest, mostRest)
	}
	h.until = h.clock.Now().Add(rest)
	h.log.WarnContext(ctx, "swap vendor rests after failures", "vendor", h.name, "failures", h.failures, "for", rest, "error", err)
}
