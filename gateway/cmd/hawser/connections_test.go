package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// listening serves h at a port of its own until the test ends.
func listening(t *testing.T, h http.Handler, memory *limit.Memory) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serveHTTP(ctx, l, h, memory, time.Millisecond) }()
	t.Cleanup(func() { stop(); <-served })
	return l.Addr().String()
}

// isServed opens a connection and reports whether a request over it is answered.
func isServed(t *testing.T, address string) (conn net.Conn, served bool) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return conn, false
	}
	_ = res.Body.Close()
	return conn, true
}

func TestOneAddressDoesNotTakeAllMemoryWithIdleConnections(t *testing.T) {
	memory := limit.NewMemory(10 * idleConnection)
	address := listening(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), memory)
	var idle []net.Conn
	for range 5 {
		conn, served := isServed(t, address)
		if !served {
			t.Fatalf("connection %d of half of the memory was refused", len(idle))
		}
		idle = append(idle, conn)
	}
	if _, served := isServed(t, address); served {
		t.Error("an address has more than half of the memory")
	}
	_ = idle[0].Close()
	waitUntil(t, "the place of a connection that ended is free", func() bool { return memory.Used() < 5*idleConnection })
	if _, served := isServed(t, address); !served {
		t.Error("a connection in the place of one that ended was refused")
	}
}

func TestAnUpgradedConnectionTakesItsOwnMemory(t *testing.T) {
	memory := limit.NewMemory(10 * idleConnection)
	address := listening(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil || memory.Used() != 0 {
			t.Errorf("%d bytes are held, %v", memory.Used(), err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		_ = conn.Close()
	}), memory)
	if _, served := isServed(t, address); !served {
		t.Error("it was refused")
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// countedConn counts what was written to a connection.
type countedConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

func TestOfABodyThatIsNotReadLittleIsKept(t *testing.T) {
	release := make(chan struct{})
	address := listening(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }), nil)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	var sent atomic.Int64
	client := &http.Client{Transport: &http.Transport{Protocols: protocols, DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, to)
		return countedConn{conn, &sent}, err
	}}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address, endless{})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		if res, err := client.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	last := int64(-1)
	waitUntil(t, "the client has sent what it may", func() bool {
		before := last
		time.Sleep(100 * time.Millisecond)
		last = sent.Load()
		return last > 0 && last == before
	})
	// The heads of frames come on top.
	if last > receiveBuffer+receiveBuffer/8 {
		t.Errorf("%d bytes were sent", last)
	}
	cancel()
	close(release)
	<-ended
}
