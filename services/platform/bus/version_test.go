package bus

import (
	"bufio"
	"fmt"
	"net"
	"testing"
)

// startVersion runs a server that is as old as it says, which answers what a client needs to be connected.
func startVersion(t *testing.T, version string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintf(conn, "INFO {\"server_id\":\"S\",\"version\":%q,\"proto\":1,\"headers\":true,\"max_payload\":1048576}\r\n", version)
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				if lines.Text() == "PING" {
					fmt.Fprint(conn, "PONG\r\n")
				}
			}
			_ = conn.Close()
		}
	}()
	return "nats://" + l.Addr().String()
}

func TestAnOldServerIsRefused(t *testing.T) {
	for _, version := range []string{"2.9.10", "2.10.29", "1.4.1"} {
		_, err := Open(t.Context(), Config{URL: startVersion(t, version), Replicas: 1})
		if want := "it is nats-server " + version + ", and hawser needs 2.11 or later"; err == nil || err.Error() != want {
			t.Errorf("%s: %v", version, err)
		}
		if err != nil && IsUnavailable(err) {
			t.Errorf("%s: a start would wait for it to go away", version)
		}
	}
}

func TestTheOldestServerAndLaterOnesAreUsed(t *testing.T) {
	for version, want := range map[string]bool{
		"2.11.0": true, "2.11.0-RC.1": true, "2.15.2": true, "3.0.0": true, "dev": true, "": true, "2.10.29": false, "1.12.0": false, "0.9.1": false,
	} {
		if isServed(version) != want {
			t.Errorf("%q is used: %t", version, !want)
		}
	}
}
