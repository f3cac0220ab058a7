package socket

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/peertls/peertlstest"
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
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()}
	p := NewRelayProxy(stopping, g, addresses, nil)
	p.drain = time.Millisecond
	server := httptest.NewServer(p)
	t.Cleanup(func() { stop(); server.Close() })
	return strings.Replace(server.URL, "http", "ws", 1) + RelayPath, stop
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

// While the relay counts as down, every connection waits.
func TestNoRequestMakesTheRelayCountAsDown(t *testing.T) {
	relay := httptest.NewServer(http.HandlerFunc(echoRelay))
	defer relay.Close()
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()}
	p := NewRelayProxy(t.Context(), g, relay.Listener.Addr().String(), nil)
	server := httptest.NewServer(p)
	defer server.Close()
	const upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
	for name, c := range map[string]struct{ request, want string }{
		"a body":           {"GET /v1/relay?auth=token HTTP/1.1\r\nHost: a\r\n" + upgrade + "Content-Length: 5\r\n\r\nhello", "HTTP/1.1 101 "},
		"a body of chunks": {"GET /v1/relay?auth=token HTTP/1.1\r\nHost: a\r\n" + upgrade + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "HTTP/1.1 101 "},
		"no host":          {"GET /v1/relay?auth=token HTTP/1.0\r\n" + upgrade + "\r\n", "HTTP/1.1 101 "},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_, _ = conn.Write([]byte(c.request))
			said, _ := bufio.NewReader(conn).ReadString('\n')
			if !strings.HasPrefix(said, c.want) || p.isDown() {
				t.Errorf("answered %q; the relay counts as down: %t", said, p.isDown())
			}
		})
	}
}

// The head of a request is kept as long as its connection.
func TestAConnectionTakesTheMemoryOfItsHead(t *testing.T) {
	memory := limit.NewMemory(1 << 20)
	p := NewRelayProxy(t.Context(), &access.Guard{Memory: memory, Limits: access.DefaultLimits()}, "", nil)
	r := httptest.NewRequest(http.MethodGet, RelayPath, nil)
	r.Header.Set("X-Long", strings.Repeat("a", 60_000))
	release, refused := p.hold(r)
	if refused != nil || memory.Used() < 60_000 {
		t.Fatalf("%d bytes are held, %v", memory.Used(), refused)
	}
	release()
	if memory.Used() != 0 {
		t.Errorf("%d bytes are still held", memory.Used())
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

// downRelay is a proxy to a relay that does not answer, whose clients come from the addresses in X-Forwarded-For.
func downRelay(t *testing.T) (p *RelayProxy, from func(address string) (*http.Response, error)) {
	t.Helper()
	p = NewRelayProxy(t.Context(), &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits(), Memory: limit.NewMemory(8 * relayBytes), TrustedHops: 1}, "127.0.0.1:1", nil)
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	return p, func(address string) (*http.Response, error) {
		options := &websocket.DialOptions{HTTPHeader: http.Header{"X-Forwarded-For": {address}}}
		_, res, err := websocket.Dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1)+RelayPath, options)
		return res, err
	}
}

func TestFewConnectionsOfANetworkWaitForTheRelay(t *testing.T) {
	p, from := downRelay(t)
	for range relayWaiting.Each {
		if _, ok := p.local.Hold(t.Context(), limit.CallerOf("", "192.0.2.1"), relayWaiting, 1); !ok {
			t.Fatal("refused within the share")
		}
	}
	res, err := from("192.0.2.1")
	if err == nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("one more was answered %v, %v", res, err)
	}
	if _, ok := p.local.Hold(t.Context(), limit.CallerOf("", "192.0.2.2"), relayWaiting, 1); !ok {
		t.Error("another network may not wait")
	}
}

func TestTheConnectionsToTheRelayAreBounded(t *testing.T) {
	p, from := downRelay(t)
	for range relayConnections.Each {
		p.local.Hold(t.Context(), limit.CallerOf("", "192.0.2.1"), relayConnections, 1)
	}
	if res, err := from("192.0.2.1"); err == nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("above the share: %v, %v", res, err)
	}
	// Half of the memory.
	if err := p.guard.Memory.Hold(limit.CallerOf("", "192.0.2.2")).Grow(4 * relayBytes); err != nil {
		t.Fatal(err)
	}
	if res, err := from("192.0.2.2"); err == nil || res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("above its part of the memory: %v, %v", res, err)
	}
}

func TestConnectionsReachARelayByTLS(t *testing.T) {
	authority := peertlstest.NewAuthority(t)
	known := func() *peertls.Identity {
		i, err := peertls.New(authority.Issue(t, t.TempDir(), 24*time.Hour, "hawser.test.svc"), clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	relay := httptest.NewUnstartedServer(http.HandlerFunc(echoRelay))
	relay.Listener = tls.NewListener(relay.Listener, known().Server("http/1.1"))
	relay.Start()
	defer relay.Close()
	address := relay.Listener.Addr().String()
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()}
	p := NewRelayProxy(t.Context(), g, address, known().Client())
	server := httptest.NewServer(p)
	defer server.Close()
	conn := dialRelay(t, strings.Replace(server.URL, "http", "ws", 1)+RelayPath)
	defer func() { _ = conn.CloseNow() }()
	readRelay(t, conn)
	if !p.doesAnswer(t.Context(), address) {
		t.Error("the relay does not answer by TLS")
	}
}

func TestAConnectionToTheRelayHoldsMemoryUntilItEnds(t *testing.T) {
	relay := httptest.NewServer(http.HandlerFunc(echoRelay))
	defer relay.Close()
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits(), Memory: limit.NewMemory(1 << 20)}
	server := httptest.NewServer(NewRelayProxy(t.Context(), g, relay.Listener.Addr().String(), nil))
	defer server.Close()
	conn := dialRelay(t, strings.Replace(server.URL, "http", "ws", 1)+RelayPath)
	readRelay(t, conn)
	if used := g.Memory.Used(); used != relayBytes {
		t.Errorf("it holds %d bytes", used)
	}
	_ = conn.CloseNow()
	for g.Memory.Used() != 0 {
		runtime.Gosched()
	}
}

// The relay did not fail a client that left before it answered.
func TestAClientThatLeavesMakesNoOtherWait(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(conn).ReadString('\n')
			leave()
		}
	}()
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()}
	p := NewRelayProxy(t.Context(), g, silent.Addr().String(), nil)
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, RelayPath, http.NoBody)
	if _, _, err := p.open(r, []byte("GET / HTTP/1.1\r\n\r\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("the client that left: %v", err)
	}
	if p.isDown() {
		t.Error("others wait for the relay")
	}
}

// When the process stops, its connections end at different times, and the process waits for the last of them.
func TestConnectionsToTheRelayEndOverATimeWhenTheProcessStops(t *testing.T) {
	relay := httptest.NewServer(http.HandlerFunc(echoRelay))
	defer relay.Close()
	stopping, stop := context.WithCancel(t.Context())
	p := NewRelayProxy(stopping, &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()}, relay.Listener.Addr().String(), nil)
	server := httptest.NewServer(p)
	defer server.Close()
	const clients = 10
	ended := make(chan error, clients)
	for range clients {
		conn := dialRelay(t, strings.Replace(server.URL, "http", "ws", 1)+RelayPath)
		readRelay(t, conn)
		go func() {
			_, _, err := conn.Read(context.Background())
			ended <- err
		}()
	}
	if got, want := p.endPeriod(), clients*time.Second/endsPerSecond; got != want {
		t.Errorf("%d connections end within %s, want %s", clients, got, want)
	}
	stop()
	p.Wait()
	for range clients {
		if err := <-ended; err == nil {
			t.Error("a connection is still open")
		}
	}
	if p.connections.Add(1_000_000); p.endPeriod() != relayDrain {
		t.Errorf("many connections end within %s", p.endPeriod())
	}
}
