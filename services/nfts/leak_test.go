package nfts

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over, but for those of caches: they end when the garbage collector finds their cache.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}
