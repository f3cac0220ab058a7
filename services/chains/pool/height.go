package pool

import (
	"sync"
	"time"
)

const (
	// heightPatience is how long a chain's height stands although no node shows it any more. After that the nodes' own height counts.
	heightPatience = 30 * time.Second
	// jumpFactor and jumpMargin bound how far a single node may raise a chain above the height that two nodes showed last: jumpFactor times the
	// blocks that were due since, plus jumpMargin.
	jumpFactor = 4
	jumpMargin = 32
)

// height is the highest block number that callers have received. It does not go back while nodes come and go.
type height struct {
	mu     sync.Mutex
	number uint64
	// shown is when the nodes last showed it; agreed is set if two of them did.
	shown  time.Time
	agreed bool
	// base is the highest block that two nodes showed last, at baseAt.
	base   uint64
	baseAt time.Time
}

func (h *height) get() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number
}

// raise records a block of a chain's only node.
func (h *height) raise(number uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number >= h.number {
		h.number, h.shown, h.agreed = number, now, false
	}
}

// isPlausible reports whether a chain with a block every blockTime can be as high as a single node shows.
func (h *height) isPlausible(number uint64, blockTime time.Duration, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.baseAt.IsZero() || number <= h.base {
		return true
	}
	due := uint64(max(0, now.Sub(h.baseAt)) / max(blockTime, time.Millisecond))
	return number-h.base <= jumpFactor*due+jumpMargin
}

// set records the head that the nodes show, and reports whether it became the chain's height. A development chain may go back at once, any
// other only after heightPatience, or when two nodes agree after one alone had been believed.
func (h *height) set(number uint64, agreed, dev bool, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if agreed {
		h.base, h.baseAt = number, now
	}
	if number < h.number && !dev && now.Sub(h.shown) < heightPatience && (h.agreed || !agreed) {
		return false
	}
	h.agreed = agreed || h.agreed && number == h.number
	h.number, h.shown = number, now
	return true
}
