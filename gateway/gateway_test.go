package gateway_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
)

func TestAPanicIsAnInternalErrorAndNoMore(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	w := accesstest.Ask(g, "POST", accesstest.PricePath, `{"projectId":"`+accesstest.Known+`","currency":"usd","addresses":[]}`)
	if w.Code != 500 || strings.Contains(w.Body.String(), "no addresses") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestEveryAnswerCarriesTheRequestsID(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{"/health", "/v1/supported-chains", "/nowhere", accesstest.JSONRPCPath} {
		if got := accesstest.Ask(g, "GET", path, "", access.RequestIDHeader, "abc-1").Header().Get(access.RequestIDHeader); got != "abc-1" {
			t.Errorf("%s: request id %q", path, got)
		}
		if got := accesstest.Ask(g, "GET", path, "", access.RequestIDHeader, "a\nb").Header().Get(access.RequestIDHeader); got == "a\nb" || got == "" {
			t.Errorf("%s: request id %q", path, got)
		}
	}
}

func TestEveryAnswerHasTheHeadersOfSecurity(t *testing.T) {
	for _, publicURL := range []string{"https://wallet.example.org", "http://localhost:8080"} {
		cfg := gateway.DefaultConfig()
		cfg.PublicURL = publicURL
		strict := ""
		if strings.HasPrefix(publicURL, "https:") {
			strict = "max-age=31536000"
		}
		g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{Project: accesstest.Enabled()}, nil)
		for _, path := range []string{"/health", "/docs", "/openapi.json", "/nothing", "/v1/account/a/balance", "/v1/assets/tokens/none.svg", "/v1/supported-chains", "/"} {
			w := accesstest.Ask(g, http.MethodGet, path, "")
			for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Strict-Transport-Security": strict} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s of %s: %s %q, want %q", path, publicURL, header, got, want)
				}
			}
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && w.Code == http.StatusOK {
				policy := w.Header().Get("Content-Security-Policy")
				if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
					t.Errorf("%s: Content-Security-Policy %q", path, policy)
				}
				// Browsers request an icon otherwise, which the policy refuses.
				if !strings.Contains(w.Body.String(), `<link rel="icon" href="data:,">`) || !strings.Contains(policy, "img-src data:") {
					t.Errorf("%s has no icon, with Content-Security-Policy %q", path, policy)
				}
			}
		}
	}
}

func TestEveryPathAnswersAPreflight(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{"/v1/supported-chains", accesstest.JSONRPCPath, accesstest.PricePath, "/hawser.balances.v1.BalancesService/GetBalance"} {
		w := accesstest.Ask(g, "OPTIONS", path, "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,traceparent,x-sdk-version")
		if w.Code >= 300 || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Access-Control-Allow-Headers") == "" {
			t.Errorf("%s: status %d, headers %v", path, w.Code, w.Header())
		}
	}
}

func TestHealthSaysWhatRuns(t *testing.T) {
	w := accesstest.Ask(gatewaytest.Open(t, &accesstest.Book{}), "GET", "/health", "")
	for _, part := range []string{"OK v1.2.3", "hash: abc", "features:", "uptime:"} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%q is missing: %s", part, w.Body)
		}
	}
}

func TestConcurrentHealthRequestsShareOneCheck(t *testing.T) {
	deps := gatewaytest.Deps(t)
	requests := 0
	deps.Ready = func(context.Context) error { requests++; return nil }
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(accesstest.Conn{}, "projects")}, gateway.DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if w := accesstest.Ask(g, "GET", "/health", ""); w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
	}
	if requests > 2 {
		t.Errorf("requested %d times", requests)
	}
}
