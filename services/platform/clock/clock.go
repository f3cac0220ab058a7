// Package clock is the time source, which tests replace.
package clock

import "time"

// Clock returns the current time.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
}

// System is the machine's clock.
type System struct{}
