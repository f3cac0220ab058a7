package caip

import (
	"strings"
	"testing"
)

func TestIsSolanaAddress(t *testing.T) {
	for text, is := range map[string]bool{
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv": true,
		"So11111111111111111111111111111111111111112":  true,
		"11111111111111111111111111111111":             true,
		// The placeholder of the native token is an address too.
		"So11111111111111111111111111111111111111111": true,
		"":                                false,
		"1111111111111111111111111111111": false,
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaK0":  false,
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKvv": false,
		strings.Repeat("z", 44):                         false,
		"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266":    false,
	} {
		if got := IsSolanaAddress(text); got != is {
			t.Errorf("%q: %v", text, got)
		}
	}
}
