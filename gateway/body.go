package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// bodyFarewell is how long bodies may still take to come once the process was told to end.
	bodyFarewell = time.Second
	// writeGrace is how long an answer may take to be read beyond the time that the call had.
	writeGrace = 10 * time.Second
)

// punctual gives the body of every request a time within which it must have come, from its headers on, whoever reads it, and also if
// nobody does. Once stopping is done, those under way have a moment.
func punctual(stopping context.Context, h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			h.ServeHTTP(w, r)
			return
		}
		b := &punctualBody{ReadCloser: r.Body, control: http.NewResponseController(w), timeout: timeout}
		if r.ProtoMajor == 1 {
			b.header = w.Header()
		}
		b.due(timeout)
		b.keep = context.AfterFunc(stopping, func() { b.due(min(timeout, bodyFarewell)) })
		r.Body = b
		h.ServeHTTP(w, r)
		b.keep()
	})
}

// punctualBody is a body with a deadline, which ends with the body: nothing else that is read from the connection is bound by it. The
// deadline of a body that nobody reads to its end stays, for the server reads on before it takes the next request.
type punctualBody struct {
	io.ReadCloser
	control *http.ResponseController
	timeout time.Duration
	// header is that of an answer over HTTP/1, where what is left of a late body would be read as the next request.
	header http.Header
	// keep has the deadline stay what it is when the process is told to end.
	keep func() bool

	mu    sync.Mutex
	ended bool
}

// due sets the deadline, unless the body has ended.
func (b *punctualBody) due(in time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended {
		// Where there is no connection, there is no deadline.
		_ = b.control.SetReadDeadline(time.Now().Add(in))
	}
}

// Read reads on, and says so plainly when the time is over.
func (b *punctualBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if b.header != nil {
			b.header.Set("Connection", "close")
		}
		return n, lateBody{b.timeout}
	case errors.Is(err, io.EOF):
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ended = true
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// lateBody says that a body did not come in time.
type lateBody struct{ timeout time.Duration }

// Error says so to the caller.
func (e lateBody) Error() string {
	return fmt.Sprintf("The request body did not come within %s", e.timeout)
}

// Is makes it a deadline that was exceeded.
func (lateBody) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// bounded gives every call a deadline, and a moment more until its answer was read.
func bounded(h http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(limit + writeGrace))
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// unbounded lets a stream be written for as long as it lasts, whatever deadline an earlier request left on the connection.
func unbounded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		h.ServeHTTP(w, r)
	})
}
