package gateway

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// legible refuses paths and queries that are no text: gRPC carries none but UTF-8, and databases keep no NUL.
func legible(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if illegible(r.URL.Path) {
			writeFault(w, r, routeUnknown(r))
			return
		}
		if name, ok := illegibleParameter(r); ok {
			writeFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name, "Invalid parameter: `%s` is not text", name))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// illegibleParameter names a parameter that is no text; the name is empty where that is none itself.
func illegibleParameter(r *http.Request) (name string, ok bool) {
	for name, values := range r.URL.Query() {
		if illegible(name) {
			return "", true
		}
		if slices.ContainsFunc(values, illegible) {
			return name, true
		}
	}
	return "", false
}

func illegible(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }
