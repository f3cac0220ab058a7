package upstream_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

func TestOutcomes(t *testing.T) {
	for status, want := range map[int]upstream.Outcome{
		200: upstream.OK, 204: upstream.OK, 301: upstream.Invalid, 302: upstream.Invalid, 304: upstream.Invalid, 308: upstream.Invalid, 400: upstream.Refused, 404: upstream.Refused, 401: upstream.Denied, 403: upstream.Denied,
		429: upstream.RateLimited, 500: upstream.Failed, 503: upstream.Failed,
	} {
		if got := upstream.OutcomeOf(status, nil); got != want {
			t.Errorf("%d is %s, want %s", status, got, want)
		}
	}
	for err, want := range map[error]upstream.Outcome{
		context.Canceled: upstream.Canceled, context.DeadlineExceeded: upstream.Timeout, upstream.ErrTooLarge: upstream.Invalid,
		&net.OpError{Op: "dial", Err: fmt.Errorf("refused")}: upstream.Unreachable, fmt.Errorf("EOF"): upstream.Unreachable,
	} {
		if got := upstream.OutcomeOf(0, fmt.Errorf("node.test: %w", err)); got != want {
			t.Errorf("%v is %s, want %s", err, got, want)
		}
	}
}

func TestASilentServerTimesOut(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	client := upstream.New(10*time.Millisecond, 1)
	defer client.Close()
	status, _, err := client.GetJSON(t.Context(), server.URL)
	if got := upstream.OutcomeOf(status, err); got != upstream.Timeout {
		t.Errorf("%s: %v", got, err)
	}
}

func TestTheHostOfAURLHoldsNoKey(t *testing.T) {
	for address, want := range map[string]string{
		"https://user:key@node.test/v3/key?key=key": "node.test", "http://127.0.0.1:8545": "127.0.0.1:8545", "::": "", "": "",
	} {
		if got := upstream.Host(address); got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}
