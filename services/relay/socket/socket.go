// Package socket serves WebSocket connections (RFC 6455) that are idle most of the time: an idle one has one goroutine, no buffer and no timer.
package socket

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// writeTimeout is the time in which a peer must read progressBytes of what is being written, or all of it.
	writeTimeout  = 10 * time.Second
	progressBytes = 64 << 10
	// closeTimeout bounds the wait for the peer's close frame, and for its TCP connection to end.
	closeTimeout = 5 * time.Second
	// missedPongs is how many pings in a row a peer may not answer.
	missedPongs = 2
	// queueBytes bounds the frames that are queued for one peer, with those that are being written. The latter are about
	// batchBytes, or one frame.
	queueBytes = 8 << 20
	batchBytes = 256 << 10
	// Frames of smallFrame bytes at most are not taken from the memory of the process, as long as those that wait together have smallBytes at most.
	smallFrame = 2 + ws.MaxControlFramePayloadSize
	smallBytes = 512
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
	beats heartbeat
}

// NewServer returns a server whose connections end with ctx at the latest.
func NewServer(ctx context.Context) *Server {
	return &Server{ctx: ctx}
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
	// held is what the frames that are queued and being written, and the message that is being received, take of the memory of the process.
	held *limit.Bytes
	// missed counts pings since the last frame from the peer.
	missed atomic.Int32

	mu sync.Mutex
	// queue holds frames to write; writing says that a goroutine writes them. queued is the size of both, in bytes, and uncounted the part that is not
	// taken from held: a neighbour that takes all memory must not end connections that are idle.
	queue     []frame
	queued    int
	uncounted int
	writing   bool
	// closing says that a close frame is queued: nothing follows it. peerClosed says that the peer sent one.
	closing, peerClosed bool
}

// frame is a frame in the form that servers send. Several connections may have the same bytes.
type frame struct {
	parts net.Buffers
	size  int
	// sent is called after the frame was written; it may be nil.
	sent func()
}

// Peer handles the messages of a connection.
type Peer interface {
	// Receive handles a text message. It is called by one goroutine; message is only valid during the call.
	Receive(message []byte)
	// ReceiveTooLarge handles a message over the limit, of which only the start was kept.
	ReceiveTooLarge(prefix []byte)
	// ReceiveBusy handles a message for which the process had no memory, of which only the start was kept.
	ReceiveBusy(prefix []byte)
	// Closed is called once, after the last call of the others.
	Closed()
}

// Accept upgrades a request and serves the connection in a new goroutine. open returns its peer, which may send at
// once; most bounds a message, in bytes. What the connection keeps in memory is taken from held. If Accept returns an error, it
// has already responded.
func (s *Server) Accept(w http.ResponseWriter, r *http.Request, most int64, held *limit.Bytes, open func(*Conn) Peer) error {
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
	c := &Conn{server: s, net: conn, held: held}
	s.beats.add(c)
	s.running.Go(s.ctx, func() { c.serve(most, open(c)) }, func(error) { c.abort() })
	return nil
}

// serve receives messages until the connection ends.
func (c *Conn) serve(most int64, peer Peer) {
	defer func() {
		c.abort()
		c.server.beats.remove(c)
		c.held.Release()
		peer.Closed()
	}()
	for c.receive(most, peer) {
	}
}

// Send queues a text message of one part or several, which must not change afterwards. A peer that is too far behind is
// disconnected.
func (c *Conn) Send(parts ...[]byte) { c.enqueue(ws.OpText, nil, parts...) }

// SendThen queues a text message, and calls sent once it was written to the connection.
func (c *Conn) SendThen(sent func(), message []byte) { c.enqueue(ws.OpText, sent, message) }

// Close sends a close frame after the queued frames, and ends the connection once the peer has answered.
func (c *Conn) Close(status Status, reason string) {
	c.enqueue(ws.OpClose, nil, ws.NewCloseFrameBody(status, reason))
}

// enqueue queues a frame and starts writing.
func (c *Conn) enqueue(op ws.OpCode, sent func(), payload ...[]byte) {
	f := newFrame(op, payload)
	f.sent = sent
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	switch fits := c.queued+f.size <= queueBytes; {
	// Pings are not many: a peer that does not answer them is ended.
	case op == ws.OpClose, op == ws.OpPing, f.size <= smallFrame && c.uncounted+f.size <= smallBytes:
		c.uncounted += f.size
	case fits && c.held.Grow(int64(f.size)) == nil:
	case fits && c.queued > 0:
		// There is no memory. The frames that are being written would be held until the peer's time to read them has passed.
		c.end()
		return
	default:
		c.dropQueue()
		op, f = ws.OpClose, newFrame(ws.OpClose, [][]byte{ws.NewCloseFrameBody(StatusBehind, "messages are read too slowly")})
		c.uncounted += f.size
	}
	if op == ws.OpClose {
		c.closing = true
	}
	c.queue = append(c.queue, f)
	c.queued += f.size
	if !c.writing {
		c.writing = true
		c.server.running.Go(c.server.ctx, c.write, func(error) { c.abort() })
	}
}

// write writes the queued frames.
func (c *Conn) write() {
	for {
		frames, closing, done := c.next()
		if len(frames) == 0 {
			switch {
			case done:
				_ = c.net.Close()
			case closing:
				_ = c.net.SetReadDeadline(time.Now().Add(closeTimeout))
			}
			return
		}
		var all net.Buffers
		for _, f := range frames {
			all = append(all, f.parts...)
		}
		if err := c.writeAll(all); err != nil {
			c.abort()
			return
		}
		for _, f := range frames {
			if f.sent != nil {
				f.sent()
			}
		}
	}
}

// next takes frames from the queue, of about batchBytes together. If there are none, it ends writing: closing says that a close frame was written, done
// that both sides have sent one.
func (c *Conn) next() (frames []frame, closing, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for size := 0; n < len(c.queue) && size < batchBytes; n++ {
		size += c.queue[n].size
	}
	frames, c.queue = c.queue[:n:n], c.queue[n:]
	if n == 0 {
		c.writing = false
	}
	return frames, c.closing, c.closing && c.peerClosed
}

// writeAll writes frames, as long as the peer reads at least progressBytes within writeTimeout.
func (c *Conn) writeAll(frames net.Buffers) error {
	for len(frames) > 0 {
		_ = c.net.SetWriteDeadline(time.Now().Add(writeTimeout))
		n, err := frames.WriteTo(c.net)
		c.mu.Lock()
		c.dequeue(int(n))
		c.mu.Unlock()
		if err != nil && (n < progressBytes || !errors.Is(err, os.ErrDeadlineExceeded)) {
			return err
		}
	}
	return nil
}

// abort ends the connection without a close frame.
func (c *Conn) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

// end gives up the queued frames and ends the connection. The caller holds mu.
func (c *Conn) end() {
	c.dropQueue()
	c.closing = true
	_ = c.net.Close()
}

// dropQueue gives up the frames that are not being written. The caller holds mu.
func (c *Conn) dropQueue() {
	for _, f := range c.queue {
		c.dequeue(f.size)
	}
	c.queue = nil
}

// dequeue subtracts n bytes that were written or given up. Those that are not taken from held count as the last of the queue. The caller holds mu.
func (c *Conn) dequeue(n int) {
	c.queued -= n
	uncounted := min(c.uncounted, c.queued)
	c.held.Shrink(int64(n - (c.uncounted - uncounted)))
	c.uncounted = uncounted
}

// newFrame returns a frame in the form that servers send. Its bytes are those of payload.
func newFrame(op ws.OpCode, payload [][]byte) frame {
	n := 0
	for _, part := range payload {
		n += len(part)
	}
	head := make([]byte, 0, 10)
	head = append(head, 0x80|byte(op))
	switch {
	case n < 126:
		head = append(head, byte(n))
	case n < 1<<16:
		head = append(head, 126, byte(n>>8), byte(n))
	default:
		head = append(head, 127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return frame{parts: append(net.Buffers{head}, payload...), size: len(head) + n}
}
