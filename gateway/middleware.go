package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	requestIDHeader = "X-Request-Id"
	// requestIDLimit is the longest request id of a caller that is used, in bytes.
	requestIDLimit = 128
	// strictTransport is the value of Strict-Transport-Security: a year, without subdomains, which may belong to others.
	strictTransport = "max-age=31536000"
)

type requestIDKey struct{}

// withRequestID sets X-Request-Id on the response: that of the request, which becomes an attribute of its span, or else the trace id, by which
// the log records of the request are found.
func withRequestID(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if id != "" && len(id) <= requestIDLimit && printable(id) {
			observe.RecordRequestID(r.Context(), id)
		} else {
			id = cmp.Or(observe.TraceID(r.Context()), uuid.NewString())
		}
		w.Header().Set(requestIDHeader, id)
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

// withSecurityHeaders sets security headers on every answer, errors included: no guessing of content types, referrers for the same origin only, and, if
// https is true, HTTPS only for a year.
func withSecurityHeaders(h http.Handler, https bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		if https {
			header.Set("Strict-Transport-Security", strictTransport)
		}
		h.ServeHTTP(w, r)
	})
}

// recovered answers a panic with Internal and logs its stack.
func recovered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			writeFault(w, r, fault.Internal(routine.Recovered(r.Context(), p)))
		}()
		h.ServeHTTP(w, r)
	})
}

// harmless sets the headers that keep an untrusted image from running scripts or being sniffed as another type.
func harmless(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.ServeHTTP(w, r)
	})
}

// publicFor returns the Cache-Control header of a public response with a max-age.
func publicFor(lifetime time.Duration) string {
	return fmt.Sprintf("public, max-age=%d", lifetime/time.Second)
}
