package endpoint

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// oneConn is a listener that accepts one connection.
type oneConn chan net.Conn

func (l oneConn) Accept() (net.Conn, error) {
	if c, ok := <-l; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (l oneConn) Close() error   { close(l); return nil }
func (l oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// answered requests an answer over HTTP, reads n parts of it, each after an interval, and returns the error of the server.
func answered(t *testing.T, size, n int, interval time.Duration) error {
	client, served := net.Pipe()
	ended := make(chan error, 1)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		ended <- respond(w, make([]byte, size))
	})}
	listener := make(oneConn, 1)
	listener <- served
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	defer client.Close()
	if _, err := io.WriteString(client, "POST /rpc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for range n {
		time.Sleep(interval)
		if _, err := io.CopyN(io.Discard, client, progressBytes); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	}
	return <-ended
}

func TestAnAnswerIsWrittenToItsEndIfTheClientMakesProgress(t *testing.T) {
	const size = 2 << 20
	synctest.Test(t, func(t *testing.T) {
		if err := answered(t, size, size/progressBytes+1, progressTime/3); err != nil {
			t.Errorf("a client that reads slowly: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		err := answered(t, size, 3, time.Second)
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) > 3*time.Second+progressTime {
			t.Errorf("a client that does not read: %v after %s", err, time.Since(begun))
		}
	})
}
