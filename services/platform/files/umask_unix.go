//go:build unix

package files

import "syscall"

// Umask sets the file mode creation mask, so that files created from now on are accessible only to their user, or also
// to its group.
func Umask(byGroup bool) {
	mask := world | group
	if byGroup {
		mask = world
	}
	syscall.Umask(int(mask))
}
