package upstream_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

func TestAHeaderGoesWithEveryCallAndFollowsNoRedirect(t *testing.T) {
	otherServer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed, with %v", r.Header)
	}))
	defer otherServer.Close()
	var calls []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Content-Type"))
		http.Redirect(w, r, otherServer.URL, http.StatusFound)
	}))
	defer server.Close()
	client := upstream.New(time.Second, 1<<10)
	defer client.Close()
	client.Header = http.Header{"Authorization": {"Bearer hunter2"}}

	for range 2 {
		if status, _, err := client.GetJSON(t.Context(), server.URL); err != nil || status != http.StatusFound {
			t.Errorf("%d, %v", status, err)
		}
	}
	if status, _, err := client.PostJSON(t.Context(), server.URL, []byte("{}")); err != nil || status != http.StatusFound {
		t.Errorf("%d, %v", status, err)
	}

	want := "GET Bearer hunter2 |GET Bearer hunter2 |POST Bearer hunter2 application/json"
	if got := strings.Join(calls, "|"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestACallIsRepeatedWhoseKeptConnectionWasClosed(t *testing.T) {
	for behaviour, repeats := range map[string]bool{"a client that repeats": true, "another client": false} {
		t.Run(behaviour, func(t *testing.T) {
			server := newClosingServer(t)
			client := upstream.New(time.Second, 1<<10)
			defer client.Close()
			client.Repeats = repeats
			if _, answer, err := client.PostJSON(t.Context(), server, []byte("first")); err != nil || string(answer) != "first" {
				t.Fatalf("%s, %v", answer, err)
			}
			_, answer, err := client.PostJSON(t.Context(), server, []byte("second"))
			if repeats && (err != nil || string(answer) != "second") || !repeats && err == nil {
				t.Errorf("%s, %v", answer, err)
			}
		})
	}
}

// newClosingServer returns the URL of a server that answers the first request of a connection with its body, and resets the connection at the second.
func newClosingServer(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerOnce(conn)
		}
	}()
	return "http://" + listener.Addr().String()
}

func answerOnce(conn net.Conn) {
	defer conn.Close()
	reader := bufio.NewReader(conn)
	first, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	if _, sent := first.Header["Idempotency-Key"]; sent {
		return
	}
	res := &http.Response{StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, ContentLength: first.ContentLength, Body: io.NopCloser(first.Body)}
	if res.Write(conn) != nil {
		return
	}
	if second, err := http.ReadRequest(reader); err == nil {
		_, _ = io.Copy(io.Discard, second.Body)
		_ = conn.(*net.TCPConn).SetLinger(0)
	}
}
