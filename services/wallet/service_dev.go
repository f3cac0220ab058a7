package wallet

import (
	"bytes"
	"context"
	"net/http"
	"net/url"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// devPages answers the HTTP requests below /dev/ that the gateway forwards.
type devPages struct {
	walletv1.UnimplementedDevPageServiceServer

	pages http.Handler
}

// ServeDevPage answers one HTTP request.
func (d devPages) ServeDevPage(ctx context.Context, r *walletv1.ServeDevPageRequest) (*walletv1.ServeDevPageResponse, error) {
	u, err := url.ParseRequestURI(r.GetUri())
	if err != nil {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "There is no such page").Because(err)
	}
	req, err := http.NewRequestWithContext(ctx, r.GetMethod(), "/", bytes.NewReader(r.GetBody()))
	if err != nil {
		return nil, err
	}
	req.URL, req.Host, req.RequestURI = u, r.GetHost(), r.GetUri()
	for name, value := range r.GetHeader() {
		req.Header.Set(name, value)
	}
	w := &pageWriter{header: http.Header{}, status: http.StatusOK}
	d.pages.ServeHTTP(w, req)
	res := &walletv1.ServeDevPageResponse{Status: uint32(w.status), Header: map[string]string{}, Body: w.body.Bytes()}
	for name := range w.header {
		res.Header[name] = w.header.Get(name)
	}
	return res, nil
}

// pageWriter records the response of a handler.
type pageWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header fields.
func (w *pageWriter) Header() http.Header { return w.header }

// WriteHeader records the status.
func (w *pageWriter) WriteHeader(status int) { w.status = status }

// Write appends to the body.
func (w *pageWriter) Write(b []byte) (int, error) { return w.body.Write(b) }
