package relay

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/socket"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// holdTimeout bounds how long a connection over its rate waits. Clients time out after 15 seconds.
	holdTimeout = 10 * time.Second
	// bodyTimeout bounds the time to receive the body of a request, from its headers.
	bodyTimeout = 10 * time.Second
	// retryAfter is when a client that was refused may try again, in seconds.
	retryAfter = "5"
	// refusedBytes bounds a message of a client that was refused.
	refusedBytes = 4 << 10
	// frameOverhead is the size of a request beyond its two messages of maximum size.
	frameOverhead = 64 << 10
)

// unknownProjects limits lookups of projects that do not exist, per client address.
var unknownProjects = limit.Rate{Name: "unknown projects", PerSecond: 5, Burst: 50}

// Reasons of refusals. Pages display or match them.
const (
	reasonInvalidKey = "Unauthorized: invalid key"
	reasonOrigin     = "Unauthorized: origin not allowed"
	reasonNoProject  = "Unauthorized: no project id"
)

// handler serves clients.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("POST /rpc", s.rpc)
	mux.HandleFunc("GET /{$}", s.connect)
	mux.HandleFunc("GET /v1/relay", s.connect)
	mux.HandleFunc("GET /v1/relay/{$}", s.connect)
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
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	now := s.clock.Now().UTC()
	w.Header().Set("Date", now.Format(http.TimeFormat))
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "Date")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok","time":`+itoa(now.UnixMilli())+"}\n")
}

// identity is the sender of a request.
type identity struct {
	// name is the client id, a did:key.
	name      string
	publisher mailbox.Publisher
	caller    limit.Caller
}

// errUnavailable means that projects cannot be looked up.
var errUnavailable = errors.New("projects cannot be looked up")

// authorize returns the sender of a request. The error is a [*wire.Error] to respond with, or errUnavailable.
func (s *server) authorize(r *http.Request) (identity, error) {
	query := r.URL.Query()
	token := query.Get("auth")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && token == "" {
		token = bearer
	}
	id := query.Get("projectId")
	address := s.address(r)
	if err := s.authorizeProject(r, id, address); err != nil {
		return identity{}, err
	}
	claims, err := s.verifier.Verify(token, r.Host)
	var refused *clientauth.Refusal
	if errors.As(err, &refused) {
		return identity{}, wire.Auth(refused.Tag, refused.Text)
	}
	name := claims.Client.String()
	// The id is copied, because otherwise the session would keep the whole URL in memory.
	return identity{name, mailbox.PublisherOf(name), limit.CallerOf(strings.Clone(id), address)}, err
}

// authorizeProject checks the project of a request, and its origin.
func (s *server) authorizeProject(r *http.Request, id, address string) error {
	if id == "" {
		return wire.Auth(wire.TagProjectIDNotSpecified, reasonNoProject)
	}
	caller := limit.CallerOf("", address)
	if !s.projects.Has(id) {
		// An address that named many unknown projects waits, because each of them costs a lookup.
		ctx, cancel := context.WithTimeout(r.Context(), holdTimeout)
		defer cancel()
		if err := limit.Wait(ctx, s.limiter, caller, unknownProjects, 0); err != nil {
			return errUnavailable
		}
	}
	project, err := s.projects.Find(r.Context(), id)
	if err != nil {
		s.log.WarnContext(r.Context(), "relay: a project is not looked up", "error", err)
		return errUnavailable
	}
	if project == nil {
		s.limiter.Owe(r.Context(), caller, unknownProjects, 1)
	}
	return s.checkProject(project, r.Header.Get("Origin"))
}

func (s *server) checkProject(p *projectsv1.Project, from string) error {
	switch {
	case p == nil:
		return wire.Auth(wire.TagProjectNotFound, reasonInvalidKey)
	case !p.GetEnabled():
		return wire.Auth(wire.TagProjectInactive, reasonInvalidKey)
	case from != "" && !origin.IsExtension(from) && !origin.Allowed(p.GetAllowedOrigins(), from, s.cfg.LocalPages):
		return wire.Auth(wire.TagOriginNotAllowed, reasonOrigin)
	}
	return nil
}

// connect opens a WebSocket. Clients that set useOnCloseEvent receive a refusal as a close frame, because browsers do
// not show them the HTTP status.
func (s *server) connect(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This is a relay for wallets: open a WebSocket", http.StatusUpgradeRequired)
		return
	}
	network := limit.CallerOf("", s.address(r))
	leave, ok := s.local.Hold(r.Context(), network, s.cfg.connections(), 1)
	if !ok {
		w.Header().Set("Retry-After", retryAfter)
		http.Error(w, "Too many connections at once. Try again later", http.StatusServiceUnavailable)
		return
	}
	accepted := false
	defer func() {
		if !accepted {
			leave()
		}
	}()
	s.hold(r, network)
	who, err := s.authorize(r)
	var refused *wire.Error
	switch {
	case err == nil:
		accepted = s.sockets.Accept(w, r, s.frameBytes(), s.memory.Hold(who.caller), func(c *socket.Conn) socket.Peer { return s.newSession(c, who, leave) }) == nil
	case !errors.As(err, &refused):
		accepted = s.acceptAndClose(w, r, leave, socket.StatusTryAgain, "clients cannot be authorized at the moment")
	case r.URL.Query().Get("useOnCloseEvent") == "true":
		accepted = s.acceptAndClose(w, r, leave, socket.StatusRefused, closeReason(refused))
	default:
		http.Error(w, closeReason(refused), httpStatus(refused))
	}
}

// address returns the address of the client that sent a request.
func (s *server) address(r *http.Request) string {
	return limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), s.cfg.TrustForwardedFor).String()
}

// hold waits while the address of a request is over its rate of connections.
func (s *server) hold(r *http.Request, network limit.Caller) {
	ctx, cancel := context.WithTimeout(r.Context(), holdTimeout)
	defer cancel()
	rate := limit.Rate{Name: "connections", PerSecond: s.cfg.ConnectsPerSecond, Burst: float64(s.cfg.ConnectBurst)}
	// After waiting, the connection is accepted all the same: a refused client would connect more often.
	_ = limit.Wait(ctx, s.limiter, network, rate, 1)
}

// frameBytes returns the maximum size of a request: wc_approveSession has two messages.
func (s *server) frameBytes() int64 { return 2*s.cfg.MessageBytes + frameOverhead }

// acceptAndClose opens a connection to close it with a status, and reports whether it was opened. leave is called at its end.
func (s *server) acceptAndClose(w http.ResponseWriter, r *http.Request, leave func(), status socket.Status, reason string) bool {
	return s.sockets.Accept(w, r, refusedBytes, new(limit.Bytes), func(c *socket.Conn) socket.Peer {
		c.Close(status, reason)
		return refusedPeer{leave}
	}) == nil
}

// refusedPeer is the peer of a refused client.
type refusedPeer struct{ leave func() }

func (refusedPeer) Receive([]byte)         {}
func (refusedPeer) ReceiveTooLarge([]byte) {}
func (refusedPeer) ReceiveBusy([]byte)     {}
func (p refusedPeer) Closed()              { p.leave() }

// closeReason returns the text of a refusal, in at most 123 bytes.
func closeReason(e *wire.Error) string {
	text := strings.TrimPrefix(e.Message, "Auth error: ")
	return text[:min(len(text), 123)]
}

// httpStatus returns 401 for an unknown project or client, 403 for one that is known and not allowed.
func httpStatus(e *wire.Error) int {
	if e.Data == wire.TagOriginNotAllowed || e.Data == wire.TagProjectInactive {
		return http.StatusForbidden
	}
	return http.StatusUnauthorized
}

// rpc answers one request over HTTP.
func (s *server) rpc(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "application/json")
	who, err := s.authorize(r)
	var refused *wire.Error
	switch {
	case errors.As(err, &refused):
		refuse(w, httpStatus(refused), wire.AppendError(nil, []byte("0"), refused))
		return
	case err != nil:
		refuse(w, http.StatusServiceUnavailable, wire.AppendError(nil, []byte("0"), wire.Internal()))
		return
	}
	c := s.newCall(who, nil)
	defer c.bytes.Release()
	n := r.ContentLength
	if n < 0 || n > s.frameBytes() {
		n = s.frameBytes()
	}
	if c.bytes.Grow(copies*n) != nil {
		w.Header().Set("Retry-After", retryAfter)
		refuse(w, http.StatusTooManyRequests, wire.AppendError(nil, []byte("0"), wire.Rate()))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.frameBytes()))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, wire.AppendError(nil, wire.PeekID(body[:min(len(body), 256)]), wire.Payload(wire.TagPayloadSizeExceeded)))
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	answer, _ := s.answer(r.Context(), c, body)
	if respond(w, answer) != nil {
		return
	}
	if acknowledge := c.acknowledgeFetched(); acknowledge != nil {
		acknowledge()
	}
}
