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
	// failuresInARow is after how many a vendor rests, and restFor how long; the first failure after a rest is another one in the row.
	failuresInARow = 3
	restFor        = 30 * time.Second
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
	h.until = h.clock.Now().Add(restFor)
	h.log.WarnContext(ctx, "swap vendor rests after failures", "vendor", h.name, "failures", h.failures, "for", restFor, "error", err)
}
