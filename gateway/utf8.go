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

// requireUTF8 rejects a path or query that is not valid UTF-8 or contains NUL: gRPC strings are UTF-8, and PostgreSQL stores no NUL.
func requireUTF8(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isInvalidText(r.URL.Path) {
			writeFault(w, r, routeUnknown(r))
			return
		}
		if name, ok := invalidTextParameter(r); ok {
			writeFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name, "Invalid parameter: `%s` is not text", name))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// invalidTextParameter returns the name of the first query parameter whose value is not valid text. The name is empty when the name itself is not.
func invalidTextParameter(r *http.Request) (name string, ok bool) {
	for name, values := range r.URL.Query() {
		if isInvalidText(name) {
			return "", true
		}
		if slices.ContainsFunc(values, isInvalidText) {
			return name, true
		}
	}
	return "", false
}

// isInvalidText reports whether s is not valid UTF-8 or contains NUL.
func isInvalidText(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }
