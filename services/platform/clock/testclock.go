//go:build testclock

package clock

import (
	"os"
	"strings"
	"sync"
	"time"
)

// EnvFile names the variable with the path of a file that holds the offset of the clock, as 1h or -90s. A missing file
// means no offset.
const EnvFile = "HAWSER_TEST_CLOCK"

// follow is how often the file is read.
const follow = 100 * time.Millisecond

// offset holds the value that was last read from the file.
var offset struct {
	sync.Mutex
	by   time.Duration
	read time.Time
}

// Now returns time.Now() plus the offset in the file that [EnvFile] names.
func (System) Now() time.Time {
	now := time.Now()
	path := os.Getenv(EnvFile)
	if path == "" {
		return now
	}
	offset.Lock()
	defer offset.Unlock()
	if now.Sub(offset.read) >= follow {
		offset.read, offset.by = now, 0
		if raw, err := os.ReadFile(path); err == nil {
			offset.by, _ = time.ParseDuration(strings.TrimSpace(string(raw)))
		}
	}
	return now.Add(offset.by)
}
