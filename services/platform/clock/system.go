//go:build !testclock

package clock

import "time"

// Now returns time.Now().
func (System) Now() time.Time { return time.Now() }
