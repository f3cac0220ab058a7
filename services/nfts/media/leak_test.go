package media

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over, but for those of caches: they end when the garbage collector finds their cache.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(orderly{m}, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

// orderly lets go of the connections to the local chains before goroutines are counted.
type orderly struct{ *testing.M }

func (o orderly) Run() int {
	code := o.M.Run()
	http.DefaultClient.CloseIdleConnections()
	return code
}
