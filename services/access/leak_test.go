package access

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// TestMain fails if a goroutine leaks, except those of caches, which end when their cache is garbage collected.
func TestMain(m *testing.M) {
	devnettest.VerifyNoLeaks(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}
