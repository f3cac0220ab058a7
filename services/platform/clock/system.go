package clock

import "time"

// hasOffset is set by the linker, `-X github.com/hawser-dev/hawser/services/platform/clock.hasOffset=yes`, in a binary
// for tests with a wrong clock.
var hasOffset string

// Now returns time.Now(), in a binary for tests with the offset that [OffsetFile] has.
func (System) Now() time.Time {
	now := time.Now()
	if hasOffset == "" {
		return now
	}
	return now.Add(offsetAt(now))
}
