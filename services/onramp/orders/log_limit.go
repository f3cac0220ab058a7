package orders

import (
	"sync"
	"time"
)

// refusalEvery is the shortest time between two log lines about invalid deliveries to one provider, because anyone may send them.
const refusalEvery = time.Minute

// refusals stores when an invalid delivery was logged last, by provider. All are counted.
type refusals struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

func newRefusals() *refusals { return &refusals{logged: map[string]time.Time{}} }

// worth reports whether an invalid delivery should be logged now.
func (r *refusals) worth(provider string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.logged[provider]; ok && now.Sub(last) < refusalEvery {
		return false
	}
	r.logged[provider] = now
	return true
}
