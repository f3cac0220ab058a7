package main

import (
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestASuiteEndsWhenItsGatewayCannotAcceptAlthoughAWebSocketIsOpen(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	s := startSuite(t, t.TempDir())
	shop := one(t, "project", "create", "-any-origin", "-json")
	c, _, err := websocket.Dial(t.Context(), "ws://"+s.gateway+"/v1?chainId=eip155:1&projectId="+shop.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.CloseNow() }()
	go func() { _, _, _ = c.Read(t.Context()) }()

	shutListener(t, s.gateway)

	select {
	case code := <-s.done:
		if code != exitFailed || !strings.Contains(s.errOut.String(), "accept") {
			t.Errorf("exit %d: %s", code, s.errOut)
		}
	case <-time.After(testTimeout):
		t.Error("it goes on without its gateway")
		_ = c.CloseNow()
		<-s.done
	}
}

// shutListener makes the accept of the listener at an address fail, as a lack of memory does.
func shutListener(t *testing.T, address string) {
	t.Helper()
	want, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	for fd := range 1024 {
		if listens, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || listens == 0 {
			continue
		}
		at, err := syscall.Getsockname(fd)
		if v4, ok := at.(*syscall.SockaddrInet4); err == nil && ok && v4.Port == want.Port {
			if err := syscall.Shutdown(fd, syscall.SHUT_RDWR); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("nothing listens on %s", address)
}
