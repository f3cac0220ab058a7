package nfts

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a goroutine leaks, except those of caches, which end when their cache is garbage collected.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(orderly{m}, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

// orderly closes the connections to the local chains before goroutines are counted.
type orderly struct{ *testing.M }

func (o orderly) Run() int {
	code := o.M.Run()
	http.DefaultClient.CloseIdleConnections()
	return code
}
