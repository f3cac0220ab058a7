package finalcache

import (
	"sync"
	"time"
)

const (
	// breakAfter is how many failures in a row stop the calls, firstBreak for how long at first, and longestBreak at most.
	breakAfter               = 3
	firstBreak, longestBreak = 5 * time.Second, time.Minute
)

// breaker stops calls of a database that fails. After a break one call in a row of failures is enough for the next, longer one.
type breaker struct {
	mu       sync.Mutex
	failures int
	until    time.Time
}

// allows reports whether the database is asked.
func (b *breaker) allows(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !now.Before(b.until)
}

// record records how a call ended, and reports whether a break begins.
func (b *breaker) record(ok bool, now time.Time) (broken bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		b.failures = 0
		return false
	}
	b.failures++
	if b.failures < breakAfter || now.Before(b.until) {
		return false
	}
	b.until = now.Add(min(longestBreak, firstBreak<<min(b.failures-breakAfter, 10)))
	return true
}
