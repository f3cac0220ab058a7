package coinbasetest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
)

// The credentials that the server accepts.
const (
	KeyID         = "5f1c7a52-0c0c-4c8e-9f39-6a7e6c1a2b3c"
	WebhookSecret = "hunter2-of-the-subscription"
)

// Server is a test server of Coinbase.
type Server struct {
	// URL is the URL of the server.
	URL string

	t      testing.TB
	http   *httptest.Server
	secret string
	public crypto.PublicKey

	mu       sync.Mutex
	answer   http.HandlerFunc
	change   func(document)
	nonces   map[string]bool
	calls    []Call
	sessions map[string]Session
	bought   map[string]document
}

// Call is a call that the server received, with a valid token.
type Call struct {
	Method, Path string
	Query        url.Values
	Body         map[string]any
}

// Session holds the data of a session token.
type Session struct {
	Addresses []Address
	Assets    []string
	ClientIP  string
}

// Address is an address to which tokens may be sent.
type Address struct {
	Address     string
	Blockchains []string
}

// New starts a server that issued an Ed25519 key. It stops when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, public, base64.StdEncoding.EncodeToString(private))
}

// NewEC starts a server that issued an EC key.
func NewEC(t testing.TB) *Server {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, private.Public(), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})))
}

func start(t testing.TB, public crypto.PublicKey, secret string) *Server {
	s := &Server{t: t, public: public, secret: secret, nonces: map[string]bool{}, sessions: map[string]Session{}, bought: map[string]document{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /onramp/v1/buy/options", s.options)
	mux.HandleFunc("POST /onramp/v1/buy/quote", s.quote)
	mux.HandleFunc("POST /onramp/v1/token", s.token)
	mux.HandleFunc("GET /onramp/v1/buy/user/{ref}/transactions", s.transactions)
	mux.HandleFunc("GET /buy/select-asset", s.page)
	s.http = httptest.NewServer(s.authorized(mux))
	s.URL = s.http.URL
	t.Cleanup(s.http.Close)
	return s
}

// Config returns the configuration of a provider that calls this server.
func (s *Server) Config() coinbase.Config {
	return coinbase.Config{
		KeyID: KeyID, KeySecret: s.secret, WebhookSecret: WebhookSecret, URL: s.URL + "/onramp", PayURL: s.URL + "/buy/select-asset",
	}
}

// Answer lets h respond to every further call; nil restores the normal responses.
func (s *Server) Answer(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// ChangeQuotes applies change to every further quote before it is sent, by the path of a field and its value; nil restores the computed quotes.
func (s *Server) ChangeQuotes(change func(set func(path, value string))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = nil
	if change != nil {
		s.change = func(d document) { change(func(path, value string) { d.set(s.t, path, value) }) }
	}
}

// Calls returns the calls that were received.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// authorized refuses calls without a valid token.
func (s *Server) authorized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answer
		s.mu.Unlock()
		switch {
		case answer != nil:
			answer(w, r)
		case r.URL.Path == "/buy/select-asset":
			next.ServeHTTP(w, r)
		default:
			if err := s.authenticate(r); err != nil {
				s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
				refuse(w, http.StatusUnauthorized, "unauthenticated")
				return
			}
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

func refuse(w http.ResponseWriter, status int, message string) {
	write(w, status, map[string]any{"code": status, "message": message, "details": []any{}})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
