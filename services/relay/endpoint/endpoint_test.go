package endpoint

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestABodyThatDoesNotComeIsNotAwaited(t *testing.T) {
	server := httptest.NewServer(New(t.Context(), Config{}, Deps{Clock: clock.System{}}))
	defer server.Close()
	host := server.Listener.Addr().String()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n", host)
	_ = conn.SetReadDeadline(time.Now().Add(3 * bodyTimeout))
	in := bufio.NewReader(conn)
	if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Fatalf("answered %v, %v", res, err)
	}
	for err == nil {
		_, err = in.ReadByte()
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		t.Error("the connection waits for the body")
	}
}
