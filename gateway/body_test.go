package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// reusedWriter is a response writer that must not be used after its request: net/http gives the one of HTTP/2 to the next request.
type reusedWriter struct {
	http.ResponseWriter
	over atomic.Bool
	late atomic.Int32
}

func (w *reusedWriter) SetReadDeadline(time.Time) error {
	if w.over.Load() {
		w.late.Add(1)
	}
	return nil
}

func TestNoDeadlineIsSetAfterTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &reusedWriter{ResponseWriter: httptest.NewRecorder()}
		stopping, stop := context.WithCancel(t.Context())
		// The request ends as the process shuts down, before the goroutine that shortens its deadline runs.
		h := withBodyDeadline(stopping, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stop() }), time.Minute)
		for range 100 {
			w.over.Store(false)
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("a body that nobody reads")))
			w.over.Store(true)
			synctest.Wait()
		}
		if n := w.late.Load(); n > 0 {
			t.Errorf("%d deadlines were set after their requests", n)
		}
	})
}
