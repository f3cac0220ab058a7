package socket

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// RelayPath is the path of the wallet-connect relay.
	RelayPath = "/v1/relay"
	// relayHold is how long a connection waits for the relay to answer. Clients give up after 15 seconds.
	relayHold = 13 * time.Second
	// relayRetry is the pause between attempts to reach the relay, and relayDial the time of one attempt.
	relayRetry = 200 * time.Millisecond
	relayDial  = 3 * time.Second
	// relayDrain is the time over which connections are ended when the process stops, so that clients do not all connect to the other replicas at once.
	relayDrain = 8 * time.Second
	// relayWrite is how long one side may take to receive what was read from the other: longer than the relay waits for its clients.
	relayWrite = 20 * time.Second
	// relayBuffer is the size of the buffer of one direction of a connection that is copied.
	relayBuffer = 4 << 10
	// relayHead bounds the head of the relay's answer, in bytes.
	relayHead = 16 << 10
	// relayBytes is about what a connection holds for its buffers and goroutines.
	relayBytes = 20 << 10
)

var (
	// relayConnections is the quota of connections that are copied: as many as a relay has by default.
	relayConnections = limit.Share{Name: "relay connections", Each: 2000, Total: 16_000}
	// relayWaiting is the quota of those that wait for the relay.
	relayWaiting = limit.Share{Name: "connections that wait for the relay", Each: 100, Total: 1000}
)

// errRelayWaiting means that as many connections wait for the relay as may.
var errRelayWaiting = errors.New("too many connections wait for the relay")

// RelayProxy forwards WebSocket connections to the relay of another process. While no replica answers, a connection waits up to relayHold,
// because clients answer a refusal with more connections.
type RelayProxy struct {
	addresses []string
	// tls is the configuration of connections to the replicas; nil for connections without TLS.
	tls   *tls.Config
	guard *access.Guard
	// stopping is done when the process begins to shut down, and drain the time over which connections are ended then.
	stopping context.Context
	drain    time.Duration
	// running and connections count the connections to a relay.
	running     routine.WaitGroup
	connections atomic.Int64
	// local counts connections, which are memory of this process. An IPv6 caller counts as three.
	local *limit.Local

	mu sync.Mutex
	// answers is closed once a replica answers again; nil unless one is being waited for.
	answers chan struct{}
}

// NewRelayProxy forwards to the replicas at addresses: host:port of each, with commas between them. With a configuration of TLS they are called by TLS.
func NewRelayProxy(stopping context.Context, g *access.Guard, addresses string, by *tls.Config) *RelayProxy {
	return &RelayProxy{addresses: strings.Split(addresses, ","), tls: by, guard: g, stopping: stopping, drain: relayDrain, local: limit.NewLocal(clock.System{}, 3*relayConnections.Total)}
}

// hold takes what a connection holds of this process.
func (p *RelayProxy) hold(r *http.Request) (release func(), refused *fault.Error) {
	who := p.guard.Caller(r, "")
	leave, ok := p.local.Hold(r.Context(), who, relayConnections, 1)
	if !ok {
		f := fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "Too many connections at once. Try again later")
		f.RetryAfter = relayDial
		return nil, f
	}
	bytes := p.guard.Memory.Hold(who)
	// The head is kept as long as the connection, and a copy of it until the relay has answered.
	if err := bytes.Grow(relayBytes + 2*access.HeadBytes(r)); err != nil {
		leave()
		return nil, access.BytesFault(err)
	}
	return func() { bytes.Close(); leave() }, nil
}

// ServeHTTP forwards one connection.
func (p *RelayProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isUpgrade(r) {
		upgradeRequired(w, r)
		return
	}
	release, refused := p.hold(r)
	if refused != nil {
		access.WriteFault(w, r, refused)
		return
	}
	defer release()
	request, err := p.requestOf(r)
	if err != nil {
		access.WriteFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "", "The request cannot be passed on to the relay").Because(err))
		return
	}
	up, head, err := p.open(r, request)
	if err != nil {
		f := fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The relay does not answer")
		f.RetryAfter = relayDial
		access.WriteFault(w, r, f)
		return
	}
	defer func() { _ = up.Close() }()
	p.running.Add(1)
	p.connections.Add(1)
	defer p.running.Done()
	defer p.connections.Add(-1)
	defer context.AfterFunc(p.stopping, func() { p.endLater(r.Context(), up) })()
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 101 ")) {
		refuse(w, r, io.MultiReader(bytes.NewReader(head), up))
		return
	}
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "This connection cannot be upgraded", http.StatusInternalServerError)
		return
	}
	defer func() { _ = down.Close() }()
	_ = down.SetDeadline(time.Time{})
	_ = up.SetDeadline(time.Time{})
	if _, err := down.Write(head); err != nil || buffered.Reader.Buffered() > 0 {
		return
	}
	splice(r.Context(), down, up)
}

// endsPerSecond is how fast connections are ended if they are few.
const endsPerSecond = 500

// endPeriod is the time over which connections are ended.
func (p *RelayProxy) endPeriod() time.Duration {
	return min(p.drain, time.Duration(p.connections.Load())*time.Second/endsPerSecond)
}

// endLater ends a connection at a random time of those over which all are ended, or when ctx ends, which is that of the connection's request.
func (p *RelayProxy) endLater(ctx context.Context, conn io.Closer) {
	due := time.NewTimer(rand.N(1 + p.endPeriod()))
	defer due.Stop()
	select {
	case <-ctx.Done():
	case <-due.C:
	}
	_ = conn.Close()
}

// Wait returns when every connection has ended, after the process began to shut down and its server took no more of them.
func (p *RelayProxy) Wait() { p.running.Wait() }

// refuse answers with what the relay answered instead of an upgrade.
func refuse(w http.ResponseWriter, r *http.Request, from io.Reader) {
	res, err := http.ReadResponse(bufio.NewReader(from), r)
	if err != nil {
		access.WriteFault(w, r, fault.Internal(err))
		return
	}
	defer res.Body.Close()
	for _, name := range []string{"Content-Type", "Retry-After"} {
		if value := res.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, io.LimitReader(res.Body, relayHead))
}

// splice copies in both directions until one of them ends.
func splice(ctx context.Context, down, up net.Conn) {
	upEnded := routine.Go(ctx, func() error {
		defer func() { _ = down.Close() }()
		return copyBuffered(down, up)
	})
	_ = copyBuffered(up, down)
	_ = up.Close()
	<-upEnded
}

// copyBuffered is io.Copy with a small buffer. Neither side may splice by itself, which would hold a pipe for each idle connection.
func copyBuffered(to net.Conn, from io.Reader) error {
	_, err := io.CopyBuffer(boundedWriter{to}, struct{ io.Reader }{from}, make([]byte, relayBuffer))
	return err
}

// boundedWriter bounds each write to a connection by relayWrite. Without that, a client that does not read would keep a connection that the relay has closed.
type boundedWriter struct{ conn net.Conn }

func (w boundedWriter) Write(p []byte) (int, error) {
	if err := w.conn.SetWriteDeadline(time.Now().Add(relayWrite)); err != nil {
		return 0, err
	}
	return w.conn.Write(p)
}

// requestOf returns the request that the relay is sent for one. It is written before a replica is called: one that cannot be written must not look like a
// relay that is down.
func (p *RelayProxy) requestOf(r *http.Request) ([]byte, error) {
	out := r.Clone(r.Context())
	// What came as a body is not sent.
	out.Body, out.ContentLength, out.TransferEncoding, out.Trailer = nil, 0, nil, nil
	out.Header.Set("X-Forwarded-For", p.guard.Address(r))
	var request bytes.Buffer
	err := out.Write(&request)
	return request.Bytes(), err
}

// open sends the request to a replica, and returns the connection and the head of the answer.
func (p *RelayProxy) open(r *http.Request, request []byte) (net.Conn, []byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), relayHold)
	defer cancel()
	if !p.isDown() {
		if conn, head, err := p.tryAll(ctx, request); err == nil {
			return conn, head, nil
		}
	}
	// A client that left says nothing about the relay.
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	leave, ok := p.local.Hold(ctx, p.guard.Caller(r, ""), relayWaiting, 1)
	if !ok {
		return nil, nil, errRelayWaiting
	}
	defer leave()
	for {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-p.awaitAnswer():
		}
		if conn, head, err := p.tryAll(ctx, request); err == nil {
			return conn, head, nil
		}
	}
}

// isDown reports whether connections wait for a replica to answer.
func (p *RelayProxy) isDown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers != nil
}

// awaitAnswer returns a channel that is closed once a replica answers, for all that wait.
func (p *RelayProxy) awaitAnswer() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answers == nil {
		answers := make(chan struct{})
		p.answers = answers
		routine.Go(p.stopping, func() error {
			p.probe(p.stopping)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.answers = nil
			close(answers)
			return nil
		})
	}
	return p.answers
}

// probe asks the replicas again and again, and returns when one answers, after relayHold, or when ctx ends.
func (p *RelayProxy) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, relayHold)
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(relayRetry):
		}
		for _, address := range p.addresses {
			if p.doesAnswer(ctx, address) {
				return
			}
		}
	}
}

// connect opens a connection to a replica.
func (p *RelayProxy) connect(ctx context.Context, address string) (net.Conn, error) {
	if p.tls != nil {
		return (&tls.Dialer{Config: p.tls}).DialContext(ctx, "tcp", address)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", address)
}

// doesAnswer reports whether a replica answers a request, whatever the answer is.
func (p *RelayProxy) doesAnswer(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, relayDial)
	defer cancel()
	conn, err := p.connect(ctx, address)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(relayDial))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/health", http.NoBody)
	if err != nil || req.Write(conn) != nil {
		return false
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return true
}

// tryAll sends the request to one replica after the other, until one answers.
func (p *RelayProxy) tryAll(ctx context.Context, request []byte) (conn net.Conn, head []byte, err error) {
	for _, i := range rand.Perm(len(p.addresses)) {
		if conn, head, err = p.try(ctx, p.addresses[i], request); err == nil {
			return conn, head, nil
		}
	}
	return nil, nil, err
}

// try sends the request to one replica.
func (p *RelayProxy) try(ctx context.Context, address string, request []byte) (net.Conn, []byte, error) {
	dial, cancel := context.WithTimeout(ctx, relayDial)
	defer cancel()
	conn, err := p.connect(dial, address)
	if err != nil {
		return nil, nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	head, err := handshake(conn, request)
	if !stop() || err != nil {
		_ = conn.Close()
		return nil, nil, errors.Join(err, ctx.Err())
	}
	return conn, head, nil
}

// handshake writes the request and reads the head of the answer, byte by byte, so that nothing of what follows is read.
func handshake(conn net.Conn, request []byte) ([]byte, error) {
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	var head []byte
	for one := make([]byte, 1); len(head) < relayHead; {
		if _, err := io.ReadFull(conn, one); err != nil {
			return nil, err
		}
		head = append(head, one[0])
		if bytes.HasSuffix(head, []byte("\r\n\r\n")) {
			return head, nil
		}
	}
	return nil, errors.New("the head of the relay's answer is too long")
}
