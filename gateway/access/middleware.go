package access

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// RequestIDHeader names a request in logs; the answer repeats it.
	RequestIDHeader = "X-Request-Id"
	// requestIDLimit is the longest request id of a caller that is used, in bytes.
	requestIDLimit = 128
	// StrictTransport is the value of Strict-Transport-Security: a year, without subdomains, which may belong to others.
	StrictTransport = "max-age=31536000"
)

type requestIDKey struct{}

// WithRequestID sets X-Request-Id on the response: that of the request, which becomes an attribute of its span, or else the trace id, by which
// the log records of the request are found.
func WithRequestID(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(RequestIDHeader)
		if id != "" && len(id) <= requestIDLimit && printable(id) {
			observe.RecordRequestID(r.Context(), id)
		} else {
			id = cmp.Or(observe.TraceID(r.Context()), uuid.NewString())
		}
		w.Header().Set(RequestIDHeader, id)
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// WithSecurityHeaders sets security headers on every answer, errors included: no guessing of content types, referrers for the same origin only, and, if
// https is true, HTTPS only for a year.
func WithSecurityHeaders(h http.Handler, https bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		if https {
			header.Set("Strict-Transport-Security", StrictTransport)
		}
		h.ServeHTTP(w, r)
	})
}

// Recovered answers a panic with Internal and logs its stack.
func Recovered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			WriteFault(w, r, fault.Internal(routine.Recovered(r.Context(), p)))
		}()
		h.ServeHTTP(w, r)
	})
}
