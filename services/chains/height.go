package chains

import (
	"sync"
	"time"
)

// heightPatience is how long a chain's height stands although no node shows it any more. After that the chain is as high as its nodes say.
const heightPatience = 30 * time.Second

// height is the highest block that a caller has been told of. It does not go back while nodes come and go.
type height struct {
	mu     sync.Mutex
	number uint64
	// shown is when a node last showed it.
	shown time.Time
}

func (h *height) get() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number
}

// raise notes a block that a node showed.
func (h *height) raise(number uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number >= h.number {
		h.number, h.shown = number, now
	}
}

// settle notes the highest block that all nodes together show, and reports whether the chain is that high: a development chain may go back
// at once, any other only when no node has shown its height for long.
func (h *height) settle(number uint64, dev bool, now time.Time) (settled bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number < h.number && !dev && now.Sub(h.shown) < heightPatience {
		return false
	}
	h.number, h.shown = number, now
	return true
}
