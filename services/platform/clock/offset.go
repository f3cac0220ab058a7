package clock

import (
	"os"
	"strings"
	"sync"
	"time"
)

// OffsetFile is the variable with the path of a file that holds the offset of the clock, such as 1h or -90s. A missing
// file means no offset.
const OffsetFile = "HAWSER_TEST_CLOCK"

// follow is how often the file is read.
const follow = 100 * time.Millisecond

// offset holds the value that was last read from the file.
var offset struct {
	sync.Mutex
	by   time.Duration
	read time.Time
}

// offsetAt returns the offset of the clock.
func offsetAt(now time.Time) time.Duration {
	path := os.Getenv(OffsetFile)
	if path == "" {
		return 0
	}
	offset.Lock()
	defer offset.Unlock()
	if now.Sub(offset.read) >= follow {
		offset.read, offset.by = now, 0
		if raw, err := os.ReadFile(path); err == nil {
			offset.by, _ = time.ParseDuration(strings.TrimSpace(string(raw)))
		}
	}
	return offset.by
}
