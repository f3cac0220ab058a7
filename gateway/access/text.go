package access

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// RequireUTF8 rejects a path or query that is not valid UTF-8 or contains NUL: gRPC strings are UTF-8, and PostgreSQL stores no NUL.
func RequireUTF8(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if IsInvalidText(r.URL.Path) {
			WriteFault(w, r, RouteUnknown(r))
			return
		}
		if name, ok := invalidTextParameter(r); ok {
			WriteFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name, "Invalid parameter: `%s` is not text", name))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// invalidTextParameter returns the name of the first query parameter whose value is not valid text. The name is empty when the name itself is not.
func invalidTextParameter(r *http.Request) (name string, ok bool) {
	if !strings.Contains(r.URL.RawQuery, "%") && !IsInvalidText(r.URL.RawQuery) {
		return "", false
	}
	for name, values := range r.URL.Query() {
		if IsInvalidText(name) {
			return "", true
		}
		if slices.ContainsFunc(values, IsInvalidText) {
			return name, true
		}
	}
	return "", false
}

// IsInvalidText reports whether s is not valid UTF-8 or contains NUL.
func IsInvalidText(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }
