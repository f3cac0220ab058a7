package pool

import (
	"sync"
	"time"
)

const (
	// heightPatience is how long a chain's height is kept although no node reports it any more. After that the nodes'
	// own height counts.
	heightPatience = 30 * time.Second
	// jumpFactor and jumpMargin bound how far a single node may raise a chain above the height that two nodes last
	// reported: jumpFactor times the blocks that were due since, plus jumpMargin.
	jumpFactor = 4
	jumpMargin = 32
)

// height is the highest block number that callers have received. It does not decrease when nodes become unavailable.
type height struct {
	mu     sync.Mutex
	number uint64
	// shown is when the nodes last reported it; agreed is set if two of them did.
	shown  time.Time
	agreed bool
	// base is the highest block that two nodes last reported, at baseAt.
	base   uint64
	baseAt time.Time
}

func (h *height) get() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number
}

// raise records a block reported by a chain's only node.
func (h *height) raise(number uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number >= h.number {
		h.number, h.shown, h.agreed = number, now, false
	}
}

// isPlausible reports whether a chain with one block per blockTime can have the height that a single node reports.
func (h *height) isPlausible(number uint64, blockTime time.Duration, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.baseAt.IsZero() || number <= h.base {
		return true
	}
	due := uint64(max(0, now.Sub(h.baseAt)) / max(blockTime, time.Millisecond))
	return number-h.base <= jumpFactor*due+jumpMargin
}

// set records the head that the nodes report, and reports whether it became the chain's height. The height of a
// development chain may decrease at once, that of any other chain only after heightPatience, or when two nodes agree
// after a single node had been trusted.
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
