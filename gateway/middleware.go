package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	requestIDHeader = "X-Request-Id"
	// requestIDLimit keeps a caller from filling our logs with an id.
	requestIDLimit = 128
)

type requestIDKey struct{}

// withRequestID takes the request's id or makes one, and echoes it on every answer.
func withRequestID(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if id == "" || len(id) > requestIDLimit || !printable(id) {
			id = uuid.NewString()
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

// recovered turns a panic into a plain internal error, and its stack into a log line.
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

// mediaLifetime is how long callers may keep the picture of a token: another one has another address.
const mediaLifetime = 24 * time.Hour

// harmless keeps a picture that a stranger made from being anything but a picture, however it is opened. Callers may keep it for lifetime.
func harmless(lifetime time.Duration, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Cache-Control", publicFor(lifetime))
		h.ServeHTTP(w, r)
	})
}

// publicFor is the Cache-Control of an answer that all caches may keep for a lifetime.
func publicFor(lifetime time.Duration) string {
	return fmt.Sprintf("public, max-age=%d", lifetime/time.Second)
}
