package vendors

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// maxFailures is how many failures in a row pause a vendor, for leastPause. Each failure after a pause doubles the next one, up to mostPause.
	maxFailures = 3
	leastPause  = 30 * time.Second
	mostPause   = 8 * time.Minute
	// unsafePairs bounds the pairs of tokens for which a vendor is paused.
	unsafePairs = 1_000
)

// health counts a vendor's failures in a row.
type health struct {
	name  string
	clock clock.Clock
	log   *slog.Logger

	mu       sync.Mutex
	failures int
	until    time.Time
	// unsafe has until when no quotes for tokens are requested that had an unsafe transaction.
	unsafe map[pair]time.Time
}

// paused reports whether no quotes are requested from the vendor now.
func (h *health) paused() bool { return h.pause() > 0 }

// pause returns for how long no quotes are requested from the vendor.
func (h *health) pause() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(0, h.until.Sub(h.clock.Now()))
}

// noteBuild counts the result of building a transaction. An unsafe transaction pauses the vendor at once for its tokens: its quotes do not fail, and may
// stay the best while none of their transactions can be used. Other tokens are not affected, because any caller can choose such a pair.
func (h *health) noteBuild(ctx context.Context, r Request, err error) {
	if errors.Is(err, ErrUnsafe) {
		h.avoid(r)
	}
	h.note(ctx, err)
}

// avoid pauses the vendor for the tokens of a request. Pairs beyond unsafePairs are not noted.
func (h *health) avoid(r Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock.Now()
	if len(h.unsafe) == unsafePairs {
		maps.DeleteFunc(h.unsafe, func(_ pair, until time.Time) bool { return !now.Before(until) })
	}
	if h.unsafe == nil {
		h.unsafe = map[pair]time.Time{}
	}
	if len(h.unsafe) < unsafePairs {
		h.unsafe[pairOf(r)] = now.Add(leastPause)
	}
}

// avoids reports whether the vendor is paused for the tokens of a request.
func (h *health) avoids(r Request) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clock.Now().Before(h.unsafe[pairOf(r)])
}

// pair is the sold and the bought token of a chain.
type pair struct {
	chainID  string
	from, to evm.Address
}

func pairOf(r Request) pair { return pair{r.ChainID, r.From, r.To} }

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
