// Package clocktest implements [clock.Clock] for tests.
package clocktest

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stopped is a clock that a test sets. The zero value is at the zero time. It is safe for concurrent use.
type Stopped struct {
	mu  sync.Mutex
	now time.Time
}

// StoppedAt returns a clock whose time is now.
func StoppedAt(now time.Time) *Stopped { return &Stopped{now: now} }

// Now implements [clock.Clock].
func (c *Stopped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass adds d, which may be negative, to the time.
func (c *Stopped) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Ahead is the system clock plus an offset, which is 0 at first. It is safe for concurrent use.
type Ahead struct{ offset atomic.Int64 }

// Now implements [clock.Clock].
func (c *Ahead) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

// Pass adds d to the offset.
func (c *Ahead) Pass(d time.Duration) { c.offset.Add(int64(d)) }
