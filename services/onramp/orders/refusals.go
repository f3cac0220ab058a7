package orders

import (
	"sync"
	"time"
)

// refusalEvery is between two lines of the log about deliveries that one provider did not sign: anybody may send as many as they like.
const refusalEvery = time.Minute

// refusals remembers when a refusal was logged last, by provider. All are counted.
type refusals struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

func newRefusals() *refusals { return &refusals{logged: map[string]time.Time{}} }

// worth reports whether a refusal is worth a line, and notes that it gets one.
func (r *refusals) worth(provider string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.logged[provider]; ok && now.Sub(last) < refusalEvery {
		return false
	}
	r.logged[provider] = now
	return true
}
