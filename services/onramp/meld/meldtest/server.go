package meldtest

import (
	"embed"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/meld"
)

// The credentials that the server accepts.
const (
	APIKey        = "W9kZTT7332okCEc1A9aqAq:hunter2"
	WebhookSecret = "42m4NMLS34WQ6BbMfo1KFKqMv4hy"
	version       = "2025-03-04"
)

//go:embed testdata
var fixtures embed.FS

// Server is a test server of Meld.
type Server struct {
	// URL is the URL of the server.
	URL string

	t    testing.TB
	http *httptest.Server

	mu     sync.Mutex
	answer http.HandlerFunc
	change func(quote map[string]any)
	calls  []Call
	bought map[string]map[string]any
}

// Call is a call that the server received, with a valid key.
type Call struct {
	Method, Path string
	Query        url.Values
	Body         map[string]any
}

// New starts a server. It stops when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, bought: map[string]map[string]any{}}
	mux := http.NewServeMux()
	for path, list := range map[string]string{
		"/service-providers": "service-providers", "/service-providers/properties/countries": "countries",
		"/service-providers/properties/crypto-currencies": "crypto-currencies", "/service-providers/properties/fiat-currencies": "fiat-currencies",
		"/service-providers/properties/payment-methods": "payment-methods", "/service-providers/limits/fiat-currency-purchases": "fiat-currency-purchases",
		"/service-providers/properties/defaults/by-country": "by-country",
	} {
		mux.HandleFunc("GET "+path, s.list(list))
	}
	mux.HandleFunc("POST /payments/crypto/quote", s.quotes)
	mux.HandleFunc("POST /crypto/session/widget", s.session)
	mux.HandleFunc("GET /payments/transactions", s.transactions)
	s.http = httptest.NewServer(s.authorized(mux))
	s.URL = s.http.URL
	t.Cleanup(s.http.Close)
	return s
}

// Config returns the configuration of a provider that calls this server.
func (s *Server) Config() meld.Config {
	return meld.Config{APIKey: APIKey, WebhookSecret: WebhookSecret, Environment: "sandbox", URL: s.URL, Version: version}
}

// Answer lets h respond to every further call; nil restores the normal responses.
func (s *Server) Answer(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// ChangeQuotes applies change to every further quote before it is sent; nil restores the computed quotes.
func (s *Server) ChangeQuotes(change func(quote map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = change
}

// Calls returns the calls that were received.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// authorized refuses calls without the key or the version.
func (s *Server) authorized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answer
		s.mu.Unlock()
		switch {
		case answer != nil:
			answer(w, r)
		case r.URL.Path == "/widget":
			_, _ = w.Write([]byte("<!doctype html><title>Meld</title>"))
		case r.Header.Get("Authorization") != "BASIC "+APIKey || r.Header.Get("Meld-Version") != version:
			s.t.Errorf("%s %s came with another key or version", r.Method, r.URL.Path)
			refuse(w, http.StatusUnauthorized, "UNAUTHORIZED", "Invalid credentials")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// record stores and returns a call.
func (s *Server) record(r *http.Request) Call {
	call := Call{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query()}
	if r.Method == http.MethodPost {
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		if err := decoder.Decode(&call.Body); err != nil {
			s.t.Errorf("%s was called without JSON: %v", call.Path, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	return call
}

// Fixture returns an answer or a webhook in the documented form, such as quote or webhook.
func Fixture(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := fixtures.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func (s *Server) load(name string) map[string]any {
	d := map[string]any{}
	if err := json.Unmarshal(Fixture(s.t, name), &d); err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	return d
}

// set replaces a member. The member must exist.
func (s *Server) set(d map[string]any, name string, value any) {
	if _, there := d[name]; !there {
		s.t.Errorf("the fixture has no %s", name)
	}
	d[name] = value
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	write(w, status, map[string]any{
		"code": code, "message": message, "errors": []string{}, "requestId": "356dd2b40fa55037bfe9d190b6438f59", "timestamp": "2026-11-20T20:00:00.318455Z",
	})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
