package gateway

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// echoRelay is a fake relay: it echoes messages, reports the address that a client connects from, and refuses clients without a token.
func echoRelay(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("auth") == "" {
		http.Error(w, "Unauthorized: invalid key", http.StatusUnauthorized)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	_ = conn.Write(r.Context(), websocket.MessageText, []byte(r.Host+" "+strings.Join(r.Header.Values("X-Forwarded-For"), "|")))
	conn.SetReadLimit(1 << 20)
	for {
		kind, message, err := conn.Read(r.Context())
		if err != nil || conn.Write(r.Context(), kind, message) != nil {
			return
		}
	}
}

// relayGateway serves /v1/relay in front of relays at addresses, until stop is called.
func relayGateway(t *testing.T, addresses string) (url string, stop context.CancelFunc) {
	t.Helper()
	stopping, stop := context.WithCancel(context.Background())
	g := &guard{limiter: limit.NewLocal(clock.System{}, 0), limits: DefaultLimits()}
	server := httptest.NewServer(newRelayProxy(stopping, g, addresses))
	t.Cleanup(func() { stop(); server.Close() })
	return strings.Replace(server.URL, "http", "ws", 1) + relayPath, stop
}

func dialRelay(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url+"?auth=token", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

func readRelay(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, message, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

func TestConnectionsAreForwardedToTheRelay(t *testing.T) {
	relay := httptest.NewServer(http.HandlerFunc(echoRelay))
	defer relay.Close()
	url, stop := relayGateway(t, "127.0.0.1:1,"+relay.Listener.Addr().String())
	conn := dialRelay(t, url)
	host, _, _ := strings.Cut(strings.TrimPrefix(url, "ws://"), "/")
	if got := readRelay(t, conn); got != host+" 127.0.0.1" {
		t.Errorf("the relay was told %q", got)
	}
	for _, message := range []string{"small", strings.Repeat("large", 100_000)} {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
		if got := readRelay(t, conn); got != message {
			t.Errorf("%d bytes came back as %d", len(message), len(got))
		}
	}
	// The process stops.
	stop()
	if _, _, err := conn.Read(t.Context()); err == nil {
		t.Error("the connection is still open")
	}
}

func TestConnectionsWaitForARelayThatRestarts(t *testing.T) {
	address := freeport.Address()
	url, _ := relayGateway(t, address)
	started := make(chan *httptest.Server, 1)
	time.AfterFunc(700*time.Millisecond, func() {
		again, err := net.Listen("tcp", address)
		if err != nil {
			t.Error(err)
			return
		}
		relay := httptest.NewUnstartedServer(http.HandlerFunc(echoRelay))
		relay.Listener = again
		relay.Start()
		started <- relay
	})
	readRelay(t, dialRelay(t, url))
	(<-started).CloseClientConnections()
}

func TestTheRefusalOfARelayIsPassedOn(t *testing.T) {
	relay := httptest.NewServer(http.HandlerFunc(echoRelay))
	defer relay.Close()
	url, _ := relayGateway(t, relay.Listener.Addr().String())
	_, res, err := websocket.Dial(t.Context(), url, nil)
	if err == nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("answered %v, %v", res, err)
	}
	plain, err := http.Get(strings.Replace(url, "ws", "http", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Body.Close() }()
	if plain.StatusCode != http.StatusBadRequest && plain.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("a plain GET was answered %d", plain.StatusCode)
	}
}

// A client that does not read must not keep its connection for longer than the relay does.
func TestAConnectionEndsWhenTheClientDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, client := net.Pipe()
		up, relay := net.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			splice(t.Context(), down, up)
		}()
		if _, err := relay.Write([]byte("a message")); err != nil {
			t.Fatal(err)
		}
		_ = relay.Close()
		time.Sleep(time.Minute)
		select {
		case <-ended:
		default:
			t.Error("it is still open a minute after the relay closed it")
		}
		_ = client.Close()
		<-ended
	})
}

// Connections that wait for a relay which is down do not dial it themselves.
func TestConnectionsThatWaitForTheRelayShareOneProbe(t *testing.T) {
	down, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = down.Close() }()
	dials := make(chan string, 1000)
	go func() {
		for {
			conn, err := down.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(conn).ReadString('\n')
			_ = conn.Close()
			dials <- line
		}
	}()
	url, _ := relayGateway(t, down.Addr().String())
	const clients = 50
	ctx, cancel := context.WithCancel(t.Context())
	var dialling sync.WaitGroup
	for range clients {
		dialling.Go(func() {
			if conn, _, err := websocket.Dial(ctx, url+"?auth=token", nil); err == nil {
				_ = conn.CloseNow()
			}
		})
	}
	of := map[bool]int{}
	for probes := 0; probes < 10; probes = of[true] {
		of[strings.HasPrefix(<-dials, "GET /health")]++
	}
	if of[false] > clients {
		t.Errorf("%d clients dialled the relay %d times", clients, of[false])
	}
	cancel()
	dialling.Wait()
}

func TestFewConnectionsWaitForTheRelay(t *testing.T) {
	g := &guard{limiter: limit.NewLocal(clock.System{}, 0), limits: DefaultLimits()}
	p := newRelayProxy(t.Context(), g, "127.0.0.1:1")
	for range relayWaiting {
		p.waiting <- struct{}{}
	}
	server := httptest.NewServer(p)
	defer server.Close()
	_, res, err := websocket.Dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1)+relayPath, nil)
	if err == nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("one more was answered %v, %v", res, err)
	}
}
