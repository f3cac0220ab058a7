package access_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
)

func TestADisabledProjectIsAnUnknownOne(t *testing.T) {
	p := accesstest.Enabled()
	p.Enabled = false
	if w := accesstest.Ask(gatewaytest.Open(t, &accesstest.Book{Project: p}), "POST", accesstest.JSONRPCPath, "{}"); w.Code != http.StatusUnauthorized {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestAPageMayCallOnlyWhenItsOriginIsListed(t *testing.T) {
	p := accesstest.Enabled()
	p.AllowedOrigins = []string{"https://*.example.org"}
	g := gatewaytest.Open(t, &accesstest.Book{Project: p})
	for from, want := range map[string]int{
		"":                                 200,
		"https://app.example.org":          200,
		"https://a.b.example.org":          403,
		"https://example.org":              403,
		"https://app.example.org.evil":     403,
		"http://localhost:5173":            403,
		"null":                             403,
		"chrome-extension://nkbihfbeog":    200,
		"https://app.example.org:notaport": 403,
	} {
		w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}", "Origin", from)
		if w.Code != want {
			t.Errorf("from %q: status %d, want %d", from, w.Code, want)
		}
		if from != "" && w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("from %q: the browser cannot read the answer", from)
		}
	}
}

func TestACallerOverTheRateGetsARetryDelay(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 3
	g := gatewaytest.Open(t, &accesstest.Book{Project: p})
	for i := range 3 {
		if w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}"); w.Code != 200 {
			t.Fatalf("call %d: status %d", i, w.Code)
		}
	}
	w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}", "Origin", "https://a.example")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("status %d, headers %v", w.Code, w.Header())
	}
	if !strings.Contains(w.Body.String(), `"field":"rate_limited","description":"Requests per second limit exceeded: Rate limit exceeded. Try again at `) {
		t.Errorf("body %s", w.Body)
	}
	for _, contentType := range []string{"application/json", "application/grpc-web+proto"} {
		w := accesstest.Ask(g, "POST", "/hawser.balances.v1.BalancesService/ListPrices", "{}", "Content-Type", contentType, "Hawser-Project-Id", accesstest.Known)
		if got := w.Body.String() + w.Header().Get("Grpc-Message"); !strings.Contains(got, "Rate limit exceeded") {
			t.Errorf("%s: %d %s", contentType, w.Code, got)
		}
	}
}

func TestAProjectIsReadOnceAndAgainWhenItChanged(t *testing.T) {
	b := &accesstest.Book{Project: accesstest.Enabled()}
	g := gatewaytest.Open(t, b)
	for range 5 {
		accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}")
	}
	if b.Requests != 1 {
		t.Errorf("requested %d times", b.Requests)
	}
	b.Project.Enabled = false
	g.ForgetProject(accesstest.Known)
	if w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}"); w.Code != http.StatusUnauthorized {
		t.Errorf("after the change: status %d", w.Code)
	}
}

func TestAnUnknownProjectIDIsLookedUpOnce(t *testing.T) {
	b := &accesstest.Book{Project: accesstest.Enabled()}
	g := gatewaytest.Open(t, b)
	for range 5 {
		accesstest.Ask(g, "POST", "/v1?chainId=eip155:1&projectId=ffffffffffffffffffffffffffffffff", "{}")
	}
	if b.Requests != 1 {
		t.Errorf("requested %d times", b.Requests)
	}
}

func TestAnUnreachableServiceIsNotNamedToCallers(t *testing.T) {
	b := &accesstest.Book{Project: accesstest.Enabled(), Err: errors.New("dial tcp 10.0.0.7:7003: connection refused")}
	w := accesstest.Ask(gatewaytest.Open(t, b), "POST", accesstest.JSONRPCPath, "{}")
	if w.Code < 500 || strings.Contains(w.Body.String(), "10.0.0.7") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}
