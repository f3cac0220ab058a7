//go:build !unix

package bus

import (
	"os"
	"path/filepath"
)

// lockFolder opens the lock file without locking it: this system has no flock.
func lockFolder(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
}
