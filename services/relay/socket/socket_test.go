package socket

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/websockettest"
)

const most = 100_000

// echo sends back what it receives, and the start of messages over the limit.
type echo struct {
	conn   *Conn
	closed chan struct{}
}

func (e *echo) Receive(message []byte) { e.conn.Send(bytes.Clone(message)) }
func (e *echo) ReceiveTooLarge(prefix []byte) {
	e.conn.Send(append([]byte("too large: "), prefix[:10]...))
}
func (e *echo) ReceiveBusy(prefix []byte) {
	e.conn.Send(append([]byte("busy: "), prefix[:10]...))
}
func (e *echo) Closed() { close(e.closed) }

// dial connects to a server of echoes.
func dial(t testing.TB) (conn net.Conn, server *Server, closed chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	server, closed = NewServer(ctx), make(chan struct{})
	return dialServer(t, server, closed), server, closed
}

// dialServer connects to a server that echoes, and closes a channel when the connection has ended.
func dialServer(t testing.TB, server *Server, closed chan struct{}) net.Conn {
	t.Helper()
	return dialMemory(t, server, nil, closed)
}

// dialMemory connects to a server that echoes within a budget of memory.
func dialMemory(t testing.TB, server *Server, memory *limit.Memory, closed chan struct{}) net.Conn {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = server.Accept(w, r, most, memory.Hold(limit.Caller{}), func(c *Conn) Peer { return &echo{c, closed} })
	}))
	conn, early, _, err := ws.Dial(context.Background(), strings.Replace(web.URL, "http", "ws", 1))
	if err != nil {
		t.Fatal(err)
	}
	if early != nil {
		conn = &bufferedConn{conn, early}
	}
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	t.Cleanup(func() {
		_ = conn.Close()
		server.Wait()
		web.Close()
	})
	return conn
}

// bufferedConn first reads what was received together with the response of the handshake.
type bufferedConn struct {
	net.Conn
	buffered *bufio.Reader
}

func (c *bufferedConn) Read(p []byte) (int, error) { return c.buffered.Read(p) }

func send(t testing.TB, conn io.Writer, frames ...ws.Frame) {
	t.Helper()
	for _, f := range frames {
		if err := ws.WriteFrame(conn, ws.MaskFrame(f)); err != nil {
			t.Fatal(err)
		}
	}
}

func next(t testing.TB, conn io.Reader) ws.Frame {
	t.Helper()
	header, err := ws.ReadHeader(conn)
	if err != nil {
		t.Fatal(err)
	}
	f := ws.Frame{Header: header, Payload: make([]byte, min(header.Length, 2*most))}
	if _, err := io.ReadFull(conn, f.Payload); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheProtocolIsThatOfRFC6455(t *testing.T) {
	websockettest.Check(t, websockettest.Server{
		Dial: func(t testing.TB) net.Conn {
			conn, _, _ := dial(t)
			return conn
		},
		Request: "a message that comes back",
	})
}

func TestAHandshakeWithAnInvalidKeyIsRefused(t *testing.T) {
	server := NewServer(t.Context())
	for _, key := range []string{"", "dGhlIHNhbXBsZSBub25jZ!==", "dGhlIHNhbXBsZQ==", strings.Repeat("x", 24)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {key}}
		w := httptest.NewRecorder()
		if err := server.Accept(w, r, most, new(limit.Bytes), nil); err == nil || w.Code != http.StatusBadRequest {
			t.Errorf("%q: status %d, %v", key, w.Code, err)
		}
	}
}

func TestMessagesOfEverySize(t *testing.T) {
	conn, _, _ := dial(t)
	for _, size := range []int{0, 1, 125, 126, 127, 65_535, 65_536, most} {
		message := strings.Repeat("a", size)
		send(t, conn, ws.NewTextFrame([]byte(message)))
		if f := next(t, conn); f.Header.OpCode != ws.OpText || string(f.Payload) != message {
			t.Errorf("%d bytes came back as %d", size, len(f.Payload))
		}
	}
}

func TestAMessageThatIsTooLargeIsAnsweredAndTheConnectionStays(t *testing.T) {
	conn, _, _ := dial(t)
	for _, size := range []int{most + 1, 1 << 20} {
		send(t, conn, ws.NewTextFrame([]byte("0123456789"+strings.Repeat("a", size-10))))
		if f := next(t, conn); string(f.Payload) != "too large: 0123456789" {
			t.Errorf("%d bytes were answered with %q", size, f.Payload)
		}
	}
	send(t, conn, ws.NewTextFrame([]byte("small")))
	if f := next(t, conn); string(f.Payload) != "small" {
		t.Errorf("then %q came back", f.Payload)
	}
}

func TestFragmentsWithControlFramesBetween(t *testing.T) {
	conn, _, _ := dial(t)
	send(t, conn, ws.NewFrame(ws.OpText, false, []byte("one ")), ws.NewPingFrame([]byte("p")), ws.NewFrame(ws.OpContinuation, false, []byte("two ")), ws.NewFrame(ws.OpContinuation, true, []byte("three")))
	if f := next(t, conn); f.Header.OpCode != ws.OpPong || string(f.Payload) != "p" {
		t.Errorf("the ping was answered with %+v", f)
	}
	if f := next(t, conn); string(f.Payload) != "one two three" {
		t.Errorf("the fragments came back as %q", f.Payload)
	}
}

func TestMalformedFramesEndTheConnection(t *testing.T) {
	unmasked := ws.NewTextFrame([]byte("x"))
	reserved := ws.MaskFrame(ws.NewTextFrame([]byte("x")))
	reserved.Header.Rsv = ws.Rsv(true, false, false)
	for name, test := range map[string]struct {
		frames []ws.Frame
		want   ws.StatusCode
	}{
		"no mask":                   {[]ws.Frame{unmasked}, 1002},
		"a reserved bit":            {[]ws.Frame{reserved}, 1002},
		"a fragment without a head": {[]ws.Frame{ws.MaskFrame(ws.NewFrame(ws.OpContinuation, true, nil))}, 1002},
		"a second head":             {[]ws.Frame{ws.MaskFrame(ws.NewFrame(ws.OpText, false, nil)), ws.MaskFrame(ws.NewTextFrame(nil))}, 1002},
		"an unknown opcode":         {[]ws.Frame{ws.MaskFrame(ws.NewFrame(3, true, nil))}, 1002},
		"a ping in fragments":       {[]ws.Frame{ws.MaskFrame(ws.NewFrame(ws.OpPing, false, nil))}, 1002},
		"text that is not UTF-8":    {[]ws.Frame{ws.MaskFrame(ws.NewTextFrame([]byte{0xff}))}, 1007},
		"a message over 16 MiB": {[]ws.Frame{ws.MaskFrame(ws.NewFrame(ws.OpText, false, make([]byte, skipLimit))),
			ws.MaskFrame(ws.NewFrame(ws.OpContinuation, true, make([]byte, most+1)))}, 1009},
	} {
		t.Run(name, func(t *testing.T) {
			conn, _, closed := dial(t)
			go func() {
				for _, f := range test.frames {
					_ = ws.WriteFrame(conn, f)
				}
			}()
			f := next(t, conn)
			if code, _ := ws.ParseCloseFrameData(f.Payload); f.Header.OpCode != ws.OpClose || code != test.want {
				t.Errorf("answered with %v %v", f.Header.OpCode, code)
			}
			_ = conn.Close()
			<-closed
		})
	}
}

// TestAFragmentWhoseLengthOverflowsIsRefused announces, after a fragment, one whose length makes the length of the message overflow. Its payload
// would be kept without a bound.
func TestAFragmentWhoseLengthOverflowsIsRefused(t *testing.T) {
	conn, _, closed := dial(t)
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	send(t, conn, ws.NewFrame(ws.OpText, false, []byte("a")))
	if err := ws.WriteHeader(conn, ws.Header{Fin: true, OpCode: ws.OpContinuation, Masked: true, Length: math.MaxInt64}); err != nil {
		t.Fatal(err)
	}
	f := next(t, conn)
	if code, _ := ws.ParseCloseFrameData(f.Payload); f.Header.OpCode != ws.OpClose || code != StatusTooBig {
		t.Errorf("answered with %v %v", f.Header.OpCode, code)
	}
	_ = conn.Close()
	<-closed
}

func TestTheServerEndsTheConnectionAfterTheCloseFrames(t *testing.T) {
	t.Run("the client closes", func(t *testing.T) {
		conn, _, closed := dial(t)
		send(t, conn, ws.NewCloseFrame(ws.NewCloseFrameBody(1000, "done")))
		if f := next(t, conn); f.Header.OpCode != ws.OpClose {
			t.Errorf("answered with %+v", f)
		}
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("then it reads %v", err)
		}
		<-closed
	})
	t.Run("the server closes", func(t *testing.T) {
		conn, server, closed := dial(t)
		go server.CloseAll(StatusGoingAway, "bye", 0)
		f := next(t, conn)
		if code, reason := ws.ParseCloseFrameData(f.Payload); code != 1001 || reason != "bye" {
			t.Errorf("closed with %d %s", code, reason)
		}
		send(t, conn, ws.NewCloseFrame(ws.NewCloseFrameBody(1001, "")))
		<-closed
	})
}

func TestAConnectionThatIsAcceptedAfterAllWereClosedIsClosed(t *testing.T) {
	server, closed := NewServer(t.Context()), make(chan struct{})
	server.CloseAll(StatusGoingAway, "bye", 0)
	conn := dialServer(t, server, closed)
	f := next(t, conn)
	if code, reason := ws.ParseCloseFrameData(f.Payload); code != 1001 || reason != "bye" {
		t.Errorf("closed with %d %s", code, reason)
	}
	send(t, conn, ws.NewCloseFrame(ws.NewCloseFrameBody(1001, "")))
	<-closed
}

// TestAConnectionThatIsAcceptedWhileTheServerWaitsIsRefused accepts a connection when the last one of those for which [Server.Wait] waits has ended.
func TestAConnectionThatIsAcceptedWhileTheServerWaitsIsRefused(t *testing.T) {
	server, last := NewServer(t.Context()), make(chan struct{})
	server.running.Go(t.Context(), func() { <-last })
	waited := make(chan struct{})
	go func() { server.Wait(); close(waited) }()
	for waits := false; !waits; time.Sleep(time.Millisecond) {
		server.mu.Lock()
		waits = server.ended
		server.mu.Unlock()
	}
	close(last)
	answer := httptest.NewRecorder()
	err := server.Accept(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), most, new(limit.Bytes), func(*Conn) Peer { return nil })
	if !errors.Is(err, errEnded) || answer.Code != http.StatusServiceUnavailable {
		t.Errorf("it was answered with %d, %v", answer.Code, err)
	}
	<-waited
}

func TestAConnectionThatAnswersNoPingIsEnded(t *testing.T) {
	conn, server, closed := dial(t)
	// The handshake is answered before the server adds the connection to those that it pings.
	for server.Len() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range missedPongs {
		for range beatSlots {
			server.beat()
		}
		if f := next(t, conn); f.Header.OpCode != ws.OpPing {
			t.Errorf("it got %+v", f)
		}
	}
	for range beatSlots {
		server.beat()
	}
	<-closed
}

func TestAPeerThatDoesNotReadIsEnded(t *testing.T) {
	conn, _, closed := dial(t)
	message := ws.MaskFrame(ws.NewTextFrame(make([]byte, most)))
	go func() {
		for ws.WriteFrame(conn, message) == nil {
			// The client does not read the echoed messages.
			runtime.Gosched()
		}
	}()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("it is still connected")
	}
}

// FuzzFrames checks that the server ends the connection on any input, and that memory does not grow with the announced
// lengths.
func FuzzFrames(f *testing.F) {
	var text, long bytes.Buffer
	_ = ws.WriteFrame(&text, ws.MaskFrame(ws.NewTextFrame([]byte(`{"id":1}`))))
	_ = ws.WriteHeader(&long, ws.Header{Fin: true, OpCode: ws.OpText, Masked: true, Length: 1 << 40})
	f.Add(text.Bytes())
	f.Add(long.Bytes())
	f.Add([]byte{0x88, 0x80, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, input []byte) {
		conn, _, closed := dial(t)
		_, _ = conn.Write(input)
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		select {
		case <-closed:
		case <-time.After(20 * time.Second):
			t.Fatal("the connection is still open")
		}
	})
}

func TestAPeerThatPingsAndDoesNotReadIsDisconnected(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, closed := NewServer(ctx), make(chan struct{})
	ours, theirs := net.Pipe()
	c := &Conn{server: server, net: ours}
	server.running.Go(ctx, func() { c.serve(most, &echo{c, closed}) }, func(error) { c.abort() })
	ping := ws.MustCompileFrame(ws.MaskFrame(ws.NewPingFrame(make([]byte, ws.MaxControlFramePayloadSize))))
	_ = theirs.SetWriteDeadline(time.Now().Add(30 * time.Second))
	for range 2 * queueBytes / len(ping) {
		if _, err := theirs.Write(ping); err != nil {
			t.Fatal(err)
		}
	}
	c.mu.Lock()
	queued, closing := c.queued, c.closing
	c.mu.Unlock()
	if queued > queueBytes+len(ping) || !closing {
		t.Errorf("%d bytes are queued for it, more than %d; closing: %t", queued, queueBytes, closing)
	}
	_ = theirs.Close()
	server.Wait()
}

func TestAMessageWithoutMemoryIsAnsweredAndTheConnectionStays(t *testing.T) {
	memory := limit.NewMemory(200_000)
	server, closed := NewServer(t.Context()), make(chan struct{})
	conn := dialMemory(t, server, memory, closed)
	for range 2 {
		send(t, conn, ws.NewTextFrame([]byte("0123456789"+strings.Repeat("a", most-10))))
		if f := next(t, conn); string(f.Payload) != "busy: 0123456789" {
			t.Errorf("%d bytes were answered with %.20q", most, f.Payload)
		}
		send(t, conn, ws.NewTextFrame([]byte("small")))
		if f := next(t, conn); string(f.Payload) != "small" {
			t.Errorf("then %.20q came back", f.Payload)
		}
	}
	_ = conn.Close()
	<-closed
	if used := memory.Used(); used != 0 {
		t.Errorf("%d bytes are held for a connection that has ended", used)
	}
}

// A neighbour takes all memory of the network. A connection that is idle stays, answers pings and small requests, and is closed properly.
func TestAnIdleConnectionStaysWithoutMemory(t *testing.T) {
	memory := limit.NewMemory(1000)
	neighbour := memory.Hold(limit.Caller{})
	for neighbour.Grow(1) == nil {
	}
	taken := memory.Used()
	server, closed := NewServer(t.Context()), make(chan struct{})
	conn := dialMemory(t, server, memory, closed)
	for server.Len() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		for range beatSlots {
			server.beat()
		}
		if f := next(t, conn); f.Header.OpCode != ws.OpPing {
			t.Fatalf("it got %+v", f)
		}
		send(t, conn, ws.NewPongFrame(nil), ws.NewPingFrame([]byte("ping")))
		if f := next(t, conn); f.Header.OpCode != ws.OpPong || string(f.Payload) != "ping" {
			t.Fatalf("its ping was answered with %+v", f)
		}
		send(t, conn, ws.NewTextFrame([]byte("0123456789")))
		if f := next(t, conn); string(f.Payload) != "busy: 0123456789" {
			t.Fatalf("its message was answered with %+v", f)
		}
	}
	send(t, conn, ws.NewCloseFrame(nil))
	if f := next(t, conn); f.Header.OpCode != ws.OpClose {
		t.Errorf("its close frame was answered with %+v", f)
	}
	_ = conn.Close()
	<-closed
	if used := memory.Used(); used != taken {
		t.Errorf("%d bytes are held after the connection, %d before", used, taken)
	}
}

// TestFramesThatAreBeingWrittenCount queues frames for a peer that does not read, and counts those that the kernel has not taken.
func TestFramesThatAreBeingWrittenCount(t *testing.T) {
	memory := limit.NewMemory(4 << 20)
	server, closed := NewServer(t.Context()), make(chan struct{})
	ours, theirs := net.Pipe()
	c := &Conn{server: server, net: ours, held: memory.Hold(limit.CallerOf("p", "192.0.2.1"))}
	server.running.Go(t.Context(), func() { c.serve(most, &echo{c, closed}) }, func(error) { c.abort() })
	body := make([]byte, 1<<20)
	c.Send(body)
	if _, err := theirs.Read(make([]byte, 1)); err != nil { // the frame is being written
		t.Fatal(err)
	}
	if used := memory.Used(); used < 1<<20 {
		t.Errorf("%d bytes are held while a frame of 1 MiB is written", used)
	}
	c.Send(body)
	c.mu.Lock()
	closing, queued := c.closing, c.queued
	c.mu.Unlock()
	if !closing || queued > 1<<20+200 {
		t.Errorf("half of the memory was exceeded: closing %t, %d bytes are queued", closing, queued)
	}
	_ = theirs.Close()
	<-closed
	server.Wait()
	if used := memory.Used(); used != 0 {
		t.Errorf("%d bytes are held for a connection that has ended", used)
	}
}

// timed records how often the deadline of reading is set.
type timed struct {
	net.Conn
	set int
}

func (c *timed) SetReadDeadline(until time.Time) error {
	c.set++
	return c.Conn.SetReadDeadline(until)
}

// A connection that was closed has closeTimeout, whatever the peer sends meanwhile.
func TestAPeerDoesNotProlongAConnectionThatIsClosing(t *testing.T) {
	server, client := net.Pipe()
	defer func() { _ = client.Close() }()
	conn := &timed{Conn: server}
	c := &Conn{net: conn, closing: true}
	go func() { _, _ = client.Write([]byte{0x81, 0x82, 0, 0, 0, 0, '{', '}'}) }()
	if !c.receive(most, &echo{conn: c}) || conn.set != 0 {
		t.Errorf("the deadline was set %d times", conn.set)
	}
}

// A process with few connections does not take the whole period to stop.
func TestFewConnectionsAreClosedSoonerThanMany(t *testing.T) {
	server, all := NewServer(t.Context()), make(chan struct{}, 1)
	conns := []net.Conn{dialServer(t, server, make(chan struct{})), dialServer(t, server, make(chan struct{}))}
	go func() { server.CloseAll(StatusGoingAway, "bye", time.Hour); all <- struct{}{} }()
	for _, conn := range conns {
		if code, _ := ws.ParseCloseFrameData(next(t, conn).Payload); code != StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
		send(t, conn, ws.NewCloseFrame(ws.NewCloseFrameBody(1001, "")))
	}
	<-all
}
