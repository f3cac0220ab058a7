// Package endpoint serves clients: it authorizes them, and answers their requests over WebSocket and over HTTP.
package endpoint

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/hub"
	"github.com/hawser-dev/hawser/services/relay/method"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/session"
	"github.com/hawser-dev/hawser/services/relay/socket"
)

const (
	// bodyTimeout bounds the time to receive the body of a request, from its headers.
	bodyTimeout = 10 * time.Second
	// retryAfter is when a client that was refused may try again, in seconds.
	retryAfter = "5"
)

// Config is what an operator configures of an endpoint.
type Config struct {
	// Audiences are the hosts that tokens may name. If there are none, it is the host that a request names.
	Audiences []string
	// TrustForwardedFor takes a client's address from X-Forwarded-For.
	TrustForwardedFor bool
	// LocalPages allows every project from localhost origins.
	LocalPages bool
	// OwnOrigin is the origin of the gateway's own pages, which every project allows; empty if it is not configured.
	OwnOrigin string
}

// Deps are what an endpoint needs.
type Deps struct {
	Projects *projectcache.Cache
	Quota    *quota.Quota
	Sockets  *socket.Server
	Sessions *session.Sessions
	Hub      *hub.Hub
	Methods  *method.Methods
	Clock    clock.Clock
	Log      *slog.Logger
}

// endpoint serves the clients of one process.
type endpoint struct {
	Deps
	cfg      Config
	verifier clientauth.Verifier
	silent   silent
	// ctx is the context of requests over WebSocket.
	ctx context.Context
}

// New returns the handler of clients. Their requests over WebSocket end with ctx.
func New(ctx context.Context, cfg Config, deps Deps) http.Handler {
	e := &endpoint{Deps: deps, cfg: cfg, ctx: ctx, verifier: clientauth.Verifier{Audiences: cfg.Audiences, Now: deps.Clock.Now}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", e.health)
	mux.HandleFunc("POST /rpc", e.rpc)
	mux.HandleFunc("GET /{$}", e.connect)
	mux.HandleFunc("GET /v1/relay", e.connect)
	mux.HandleFunc("GET /v1/relay/{$}", e.connect)
	return withDeadlines(mux)
}

// withDeadlines bounds the time in which a body is received, also that of a request that is refused before its body is read, and removes the deadline
// of the answer before it on the same connection.
func withDeadlines(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		if r.Body != nil && r.Body != http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		}
		h.ServeHTTP(w, r)
	})
}

// health responds with the time in its Date header, so that clients with a wrong clock can sign valid tokens.
func (e *endpoint) health(w http.ResponseWriter, _ *http.Request) {
	now := e.Clock.Now().UTC()
	w.Header().Set("Date", now.Format(http.TimeFormat))
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "Date")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok","time":`+strconv.FormatInt(now.UnixMilli(), 10)+"}\n")
}

// address returns the address of the client that sent a request.
func (e *endpoint) address(r *http.Request) string {
	return limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), e.cfg.TrustForwardedFor).String()
}
