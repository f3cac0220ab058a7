package access

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
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
		h := WithBodyDeadline(stopping, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stop() }), time.Minute)
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

func TestAClientThatMakesProgressGetsItsAnswerAndAnotherIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const answer = 2 << 20
		failed := make(chan error, 1)
		server := &http.Server{Handler: Bounded(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, answer))
			failed <- err
		}), 30*time.Second)}
		pipes := &accesstest.PipeListener{Conns: make(chan net.Conn), Ended: make(chan struct{})}
		go func() { _ = server.Serve(pipes) }()
		defer server.Close()
		// get reads progressBytes each interval, n times, and then nothing more.
		get := func(n int, interval time.Duration) (net.Conn, error) {
			client, served := net.Pipe()
			pipes.Conns <- served
			if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			part := make([]byte, ProgressBytes)
			for range n {
				if _, err := io.ReadFull(client, part); err != nil {
					return client, err
				}
				time.Sleep(interval)
			}
			return client, nil
		}
		client, err := get(answer/ProgressBytes, 2*time.Second)
		if err != nil {
			t.Errorf("a client that reads slowly: %v", err)
		}
		go func() { _, _ = io.Copy(io.Discard, client) }()
		if err := <-failed; err != nil {
			t.Errorf("writing to a client that reads slowly: %v", err)
		}
		_ = client.Close()
		begun := time.Now()
		client, err = get(3, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if err := <-failed; err == nil || time.Since(begun) > ProgressTime {
			t.Errorf("a client that reads no more: %v after %s", err, time.Since(begun))
		}
	})
}
