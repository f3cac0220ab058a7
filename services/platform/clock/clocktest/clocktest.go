// Package clocktest implements [clock.Clock] for tests.
package clocktest

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stopped is a clock that stands still until a test moves it. The zero value stands at the zero time. Its methods may be called at the same time.
type Stopped struct {
	mu  sync.Mutex
	now time.Time
}

// StoppedAt returns a clock that stands at now.
func StoppedAt(now time.Time) *Stopped { return &Stopped{now: now} }

// Now implements [clock.Clock].
func (c *Stopped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass moves the clock by d, which may be negative.
func (c *Stopped) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Ahead is the machine's clock plus an offset, which is 0 at first. Its methods may be called at the same time.
type Ahead struct{ offset atomic.Int64 }

// Now implements [clock.Clock].
func (c *Ahead) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

// Pass adds d to the offset.
func (c *Ahead) Pass(d time.Duration) { c.offset.Add(int64(d)) }
