package socket

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

const (
	// messageTimeout bounds the time to receive a message, from its first byte.
	messageTimeout = 30 * time.Second
	// largeMessage is the size from which a message counts as large; at most largeAtOnce large messages are received
	// concurrently.
	largeMessage = 64 << 10
	largeAtOnce  = 64
	// prefixBytes is how much of a message over the limit is kept.
	prefixBytes = 256
	// skipLimit bounds how much of a message over the limit is read; beyond it the connection is closed.
	skipLimit = 16 << 20
)

// buffers are reused for messages up to largeMessage.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// message is a message that is being received, in one frame or several.
type message struct {
	body *bytes.Buffer
	// size counts the received bytes, including those beyond the limit.
	size int64
	// large is released when the message has been handled.
	large bool
	text  bool
}

// receive receives and handles the next message, and reports whether the connection stays open.
func (c *Conn) receive(limit int64, peer Peer) bool {
	var m message
	defer func() { c.release(&m) }()
	for first := true; ; {
		header, err := ws.ReadHeader(c.net)
		if err != nil {
			return false
		}
		c.missed.Store(0)
		if header.OpCode.IsControl() {
			if !c.control(header) {
				return false
			}
			continue
		}
		if !validFrame(header, first) {
			c.Close(StatusProtocolError, "malformed frame")
			return c.drain()
		}
		if first {
			_ = c.net.SetReadDeadline(time.Now().Add(messageTimeout))
			m = message{body: buffers.Get().(*bytes.Buffer), text: header.OpCode == ws.OpText}
			first = false
		}
		// The announced length may be any positive number, so it is not added to the size.
		if header.Length > limit+skipLimit-m.size {
			c.Close(StatusTooBig, "message too large")
			return c.drain()
		}
		if err := c.readFrame(&m, header, limit); err != nil {
			return false
		}
		if header.Fin {
			break
		}
	}
	c.endMessage()
	switch {
	case m.size > limit:
		peer.ReceiveTooLarge(m.body.Bytes())
	case m.text && !utf8.Valid(m.body.Bytes()):
		c.Close(StatusInvalidData, "text is not UTF-8")
		return c.drain()
	default:
		peer.Receive(m.body.Bytes())
	}
	return true
}

// validFrame reports whether a data frame is valid at its position.
func validFrame(h ws.Header, first bool) bool {
	return h.Masked && h.Rsv == 0 && h.Length >= 0 && (h.OpCode == ws.OpContinuation) != first &&
		(h.OpCode == ws.OpText || h.OpCode == ws.OpBinary || h.OpCode == ws.OpContinuation)
}

// endMessage removes the deadline of a message, unless the connection is closing.
func (c *Conn) endMessage() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing {
		_ = c.net.SetReadDeadline(time.Time{})
	}
}

// readFrame adds the payload of a frame to a message. Memory grows with the received bytes, not with the announced
// length.
func (c *Conn) readFrame(m *message, h ws.Header, limit int64) error {
	if !m.large && m.size+h.Length > largeMessage {
		select {
		case c.server.large <- struct{}{}:
			m.large = true
		case <-c.server.ctx.Done():
			return c.server.ctx.Err()
		}
	}
	m.size += h.Length
	keep := h.Length
	if m.size > limit {
		// Only the start is kept, for the id of the request.
		keep = max(0, min(h.Length, int64(prefixBytes-m.body.Len())))
	}
	start := m.body.Len()
	if _, err := io.CopyN(m.body, c.net, keep); err != nil {
		return err
	}
	ws.Cipher(m.body.Bytes()[start:], h.Mask, 0)
	_, err := io.CopyN(io.Discard, c.net, h.Length-keep)
	return err
}

func (c *Conn) release(m *message) {
	if m.large {
		<-c.server.large
	}
	if m.body != nil && m.body.Cap() <= largeMessage {
		m.body.Reset()
		buffers.Put(m.body)
	}
}

// control handles a ping, a pong or a close frame, and reports whether the connection stays open.
func (c *Conn) control(h ws.Header) bool {
	known := h.OpCode == ws.OpPing || h.OpCode == ws.OpPong || h.OpCode == ws.OpClose
	if !known || !h.Fin || !h.Masked || h.Rsv != 0 || h.Length > ws.MaxControlFramePayloadSize {
		c.Close(StatusProtocolError, "malformed frame")
		return c.drain()
	}
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(c.net, payload); err != nil {
		return false
	}
	ws.Cipher(payload, h.Mask, 0)
	switch h.OpCode {
	case ws.OpPing:
		c.enqueue(ws.OpPong, payload)
		return true
	case ws.OpPong:
		return true
	default:
		if status, reason := checkClose(payload); status != 0 {
			c.Close(status, reason)
			return c.drain()
		}
		c.mu.Lock()
		c.peerClosed = true
		answered := c.closing && !c.writing
		c.mu.Unlock()
		if answered {
			return false
		}
		// The answer repeats the code.
		c.enqueue(ws.OpClose, payload[:min(2, len(payload))])
		return c.drain()
	}
}

// checkClose returns the status and the reason with which the payload of a close frame is refused; 0 if it is valid (RFC 6455, section 7).
func checkClose(payload []byte) (Status, string) {
	if len(payload) == 0 {
		return 0, ""
	}
	if len(payload) == 1 {
		return StatusProtocolError, "malformed close frame"
	}
	code, reason := ws.ParseCloseFrameData(payload)
	switch err := ws.CheckCloseFrameData(code, reason); {
	case err == nil:
		return 0, ""
	case errors.Is(err, ws.ErrProtocolInvalidUTF8):
		return StatusInvalidData, "text is not UTF-8"
	default:
		return StatusProtocolError, "malformed close frame"
	}
}

// drain waits until a close frame was written and the peer has ended the connection, and returns false.
func (c *Conn) drain() bool {
	_ = c.net.SetReadDeadline(time.Now().Add(closeTimeout))
	_, _ = io.CopyN(io.Discard, c.net, skipLimit)
	return false
}
