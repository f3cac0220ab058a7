//go:build unix

package files

import "syscall"

// Umask makes what this process creates from now on its own user's alone, or its group's too.
func Umask(byGroup bool) {
	mask := world | group
	if byGroup {
		mask = world
	}
	syscall.Umask(int(mask))
}
