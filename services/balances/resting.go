package balances

import (
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// rest is how long a chain whose nodes failed is left out where others can do without it.
const rest = 10 * time.Second

// restingChains remembers which chains failed a moment ago, so that not every request waits for them again.
type restingChains struct {
	clock clock.Clock

	mu    sync.Mutex
	until map[string]time.Time
}

func newRestingChains(c clock.Clock) *restingChains {
	return &restingChains{clock: c, until: map[string]time.Time{}}
}

// has says whether the chain rests.
func (r *restingChains) has(chainID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.clock.Now().Before(r.until[chainID])
}

// add lets the chain rest from now on.
func (r *restingChains) add(chainID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until[chainID] = r.clock.Now().Add(rest)
}
