package access

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestForwardedAddressesCountOnlyBehindAProxy(t *testing.T) {
	for hops, want := range map[int]string{0: "192.0.2.1", 1: "203.0.113.9", 2: "10.1.1.1", 3: "192.0.2.1"} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("X-Forwarded-For", "10.1.1.1, 203.0.113.9")
		if got := (&Guard{TrustedHops: hops}).Address(req); got != want {
			t.Errorf("behind %d proxies: caller %s, want %s", hops, got, want)
		}
	}
}

func TestTheRelayOfTheSameProcessHasTheAddressThatTheGatewayFound(t *testing.T) {
	for _, c := range []struct {
		hops      int
		forwarded []string
		want      string
	}{
		{0, []string{"9.9.9.9"}, "192.0.2.1"},
		{1, []string{"9.9.9.9, 203.0.113.9"}, "203.0.113.9"},
		{2, []string{"9.9.9.9", "203.0.113.9, 10.0.0.1"}, "203.0.113.9"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/relay", http.NoBody)
		r.Header["X-Forwarded-For"] = c.forwarded
		(&Guard{TrustedHops: c.hops}).WithAddress(http.HandlerFunc(func(_ http.ResponseWriter, got *http.Request) {
			for _, isTrusted := range []bool{false, true} {
				if address := limit.Address(got.RemoteAddr, got.Header.Values("X-Forwarded-For"), isTrusted).String(); address != c.want {
					t.Errorf("behind %d proxies, trusted %v: %s, want %s", c.hops, isTrusted, address, c.want)
				}
			}
		})).ServeHTTP(nil, r)
	}
}
