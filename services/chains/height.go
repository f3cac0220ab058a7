package chains

import (
	"sync"
	"time"
)

const (
	// heightPatience is how long a chain's height stands although no node shows it any more. After that the chain is as high as its nodes say.
	heightPatience = 30 * time.Second
	// jumpFactor and jumpMargin bound by how much a single node may raise a chain over the height that two nodes showed last: so many
	// times the blocks that were due since, and so many blocks more.
	jumpFactor = 4
	jumpMargin = 32
)

// height is the highest block that a caller has been told of. It does not go back while nodes come and go.
type height struct {
	mu     sync.Mutex
	number uint64
	// shown is when the nodes last showed it; agreed says that two of them did.
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

// raise notes a block that a chain's only node showed.
func (h *height) raise(number uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number >= h.number {
		h.number, h.shown, h.agreed = number, now, false
	}
}

// isPlausible reports whether a chain with a block each blockTime can be as high as a single node says.
func (h *height) isPlausible(number uint64, blockTime time.Duration, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.baseAt.IsZero() || number <= h.base {
		return true
	}
	due := uint64(max(0, now.Sub(h.baseAt)) / max(blockTime, time.Millisecond))
	return number-h.base <= jumpFactor*due+jumpMargin
}

// settle notes the head that the nodes show, and reports whether the chain is that high: a development chain may go back at once, any
// other only when no node has shown its height for long, or when two nodes agree where one alone had been believed.
func (h *height) settle(number uint64, agreed, dev bool, now time.Time) (settled bool) {
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
