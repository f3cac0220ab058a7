package upstream

import (
	"net/http"
	"testing"
	"time"
)

// Keys in URLs and headers must not go to a proxy that the environment of a shell names.
func TestTheEnvironmentNamesNoProxy(t *testing.T) {
	if transport := New(time.Second, 1).http.Transport.(*http.Transport); transport.Proxy != nil {
		t.Error("requests go to the proxy of the environment")
	}
}
