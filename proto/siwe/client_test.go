package siwe_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hawser-dev/hawser/proto/siwe"
)

// gateway answers as a gateway with one session.
func gateway(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/auth/v1/me" || r.URL.Query().Get("projectId") != "p1":
		w.WriteHeader(http.StatusNotFound)
	case r.Header.Get("Authorization") == "Bearer broken":
		w.WriteHeader(http.StatusInternalServerError)
	case r.Header.Get("Authorization") == "Bearer unauthorized":
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"code":"PROJECT_UNKNOWN"}`))
	case r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("Origin") != "https://shop.example":
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"status":"FAILED","code":"SESSION_ABSENT"}`))
	default:
		_, _ = w.Write([]byte(`{"address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","chainId":"eip155:1","chainIds":["eip155:1"],"allChains":true,` +
			`"domain":"shop.example","issuedAt":"2026-01-01T00:00:00Z","expiresAt":"2026-01-02T00:00:00Z"}`))
	}
}

func TestClientTellsAnAbsentSessionFromAGatewayThatDoesNotAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(gateway))
	defer server.Close()
	c := &siwe.Client{GatewayURL: server.URL + "/", ProjectID: "p1", Origin: "https://shop.example"}
	s, err := c.Session(t.Context(), "secret")
	if err != nil || s.Address != "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" || !s.AllChains || s.ExpiresAt.Year() != 2026 {
		t.Errorf("%+v, %v", s, err)
	}
	for token, absent := range map[string]bool{"other": true, "": true, "broken": false, "unauthorized": false} {
		if _, err := c.Session(t.Context(), token); err == nil || errors.Is(err, siwe.ErrNoSession) != absent {
			t.Errorf("%q: %v", token, err)
		}
	}
	other := *c
	other.Origin = "https://evil.example"
	if _, err := other.Session(t.Context(), "secret"); !errors.Is(err, siwe.ErrNoSession) {
		t.Errorf("another origin: %v", err)
	}
}

func TestMiddlewareProtectsHandlers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(gateway))
	defer server.Close()
	c := &siwe.Client{GatewayURL: server.URL, ProjectID: "p1", Origin: "https://shop.example", Cookie: "session"}
	protected := c.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, ok := siwe.FromContext(r.Context())
		fmt.Fprintf(w, "%s %t", s.Address, ok)
	}))
	for behaviour, tt := range map[string]struct {
		header, value string
		want          int
	}{
		"a token":                      {"Authorization", "Bearer secret", http.StatusOK},
		"a token in a cookie":          {"Cookie", "session=secret", http.StatusOK},
		"a token of no session":        {"Authorization", "Bearer other", http.StatusUnauthorized},
		"another cookie":               {"Cookie", "other=secret", http.StatusUnauthorized},
		"no token":                     {"Accept", "*/*", http.StatusUnauthorized},
		"a gateway that does not work": {"Authorization", "Bearer broken", http.StatusServiceUnavailable},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.Header.Set(tt.header, tt.value)
		w := httptest.NewRecorder()
		protected.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d, want %d", behaviour, w.Code, tt.want)
		}
		if tt.want == http.StatusOK && w.Body.String() != "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 true" {
			t.Errorf("%s: %s", behaviour, w.Body)
		}
	}
}
