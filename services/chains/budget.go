package chains

import (
	"sync"
	"time"
)

const (
	// retryShare is how many further tries one request earns: an outage is amplified by no more than that.
	retryShare = 0.1
	// retriesPerSecond lets a chain with few requests fail over all the same.
	retriesPerSecond = 2
	// retriesSaved is how many tries may be saved up.
	retriesSaved = 40
)

// retryBudget bounds the tries beyond the first, hedges included.
type retryBudget struct {
	mu     sync.Mutex
	spent  float64
	earned time.Time
}

// earn notes one request.
func (b *retryBudget) earn(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.earned.IsZero() {
		b.spent -= max(0, now.Sub(b.earned).Seconds()) * retriesPerSecond
	}
	b.earned = now
	b.spent = max(0, b.spent-retryShare)
}

// spend takes one further try, if there is one.
func (b *retryBudget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent+1 > retriesSaved {
		return false
	}
	b.spent++
	return true
}
