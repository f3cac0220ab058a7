package rest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/gateway/access"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// SandboxPath is the prefix of the pages of the sandbox service.
	SandboxPath = "/sandbox/"
	// DevPath is the prefix of the pages of the development servers of the wallet service.
	DevPath = "/dev/"
	// pageBodyLimit bounds the body of a request to a page, in bytes.
	pageBodyLimit = 16 << 10
)

// forwardedHeaders are the header fields that pages need.
var forwardedHeaders = []string{"Accept", "Authorization", "Content-Type", "Origin", "Sec-Fetch-Site"}

// SandboxPages forwards requests of browsers to the sandbox service as they are.
func SandboxPages(client sandboxv1.PageServiceClient) http.Handler {
	return servePages(func(ctx context.Context, p pageRequest) (pageResponse, error) {
		return client.ServePage(ctx, &sandboxv1.ServePageRequest{Method: p.method, Uri: p.uri, Host: p.host, Header: p.header, Body: p.body})
	})
}

// DevPages forwards requests of browsers to the development servers of the wallet service as they are.
func DevPages(client walletv1.DevPageServiceClient) http.Handler {
	return servePages(func(ctx context.Context, p pageRequest) (pageResponse, error) {
		return client.ServeDevPage(ctx, &walletv1.ServeDevPageRequest{Method: p.method, Uri: p.uri, Host: p.host, Header: p.header, Body: p.body})
	})
}

// pageRequest is a request of a browser.
type pageRequest struct {
	method, uri, host string
	header            map[string]string
	body              []byte
}

// pageResponse is the response of a service to it.
type pageResponse interface {
	GetStatus() uint32
	GetHeader() map[string]string
	GetBody() []byte
}

// servePages answers requests of browsers by a service.
func servePages(serve func(ctx context.Context, p pageRequest) (pageResponse, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, pageBodyLimit))
		if err != nil {
			access.WriteFault(w, r, access.BodyFault(err))
			return
		}
		p := pageRequest{method: r.Method, uri: strings.ToValidUTF8(r.URL.RequestURI(), ""), host: r.Host, header: map[string]string{}, body: body}
		for _, name := range forwardedHeaders {
			if value := r.Header.Get(name); value != "" && utf8.ValidString(value) {
				p.header[name] = value
			}
		}
		res, err := serve(r.Context(), p)
		if err != nil {
			access.WriteFault(w, r, fault.From(err))
			return
		}
		for name, value := range res.GetHeader() {
			w.Header().Set(name, value)
		}
		w.WriteHeader(int(res.GetStatus()))
		_, _ = w.Write(res.GetBody())
	})
}
