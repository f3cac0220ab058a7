// Package console serves the operator's console: the built files of its page, and hawser.admin.v1 over Connect. It is a listener of its own: nothing of it is
// on the gateway's port.
//
// The console service decides who may call. This package tells it what only HTTP knows: the cookie, the address, and whether a browser sent the request for
// another page.
package console

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/marks"
	"github.com/hawser-dev/hawser/gateway/pages"
	"github.com/hawser-dev/hawser/gateway/rpc"
	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/observe"
)

const (
	// policy is the Content-Security-Policy of every answer, without the pages that may frame it.
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors "
	// previewPath is the page with a preview of the modal, which shows nothing of the installation. The console frames it.
	previewPath = "/preview.html"
	// cookieName is the name of the cookie of a session over http, and secureName that over https, which no other host can set.
	cookieName = "hawser-console"
	secureName = "__Host-" + cookieName
	// loginSuffix is added to it for the cookie of a login at the identity provider, which ends after loginAge, in seconds.
	loginSuffix, loginAge = "-login", 600
	// signInPath has what the sign-in page offers.
	signInPath = "/sign-in.json"
	// bodyLimit is the largest request, in bytes, and bodyTimeout how long it may take to arrive.
	bodyLimit   = 64 << 10
	bodyTimeout = 10 * time.Second
	// callTimeout bounds one call, except streams.
	callTimeout = 30 * time.Second
	// tokenBytes is the size of the token of a session.
	tokenBytes = 32
)

// contentTypes are the types of requests: Connect in JSON and in binary. Browsers send none of them to another origin without asking it first.
var contentTypes = map[string]bool{
	"application/json": true, "application/proto": true, "application/connect+json": true, "application/connect+proto": true,
}

//go:embed all:dist
var built embed.FS

// Files returns the built files of the page, as `make build` copied them from apps/console: index.html, assets/ and others, each with a compressed copy (.gz)
// beside it. A binary that was built without them has none.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		// The name is valid: the compiler has found the directory.
		panic(err)
	}
	return files
}

// Config is how browsers reach the console.
type Config struct {
	// Origin is that of the console; empty if it is not configured: then requests are compared with their own Host.
	Origin string
	// Provider is the name of the identity provider at which operators sign in; empty for none.
	Provider string
	// TrustedHops is how many proxies are in front, each of which adds an entry to X-Forwarded-For.
	TrustedHops int
}

// server serves the page and its calls.
type server struct {
	cfg   Config
	files fs.FS
	// index is index.html; empty in a binary without the page.
	index []byte
}

// New returns the handler of the console's listener. conn leads to the console service; streams end when stopping is done.
func New(stopping context.Context, cfg Config, conn grpc.ClientConnInterface, files fs.FS) (http.Handler, error) {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s := &server{cfg: cfg, files: files, index: index}
	calls, all := http.NewServeMux(), http.NewServeMux()
	at := &rpc.Server{Mux: calls, Streams: all, Fill: func(context.Context, any) {}, Console: s.admit, Stopping: stopping}
	if err := at.Serve("admin", rpc.Conns{Calls: conn, Streams: conn}); err != nil {
		return nil, err
	}
	// The preview shows the modal, whose pictures are those of the gateway.
	set, err := marks.Load()
	if err != nil {
		return nil, err
	}
	calls.Handle(marks.AssetsPath, set.Assets())
	calls.HandleFunc("GET "+signInPath, s.signIn)
	calls.HandleFunc("/", s.page)
	all.Handle("/", access.Bounded(calls, callTimeout))
	h := access.WithBodyDeadline(stopping, s.withHeaders(access.RequireUTF8(all)), bodyTimeout)
	return observe.HTTP(access.WithRequestID(access.Recovered(h))), nil
}

// isSecure reports whether browsers reach the console over https.
func (s *server) isSecure() bool { return strings.HasPrefix(s.cfg.Origin, "https:") }

// cookie returns the name of the cookie of a session.
func (s *server) cookie() string {
	if s.isSecure() {
		return secureName
	}
	return cookieName
}

// withHeaders sets the security headers of every answer, errors included: no page may frame it, except the console its preview, and nothing may keep it.
func (s *server) withHeaders(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		framedBy, framing := "'none'", "DENY"
		if r.URL.Path == previewPath {
			framedBy, framing = "'self'", "SAMEORIGIN"
		}
		header.Set("Content-Security-Policy", policy+framedBy)
		header.Set("X-Frame-Options", framing)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		header.Set("Cache-Control", "no-store")
		if s.isSecure() {
			header.Set("Strict-Transport-Security", access.StrictTransport)
		}
		h.ServeHTTP(w, r)
	})
}

// admit passes a call on with its caller.
func (s *server) admit(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || !contentTypes[kind] {
			access.WriteFaultStatus(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_ROUTE_UNKNOWN, "content-type",
				"This path speaks Connect: application/json, application/proto, application/connect+json or application/connect+proto"), http.StatusUnsupportedMediaType)
			return
		}
		from := caller.Operator{
			Session: s.token(r, ""), Address: s.address(r), Browser: r.UserAgent(), Origin: r.Header.Get("Origin"), CrossSite: s.isCrossSite(r),
		}
		switch r.URL.Path {
		case adminv1.OperatorService_Login_FullMethodName, adminv1.PasskeyService_FinishPasskeyLogin_FullMethodName:
			// The token of a session is made here for each login, so that nobody can give a browser one that they know.
			from.NewSession = newToken()
			w = &cookieWriter{ResponseWriter: w, cookies: []*http.Cookie{s.newCookie("", from.NewSession, 0)}}
		case adminv1.ProviderService_StartProviderLogin_FullMethodName:
			from.LoginToken = newToken()
			w = &cookieWriter{ResponseWriter: w, cookies: []*http.Cookie{s.newCookie(loginSuffix, from.LoginToken, loginAge)}}
		case adminv1.ProviderService_FinishProviderLogin_FullMethodName:
			from.LoginToken, from.NewSession = s.token(r, loginSuffix), newToken()
			w = &cookieWriter{ResponseWriter: w, cookies: []*http.Cookie{s.newCookie("", from.NewSession, 0), s.newCookie(loginSuffix, "", -1)}}
		case adminv1.OperatorService_Logout_FullMethodName:
			w = &cookieWriter{ResponseWriter: w, cookies: []*http.Cookie{s.newCookie("", "", -1)}}
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit)
		h.ServeHTTP(w, r.WithContext(caller.NewOperatorContext(r.Context(), from)))
	})
}

// token returns the token in a cookie; empty if there is none, or several: a neighbour host may have set one.
func (s *server) token(r *http.Request, suffix string) string {
	found := r.CookiesNamed(s.cookie() + suffix)
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// address returns the IP address of the caller; empty if it is unknown.
func (s *server) address(r *http.Request) string {
	addr := limit.AddressBehind(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), s.cfg.TrustedHops)
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

// isCrossSite reports whether a request is not from a page of the console, as browsers say it in Sec-Fetch-Site and Origin. One with neither is not from a
// browser that says so, and is not accepted either.
func (s *server) isCrossSite(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	switch {
	case site != "" && site != "same-origin":
		return true
	case origin == "":
		return site == ""
	case s.cfg.Origin != "":
		return origin != s.cfg.Origin
	}
	at, err := url.Parse(origin)
	return err != nil || at.Host == "" || at.Host != r.Host
}

// newCookie returns a cookie with a token. An age, in seconds, below 0 deletes it.
func (s *server) newCookie(suffix, token string, age int) *http.Cookie {
	// Without a Max-Age, as that of a session, the cookie ends with the browser; the service ends the session by its own time.
	return &http.Cookie{Name: s.cookie() + suffix, Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.isSecure(), SameSite: http.SameSiteStrictMode}
}

// newToken returns a random token.
func newToken() string {
	var raw [tokenBytes]byte
	_, _ = rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// cookieWriter sets cookies on an answer of success.
type cookieWriter struct {
	http.ResponseWriter
	cookies []*http.Cookie
	isBegun bool
}

// WriteHeader sets the cookies if the status is that of success.
func (w *cookieWriter) WriteHeader(status int) {
	if !w.isBegun {
		w.isBegun = true
		if status == http.StatusOK {
			for _, c := range w.cookies {
				http.SetCookie(w.ResponseWriter, c)
			}
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the answer.
func (w *cookieWriter) Write(p []byte) (int, error) {
	if !w.isBegun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the writer that the connection is controlled with.
func (w *cookieWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// signIn says what the sign-in page offers beside links and passkeys: the name of the identity provider; empty for none.
func (s *server) signIn(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(struct {
		Provider string `json:"provider"`
	}{s.cfg.Provider})
}

// page serves a built file, or the page for every path of its own.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		access.NotFound().ServeHTTP(w, r)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if path.Ext(name) != "" {
		if path.Ext(name) != ".html" {
			w.Header().Del("Cache-Control")
		}
		pages.ServeAsset(w, r, s.files, name)
		return
	}
	if len(s.index) == 0 {
		access.WriteFault(w, r, fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "This binary was built without the page of the console: run make build"))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(s.index)
}
