package sandbox

import (
	"bytes"
	"context"
	"net/http"
	"net/url"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the service's name in -target and peers.
const Name = "sandbox"

// New returns the service and migrates its tables.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newSandbox(ctx, cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			sandboxv1.RegisterSellerServiceServer(r, remote.Serve(s.providers))
			sandboxv1.RegisterPageServiceServer(r, &pageServer{pages: s.pages()})
		},
		Work:  s.Work,
		Ready: deps.DB.Ready,
	}, nil
}

// pageServer answers the HTTP requests that the gateway forwards.
type pageServer struct {
	sandboxv1.UnimplementedPageServiceServer
	pages http.Handler
}

// ServePage answers one HTTP request of a browser.
func (p *pageServer) ServePage(ctx context.Context, r *sandboxv1.ServePageRequest) (*sandboxv1.ServePageResponse, error) {
	u, err := url.ParseRequestURI(r.GetUri())
	if err != nil {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "There is no such page").Because(err)
	}
	req, err := http.NewRequestWithContext(ctx, r.GetMethod(), "/", bytes.NewReader(r.GetBody()))
	if err != nil {
		return nil, err
	}
	req.URL = u
	req.Host = r.GetHost()
	for name, value := range r.GetHeader() {
		req.Header.Set(name, value)
	}
	w := &response{header: http.Header{}, status: http.StatusOK}
	p.pages.ServeHTTP(w, req)
	if w.err != nil {
		return nil, w.err
	}
	res := &sandboxv1.ServePageResponse{Status: uint32(w.status), Header: map[string]string{}, Body: w.body.Bytes()}
	for name := range w.header {
		res.Header[name] = w.header.Get(name)
	}
	return res, nil
}

// response records the response of a handler.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
	// err is the response to clients that do not accept HTML.
	err error
}

// Header returns the header fields.
func (w *response) Header() http.Header { return w.header }

// WriteHeader records the status.
func (w *response) WriteHeader(status int) { w.status = status }

// Write appends to the body.
func (w *response) Write(b []byte) (int, error) { return w.body.Write(b) }
