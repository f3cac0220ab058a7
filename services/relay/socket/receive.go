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
	// readBytes is how much of a frame is read at once.
	readBytes = 32 << 10
	// copies is how many bytes are held for each byte of a message while it is handled: the message, its params, their strings, and what is stored.
	copies = 4
	// bufferBytes is the size up to which buffers are used again.
	bufferBytes = 64 << 10
	// prefixBytes is how much of a message over the limit is kept.
	prefixBytes = 256
	// skipLimit bounds how much of a message over the limit is read; beyond it the connection is closed.
	skipLimit = 16 << 20
)

// buffers are reused for messages up to bufferBytes.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// message is a message that is being received, in one frame or several.
type message struct {
	body *bytes.Buffer
	// size counts the received bytes, including those beyond the limit.
	size int64
	// held is what the message takes of the memory of the process until it has been handled; busy says that there was no more.
	held int64
	busy bool
	text bool
}

// receive receives and handles the next message, and reports whether the connection stays open.
func (c *Conn) receive(most int64, peer Peer) bool {
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
			c.deadline(time.Now().Add(messageTimeout))
			m = message{body: buffers.Get().(*bytes.Buffer), text: header.OpCode == ws.OpText}
			first = false
		}
		// The announced length may be any positive number, so it is not added to the size.
		if header.Length > most+skipLimit-m.size {
			c.Close(StatusTooBig, "message too large")
			return c.drain()
		}
		if err := c.readFrame(&m, header, most); err != nil {
			return false
		}
		if header.Fin {
			break
		}
	}
	c.deadline(time.Time{})
	switch {
	case m.size > most:
		peer.ReceiveTooLarge(m.body.Bytes())
	case m.busy:
		peer.ReceiveBusy(m.body.Bytes())
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

// deadline sets until when the peer may send, unless the connection is closing, which has a deadline of its own.
func (c *Conn) deadline(until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing {
		_ = c.net.SetReadDeadline(until)
	}
}

// readFrame adds the payload of a frame to a message. Memory grows with the received bytes, not with the announced
// length.
func (c *Conn) readFrame(m *message, h ws.Header, most int64) error {
	m.size += h.Length
	start, rest := m.body.Len(), h.Length
	for rest > 0 && !m.busy && m.size <= most {
		n := min(rest, readBytes)
		if c.held.Grow(copies*n) != nil {
			m.busy = true
			break
		}
		m.held += copies * n
		if _, err := io.CopyN(m.body, c.net, n); err != nil {
			return err
		}
		rest -= n
	}
	skip := m.busy || m.size > most
	if skip {
		keep := max(0, min(rest, int64(prefixBytes-m.body.Len())))
		if _, err := io.CopyN(m.body, c.net, keep); err != nil {
			return err
		}
		rest -= keep
	}
	ws.Cipher(m.body.Bytes()[start:], h.Mask, 0)
	if skip {
		// Only the start is kept, for the id of the request.
		m.body = bytes.NewBuffer(bytes.Clone(m.body.Bytes()[:min(m.body.Len(), prefixBytes)]))
		c.held.Shrink(m.held)
		m.held = 0
	}
	_, err := io.CopyN(io.Discard, c.net, rest)
	return err
}

func (c *Conn) release(m *message) {
	c.held.Shrink(m.held)
	if m.body != nil && m.body.Cap() <= bufferBytes {
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
		c.enqueue(ws.OpPong, nil, payload)
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
		c.enqueue(ws.OpClose, nil, payload[:min(2, len(payload))])
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
