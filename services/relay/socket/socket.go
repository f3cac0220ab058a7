// Package socket serves WebSocket connections (RFC 6455) that are idle most of the time: an idle one has one goroutine, no buffer and no timer.
package socket

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// writeTimeout bounds the writing of queued frames.
	writeTimeout = 15 * time.Second
	// closeTimeout bounds the wait for the peer's close frame, and for its TCP connection to end.
	closeTimeout = 5 * time.Second
	// missedPongs is how many pings in a row a peer may not answer.
	missedPongs = 2
	// queueBytes bounds the frames that are queued for one peer.
	queueBytes = 8 << 20
)

// Status is the code of a close frame.
type Status = ws.StatusCode

// The codes with which the relay closes connections.
const (
	// StatusGoingAway is for a process that stops. Clients connect again.
	StatusGoingAway Status = 1001
	// StatusProtocolError, StatusInvalidData and StatusTooBig are codes of RFC 6455.
	StatusProtocolError Status = 1002
	StatusInvalidData   Status = 1007
	StatusTooBig        Status = 1009
	// StatusInternal is for a failure of the relay.
	StatusInternal Status = 1011
	// StatusTryAgain is for a relay that cannot authorize clients at the moment.
	StatusTryAgain Status = 1013
	// StatusRefused is final: clients do not reconnect.
	StatusRefused Status = 3000
	// StatusBehind is for a client that reads too slowly. It reconnects and receives what it missed.
	StatusBehind Status = 4010
)

// Server holds the state that connections share. The zero value is not usable: see [NewServer].
type Server struct {
	ctx     context.Context
	running routine.WaitGroup
	// mu guards ended, which says that Wait was called: a connection must not be counted while Wait returns.
	mu    sync.Mutex
	ended bool
	// large bounds how many large messages are received concurrently.
	large chan struct{}
	beats heartbeat
}

// NewServer returns a server whose connections end with ctx at the latest.
func NewServer(ctx context.Context) *Server {
	return &Server{ctx: ctx, large: make(chan struct{}, largeAtOnce)}
}

// Wait returns when every connection has ended. No connection is accepted afterwards.
func (s *Server) Wait() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.running.Wait()
}

// enter counts a connection that is being accepted, and reports false after Wait was called.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.running.Add(1)
	}
	return !s.ended
}

// Len returns how many connections are open.
func (s *Server) Len() int { return s.beats.len() }

// keyBytes is the length of the key of a handshake (RFC 6455, section 4.1).
const keyBytes = 16

// errKey is the error of a handshake without a valid key.
var errKey = errors.New("Sec-WebSocket-Key is not 16 bytes in base 64")

// errEnded is the error of a connection that is not accepted any more.
var errEnded = errors.New("the server is going down")

// Conn is a connection. Its methods are safe for concurrent use.
type Conn struct {
	server *Server
	net    net.Conn
	// missed counts pings since the last frame from the peer.
	missed atomic.Int32

	mu sync.Mutex
	// queue holds frames to write; writing says that a goroutine writes them.
	queue   net.Buffers
	queued  int
	writing bool
	// closing says that a close frame is queued: nothing follows it. peerClosed says that the peer sent one.
	closing, peerClosed bool
}

// Peer handles the messages of a connection.
type Peer interface {
	// Receive handles a text message. It is called by one goroutine; message is only valid during the call.
	Receive(message []byte)
	// ReceiveTooLarge handles a message over the limit, of which only the start was kept.
	ReceiveTooLarge(prefix []byte)
	// Closed is called once, after the last call of the others.
	Closed()
}

// Accept upgrades a request and serves the connection in a new goroutine. open returns its peer, which may send at
// once; limit bounds a message, in bytes. If Accept returns an error, it has already responded.
func (s *Server) Accept(w http.ResponseWriter, r *http.Request, limit int64, open func(*Conn) Peer) error {
	// Counted before the client learns that it is connected, so that Wait does not miss it.
	if !s.enter() {
		http.Error(w, errEnded.Error(), http.StatusServiceUnavailable)
		return errEnded
	}
	defer s.running.Done()
	if key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key")); err != nil || len(key) != keyBytes {
		http.Error(w, errKey.Error(), http.StatusBadRequest)
		return errKey
	}
	conn, buffered, _, err := ws.HTTPUpgrader{Timeout: writeTimeout}.Upgrade(r, w)
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		}
		return err
	}
	if buffered.Reader.Buffered() > 0 {
		// A client waits for the handshake before it sends anything.
		_ = conn.Close()
		return ws.ErrMalformedRequest
	}
	c := &Conn{server: s, net: conn}
	s.beats.add(c)
	s.running.Go(s.ctx, func() { c.serve(limit, open(c)) }, func(error) { c.abort() })
	return nil
}

// serve receives messages until the connection ends.
func (c *Conn) serve(limit int64, peer Peer) {
	defer func() {
		c.abort()
		c.server.beats.remove(c)
		peer.Closed()
	}()
	for c.receive(limit, peer) {
	}
}

// Send queues a text message. A peer that is too far behind is disconnected.
func (c *Conn) Send(message []byte) { c.enqueue(ws.OpText, message) }

// Close sends a close frame after the queued frames, and ends the connection once the peer has answered.
func (c *Conn) Close(status Status, reason string) {
	c.enqueue(ws.OpClose, ws.NewCloseFrameBody(status, reason))
}

// enqueue queues a frame and starts writing.
func (c *Conn) enqueue(op ws.OpCode, payload []byte) {
	frame := appendFrame(op, payload)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	if c.queued+len(frame) > queueBytes && op != ws.OpClose {
		op, frame = ws.OpClose, appendFrame(ws.OpClose, ws.NewCloseFrameBody(StatusBehind, "messages are read too slowly"))
	}
	if op == ws.OpClose {
		c.closing = true
	}
	c.queue = append(c.queue, frame)
	c.queued += len(frame)
	if !c.writing {
		c.writing = true
		c.server.running.Go(c.server.ctx, c.write, func(error) { c.abort() })
	}
}

// write writes the queued frames.
func (c *Conn) write() {
	for {
		c.mu.Lock()
		frames, closing, done := c.queue, c.closing, c.closing && c.peerClosed
		c.queue, c.queued = nil, 0
		if len(frames) == 0 {
			c.writing = false
		}
		c.mu.Unlock()
		if len(frames) == 0 {
			switch {
			case done:
				_ = c.net.Close()
			case closing:
				_ = c.net.SetReadDeadline(time.Now().Add(closeTimeout))
			}
			return
		}
		_ = c.net.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := frames.WriteTo(c.net); err != nil {
			c.abort()
			return
		}
	}
}

// abort ends the connection without a close frame.
func (c *Conn) abort() {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	_ = c.net.Close()
}

// appendFrame returns a frame in the form that servers send.
func appendFrame(op ws.OpCode, payload []byte) []byte {
	frame := make([]byte, 0, 10+len(payload))
	frame = append(frame, 0x80|byte(op))
	switch n := len(payload); {
	case n < 126:
		frame = append(frame, byte(n))
	case n < 1<<16:
		frame = append(frame, 126, byte(n>>8), byte(n))
	default:
		frame = append(frame, 127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(frame, payload...)
}
