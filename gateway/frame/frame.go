// Package frame serves the embedded wallet: its pages, at an origin of their own, and the calls that only they make.
package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/pages"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

const (
	// pageOriginHeader carries the origin of the page that shows the frame; the browser's own Origin header is that of the frame.
	pageOriginHeader = "Hawser-Page-Origin"
	// configMarker is where index.html gets its configuration.
	configMarker = "<!--config-->"
	// socialCallback is where providers of social logins return visitors to.
	socialCallback = "/social/callback"
	// maxCallback bounds the form that a provider posts there, in bytes.
	maxCallback = 16 << 10
	// framePolicy is the Content-Security-Policy of the pages, without the pages that may frame them.
	framePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; " +
		"base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types hawser; frame-ancestors "
	// scriptPolicy is the Content-Security-Policy of scripts: that of the worker that holds the keys, which does not inherit the one of the page.
	// Firefox checks the modules that a module of a worker imports against worker-src.
	scriptPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'; require-trusted-types-for 'script'"
)

// framedPaths are the paths of the page that sites frame; the second is that of older SDKs. topLevelPaths are pages that nothing may frame, and
// isolatedPaths those of them that no page of another origin has a reference to. The account page needs its opener, whose frame hands the open wallet
// over, and older SDKs wait for a message of the callback.
var (
	framedPaths   = []string{"/{$}", "/sdk"}
	topLevelPaths = []string{"/approve-device", "/account", "/recover", "/loading", "/social/start", socialCallback}
	isolatedPaths = []string{"/approve-device", "/recover"}
)

// Config is the configuration under `frame`.
type Config struct {
	// Origin is that of the embedded wallet's pages.
	Origin string `yaml:"origin" doc:"where browsers reach the pages of the embedded wallet, such as https://wallet.example.net: another site than those that show it; empty for wallet.localhost at the port of listen.frame"`
}

// Check reports an origin that does not parse.
func (c Config) Check() []config.Fault {
	if c.Origin == "" {
		return nil
	}
	if o, err := origin.Parse(c.Origin); err != nil || o.String() != c.Origin || !strings.HasPrefix(c.Origin, "http") {
		return []config.Fault{config.Faultf("origin", "it is not an origin, such as https://wallet.example.net")}
	}
	return nil
}

// Server serves the pages of the embedded wallet at an origin of its own, together with the calls that they make. So connect-src 'self' can keep the pages
// from sending anything to another host.
type Server struct {
	guard *access.Guard
	// origin and host are where browsers reach the pages.
	origin, host string
	pages        fs.FS
	// before and after are index.html around its configuration; both are empty in a binary without pages.
	before, after []byte
	version       string
}

// New reads the pages of the embedded wallet.
func New(cfg Config, g *access.Guard, pages fs.FS, version string) (*Server, error) {
	index, err := fs.ReadFile(pages, "index.html")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	before, after, found := bytes.Cut(index, []byte(configMarker))
	if !found && len(index) > 0 {
		return nil, errors.New("frame: index.html has no " + configMarker)
	}
	at, err := url.Parse(cfg.Origin)
	if err != nil {
		return nil, err
	}
	return &Server{guard: g, origin: cfg.Origin, host: at.Host, pages: pages, before: before, after: after, version: version}, nil
}

// Routes adds the pages to mux.
func (f *Server) Routes(mux *http.ServeMux) {
	for _, path := range framedPaths {
		mux.Handle("GET "+path, f.guard.Wrap(http.HandlerFunc(f.framedPage)))
	}
	for _, path := range topLevelPaths {
		mux.Handle("GET "+path, f.guard.WrapOpen(http.HandlerFunc(f.topLevelPage)))
	}
	mux.Handle("POST "+socialCallback, f.guard.WrapOpen(http.HandlerFunc(postedCallback)))
	mux.Handle("GET /assets/", f.guard.WrapOpen(http.HandlerFunc(f.asset)))
	mux.Handle("GET /manifest.json", f.guard.WrapOpen(http.HandlerFunc(f.asset)))
	mux.Handle("/", f.guard.WrapOpen(access.NotFound()))
}

// Wrap adds the middleware of the listener. Without a CORS header, pages of other origins cannot read its answers.
func (f *Server) Wrap(h http.Handler) http.Handler {
	h = f.forPage(h)
	h = access.RequireUTF8(h)
	h = access.Recovered(h)
	return observe.HTTP(access.WithRequestID(h))
}

// forPage refuses calls from pages of other origins, and calls to another host name, which prevents DNS rebinding. The guard then checks the page that
// shows the frame.
func (f *Server) forPage(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != f.host {
			access.WriteFaultStatus(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_ROUTE_UNKNOWN, "host",
				"The embedded wallet is at %s", f.origin), http.StatusMisdirectedRequest)
			return
		}
		isCall := r.Method != http.MethodGet && r.URL.Path != socialCallback
		if isCall && r.Header.Get("Origin") != f.origin {
			access.WriteFault(w, r, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Only the pages of the embedded wallet call it"))
			return
		}
		r.Header.Del("Origin")
		if page := r.Header.Get(pageOriginHeader); page != "" {
			r.Header.Set("Origin", page)
		}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(f.origin, "https:") {
			header.Set("Strict-Transport-Security", access.StrictTransport)
		}
		h.ServeHTTP(w, r)
	})
}

// pageConfig is what index.html is configured with.
type pageConfig struct {
	ProjectID string `json:"projectId,omitempty"`
	// Name is that of the project, for visitors.
	Name string `json:"name,omitempty"`
	// Origins are the patterns of pages that may show the frame ([origin.Pattern]); Local adds those of localhost.
	Origins []string `json:"origins"`
	Local   bool     `json:"local"`
	Version string   `json:"version"`
}

// framedPage serves the page that sites frame; the guard has found the project.
func (f *Server) framedPage(w http.ResponseWriter, r *http.Request) {
	id := access.ProjectIDOf(r)
	project, err := f.guard.Projects.Find(r.Context(), id)
	if err != nil {
		access.WriteFault(w, r, fault.From(err))
		return
	}
	f.page(w, r, ancestors(project.GetAllowedOrigins(), f.guard.LocalPages), pageConfig{
		ProjectID: id, Origins: append([]string{}, project.GetAllowedOrigins()...), Local: f.guard.LocalPages, Version: f.version,
	})
}

// topLevelPage serves a page that nothing may frame.
func (f *Server) topLevelPage(w http.ResponseWriter, r *http.Request) {
	if slices.Contains(isolatedPaths, r.URL.Path) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	cfg := pageConfig{ProjectID: access.ProjectIDOf(r), Origins: []string{}, Version: f.version}
	// The page also works without its project, of which it shows no more than the name.
	if a, refused := f.guard.Check(r, cfg.ProjectID); refused == nil {
		defer a.Close()
		if project, err := f.guard.Projects.Find(r.Context(), cfg.ProjectID); err == nil {
			cfg.Name = project.GetName()
		}
	}
	f.page(w, r, "'none'", cfg)
}

func (f *Server) page(w http.ResponseWriter, r *http.Request, framedBy string, cfg pageConfig) {
	if len(f.before) == 0 {
		access.WriteFault(w, r, fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "This binary was built without the pages of the embedded wallet: run make build"))
		return
	}
	// The encoder escapes `<`, so the text cannot end the element.
	text, err := json.Marshal(cfg)
	if err != nil {
		access.WriteFault(w, r, fault.Internal(err))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", framePolicy+framedBy)
	for _, part := range [][]byte{f.before, []byte(`<script type="application/json" id="config">`), text, []byte("</script>"), f.after} {
		_, _ = w.Write(part)
	}
}

// ancestors returns the sources of frame-ancestors for a project's list of origins. A project without a list may be called from any page, but
// only local pages may frame it, in development.
func ancestors(list []string, local bool) string {
	var sources []string
	for _, entry := range list {
		if p, err := origin.ParsePattern(entry); err == nil {
			sources = append(sources, p.Sources()...)
		}
	}
	if local {
		sources = append(sources, "http://localhost:*", "http://127.0.0.1:*")
	}
	if len(sources) == 0 {
		return "'none'"
	}
	return strings.Join(sources, " ")
}

// asset serves a built file.
func (f *Server) asset(w http.ResponseWriter, r *http.Request) {
	if path.Ext(r.URL.Path) == ".js" {
		w.Header().Set("Content-Security-Policy", scriptPolicy)
	}
	pages.ServeAsset(w, r, f.pages, r.URL.Path)
}

// postedCallback moves the form that a provider posts (OAuth 2.0 Form Post Response Mode) into the fragment of the same page, which no server
// logs.
func postedCallback(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxCallback)
	if err := r.ParseForm(); err != nil {
		access.WriteFault(w, r, access.BodyFault(err))
		return
	}
	http.Redirect(w, r, socialCallback+"#"+r.PostForm.Encode(), http.StatusSeeOther)
}
