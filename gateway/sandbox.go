package gateway

import (
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// sandboxPath is the prefix of the pages of the sandbox service.
	sandboxPath = "/sandbox/"
	// pageBodyLimit bounds the body of a request to it, in bytes.
	pageBodyLimit = 16 << 10
)

// forwardedHeaders are the header fields that its pages need.
var forwardedHeaders = []string{"Accept", "Content-Type", "Origin", "Sec-Fetch-Site"}

// sandboxPages forwards requests of browsers to the sandbox service as they are.
func sandboxPages(client sandboxv1.PageServiceClient) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, pageBodyLimit))
		if err != nil {
			writeFault(w, r, bodyFault(err))
			return
		}
		req := &sandboxv1.ServePageRequest{Method: r.Method, Uri: strings.ToValidUTF8(r.URL.RequestURI(), ""), Host: r.Host, Header: map[string]string{}, Body: body}
		for _, name := range forwardedHeaders {
			if value := r.Header.Get(name); value != "" && utf8.ValidString(value) {
				req.Header[name] = value
			}
		}
		res, err := client.ServePage(r.Context(), req)
		if err != nil {
			writeFault(w, r, fault.From(err))
			return
		}
		for name, value := range res.GetHeader() {
			w.Header().Set(name, value)
		}
		w.WriteHeader(int(res.GetStatus()))
		_, _ = w.Write(res.GetBody())
	})
}
