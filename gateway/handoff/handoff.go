// Package handoff serves the wallet page, which a link of a hand-off opens in the browser of a wallet (docs/handoff.md).
package handoff

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/pages"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// base is where the page and its files are.
const base = "/open/"

// policy is the Content-Security-Policy of the page. [Server.page] appends the WebSocket origin of the relay, because not every browser takes 'self' for it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self' "

//go:embed all:dist
var built embed.FS

// Files returns the built files of the wallet page, as `make build` copied them from apps/handoff: index.html, assets/ and manifest.json, each with a compressed
// copy (.gz) beside it. A binary that was built without them has none.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		// The name is valid: the compiler has found the directory.
		panic(err)
	}
	return files
}

// Server serves the wallet page.
type Server struct {
	guard *access.Guard
	files fs.FS
	// index is index.html; empty in a binary without pages.
	index []byte
}

// New reads the files of the wallet page.
func New(g *access.Guard, files fs.FS) (*Server, error) {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Server{guard: g, files: files, index: index}, nil
}

// Routes adds the page and its files to mux.
func (s *Server) Routes(mux *http.ServeMux) {
	mux.Handle("GET "+base+"{id}", s.guard.WrapOpen(http.HandlerFunc(s.page)))
	mux.Handle("GET "+base+"assets/{name}", s.guard.WrapOpen(http.HandlerFunc(s.asset)))
	mux.Handle("GET "+base+"manifest.json", s.guard.WrapOpen(http.HandlerFunc(s.asset)))
}

// page serves the page of every id: whether there is a hand-off, the page asks when it claims it.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	// The id is in the URL.
	header.Set("Referrer-Policy", "no-referrer")
	if len(s.index) == 0 {
		access.WriteFault(w, r, fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "This binary was built without the wallet page: run make build"))
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy+relayOrigin(r))
	_, _ = w.Write(s.index)
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	pages.ServeAsset(w, r, s.files, strings.TrimPrefix(r.URL.Path, base))
}

// relayOrigin returns the WebSocket origin of this gateway, as browsers reach it.
func relayOrigin(r *http.Request) string {
	url := "http://" + r.Host
	if b, ok := access.RequestBaseOf(r.Context()); ok {
		url = b.URL()
	}
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.Replace(scheme, "http", "ws", 1) + "://" + host
}
