package access

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
	// bodyShutdownGrace is how long a body may still take once the process shuts down.
	bodyShutdownGrace = time.Second
	// writeGrace is how long the client may take to read an answer, beyond the deadline of the call.
	writeGrace = 10 * time.Second
)

// WithBodyDeadline sets a read deadline for the body of every request, counted from its headers. Once stopping is done, bodies that are being
// read have bodyShutdownGrace left.
func WithBodyDeadline(stopping context.Context, h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			h.ServeHTTP(w, r)
			return
		}
		b := &deadlineBody{ReadCloser: r.Body, control: http.NewResponseController(w), timeout: timeout}
		if r.ProtoMajor == 1 {
			b.header = w.Header()
		}
		b.setDeadline(timeout)
		defer b.end()
		defer context.AfterFunc(stopping, func() { b.setDeadline(min(timeout, bodyShutdownGrace)) })()
		r.Body = b
		h.ServeHTTP(w, r)
	})
}

// deadlineBody is a body with a read deadline, which is removed at the end of the body: later reads from the connection have none. A body
// that the handler does not read to its end keeps its deadline, because the server reads the rest before the next request.
type deadlineBody struct {
	io.ReadCloser
	control *http.ResponseController
	timeout time.Duration
	// header is the response header of a request over HTTP/1, where the rest of a late body would be read as the next request.
	header http.Header

	mu sync.Mutex
	// ended is set at the end of the body or of the request. After that, the connection serves other requests.
	ended bool
}

// setDeadline sets the read deadline, unless the body or the request has ended.
func (b *deadlineBody) setDeadline(in time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended {
		// It fails only for a response writer without a connection.
		_ = b.control.SetReadDeadline(time.Now().Add(in))
	}
}

// Read reads from the body, and returns a [bodyTimeoutError] once the deadline has passed.
func (b *deadlineBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if b.header != nil {
			b.header.Set("Connection", "close")
		}
		return n, bodyTimeoutError{b.timeout}
	case errors.Is(err, io.EOF):
		b.end()
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// end keeps the deadline as it is.
func (b *deadlineBody) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

// bodyTimeoutError says that a body was not complete at its deadline.
type bodyTimeoutError struct{ timeout time.Duration }

// Error is the text that the caller gets.
func (e bodyTimeoutError) Error() string {
	return fmt.Sprintf("The request body did not come within %s", e.timeout)
}

// Is makes errors.Is report os.ErrDeadlineExceeded.
func (bodyTimeoutError) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// Bounded gives every call a deadline, and the connection a write deadline of writeGrace more. The client of a larger answer must make progress instead.
func Bounded(h http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Now().Add(limit + writeGrace))
		h.ServeHTTP(&progressWriter{ResponseWriter: w, control: control}, r.WithContext(ctx))
	})
}

const (
	// ProgressBytes is how much of an answer a client must receive within ProgressTime, as of a message of a WebSocket: 6.5 kB a second.
	ProgressBytes = 64 << 10
	// ProgressTime is how long a client has to receive ProgressBytes.
	ProgressTime = 10 * time.Second
)

// progressWriter sets a write deadline for each part of an answer that has more than one.
type progressWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	written int
}

// Write writes p in parts.
func (w *progressWriter) Write(p []byte) (written int, err error) {
	for {
		part := p[:min(len(p), ProgressBytes)]
		if w.written += len(part); w.written > ProgressBytes {
			_ = w.control.SetWriteDeadline(time.Now().Add(ProgressTime))
		}
		n, err := w.ResponseWriter.Write(part)
		written += n
		if p = p[len(part):]; err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// Flush sends what was written.
func (w *progressWriter) Flush() { _ = w.control.Flush() }

// Unwrap returns the writer that the connection is controlled with.
func (w *progressWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
