package activity

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if goroutines leak.
func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// closing closes the connections to the local chains before goroutines are counted.
type closing struct{ *testing.M }

func (c closing) Run() int {
	code := c.M.Run()
	http.DefaultClient.CloseIdleConnections()
	return code
}
