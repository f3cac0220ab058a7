//go:build !unix

package files

// Umask does nothing: this system has no such mask.
func Umask(bool) {}
