package pools

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over.
func TestMain(m *testing.M) { goleak.VerifyTestMain(orderly{m}) }

// orderly lets go of the connections to the local chains before goroutines are counted.
type orderly struct{ *testing.M }

func (o orderly) Run() int {
	code := o.M.Run()
	http.DefaultClient.CloseIdleConnections()
	return code
}
