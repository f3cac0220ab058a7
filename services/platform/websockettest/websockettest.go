// Package websockettest checks a WebSocket server against RFC 6455, frame by frame.
package websockettest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

// Server is the server under test.
type Server struct {
	// Dial opens a connection after the handshake. Its connection ends with the test.
	Dial func(t testing.TB) net.Conn
	// Request is a text message that the server answers with one text message.
	Request string
	// AnyReason means that the server accepts a close frame whose reason is not UTF-8.
	AnyReason bool
}

// maxFrame is the longest frame that a server may send, in bytes.
const maxFrame = 1 << 20

// deadline bounds the wait for a frame.
const deadline = 20 * time.Second

// Check runs every case on connections of their own.
func Check(t *testing.T, s Server) {
	t.Run("answers", s.checkAnswers)
	t.Run("closes", s.checkCloses)
}

// checkAnswers checks that valid messages are answered, in whatever frames they arrive.
func (s Server) checkAnswers(t *testing.T) {
	text := []byte(s.Request)
	third := len(text) / 3
	fragments := []ws.Frame{
		ws.NewFrame(ws.OpText, false, text[:third]),
		ws.NewFrame(ws.OpContinuation, false, text[third:2*third]),
		ws.NewFrame(ws.OpContinuation, true, text[2*third:]),
	}
	whole := ws.NewTextFrame(text)
	full := bytes.Repeat([]byte{0xfe}, 125)
	for name, c := range map[string]struct {
		frames []ws.Frame
		pongs  []string
	}{
		"a message in one frame":            {frames: []ws.Frame{whole}},
		"a message in three frames":         {frames: fragments},
		"empty frames of a message":         {frames: []ws.Frame{ws.NewFrame(ws.OpText, false, nil), ws.NewFrame(ws.OpContinuation, false, text), ws.NewFrame(ws.OpContinuation, true, nil)}},
		"a ping without a payload":          {frames: []ws.Frame{ws.NewPingFrame(nil), whole}, pongs: []string{""}},
		"a ping of 125 bytes":               {frames: []ws.Frame{ws.NewPingFrame(full), whole}, pongs: []string{string(full)}},
		"ten pings":                         {frames: append(pings(10), whole), pongs: strings.Split("0123456789", "")},
		"a pong that no ping preceded":      {frames: []ws.Frame{ws.NewPongFrame([]byte("x")), whole}},
		"a ping between parts of a message": {frames: []ws.Frame{fragments[0], ws.NewPingFrame([]byte("x")), fragments[1], fragments[2]}, pongs: []string{"x"}},
	} {
		for _, chopped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, byte by byte: %t", name, chopped), func(t *testing.T) {
				conn := s.dial(t)
				send(t, conn, chopped, c.frames...)
				pongs, isAnswered := []string{}, false
				for len(pongs) < len(c.pongs) || !isAnswered {
					f := next(t, conn)
					switch f.Header.OpCode {
					case ws.OpPong:
						pongs = append(pongs, string(f.Payload))
					case ws.OpText:
						isAnswered = true
					default:
						t.Fatalf("got a frame %+v with %q", f.Header, f.Payload)
					}
				}
				if strings.Join(pongs, ",") != strings.Join(c.pongs, ",") {
					t.Errorf("the pongs are %q", pongs)
				}
			})
		}
	}
}

// closeCase is what a client sends, and the status with which the server closes; 0 for none.
type closeCase struct {
	frames []ws.Frame
	want   ws.StatusCode
}

// checkCloses checks the status of the close frame that answers a close frame, or a violation of the protocol.
func (s Server) checkCloses(t *testing.T) {
	invalid := ws.StatusInvalidFramePayloadData
	cases := map[string]closeCase{
		"a close without a status":          {[]ws.Frame{ws.NewCloseFrame(nil)}, 0},
		"a close with the longest reason":   {closeFrame(1000, strings.Repeat("x", 123)), 1000},
		"a close of one byte":               {[]ws.Frame{ws.NewCloseFrame([]byte{3})}, 1002},
		"a ping of 126 bytes":               {[]ws.Frame{ws.NewPingFrame(make([]byte, 126))}, 1002},
		"a ping in two frames":              {[]ws.Frame{ws.NewFrame(ws.OpPing, false, nil)}, 1002},
		"a continuation of nothing":         {[]ws.Frame{ws.NewFrame(ws.OpContinuation, true, []byte("x"))}, 1002},
		"a message within another":          {[]ws.Frame{ws.NewFrame(ws.OpText, false, []byte("x")), ws.NewTextFrame([]byte("x"))}, 1002},
		"text that is not UTF-8":            {[]ws.Frame{ws.NewTextFrame([]byte("\xce\xba\xed\xa0\x80edited"))}, invalid},
		"text that ends within a letter":    {[]ws.Frame{ws.NewTextFrame([]byte("\xce"))}, invalid},
		"text of two frames, not UTF-8":     {[]ws.Frame{ws.NewFrame(ws.OpText, false, []byte("\xf4\x90")), ws.NewFrame(ws.OpContinuation, true, []byte("\x80\x80"))}, invalid},
		"an overlong letter":                {[]ws.Frame{ws.NewTextFrame([]byte("\xc0\xaf"))}, invalid},
		"a reason that is not UTF-8":        {closeFrame(1000, "\xce\xba\xed\xa0\x80"), invalid},
		"a text frame with a reserved bit":  {[]ws.Frame{reserved(ws.NewTextFrame([]byte("x")))}, 1002},
		"a ping with a reserved bit":        {[]ws.Frame{reserved(ws.NewPingFrame(nil))}, 1002},
		"a close frame with a reserved bit": {[]ws.Frame{reserved(ws.NewCloseFrame(nil))}, 1002},
	}
	if s.AnyReason {
		delete(cases, "a reason that is not UTF-8")
	}
	for _, code := range []ws.StatusCode{1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999} {
		cases[fmt.Sprintf("a close with %d", code)] = closeCase{closeFrame(code, ""), code}
	}
	for _, code := range []ws.StatusCode{0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999} {
		cases[fmt.Sprintf("a close with %d", code)] = closeCase{closeFrame(code, ""), 1002}
	}
	for _, op := range []ws.OpCode{3, 4, 5, 6, 7, 11, 12, 13, 14, 15} {
		cases[fmt.Sprintf("a frame of kind %d", op)] = closeCase{[]ws.Frame{ws.NewFrame(op, true, nil)}, 1002}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			conn := s.dial(t)
			send(t, conn, false, c.frames...)
			expectClosed(t, conn, c.want)
		})
	}
	t.Run("a frame without a mask", func(t *testing.T) {
		conn := s.dial(t)
		if err := ws.WriteFrame(conn, ws.NewTextFrame([]byte(s.Request))); err != nil {
			t.Fatal(err)
		}
		expectClosed(t, conn, 1002)
	})
}

// expectClosed reads a close frame with that status, and then the end of the connection.
func expectClosed(t *testing.T, conn net.Conn, want ws.StatusCode) {
	t.Helper()
	f := next(t, conn)
	if f.Header.OpCode != ws.OpClose {
		t.Fatalf("got a frame %+v with %q", f.Header, f.Payload)
	}
	if len(f.Payload) == 0 && want == 0 {
		return
	}
	if got, reason := ws.ParseCloseFrameData(f.Payload); got != want {
		t.Errorf("closed with %d %q, want %d", got, reason, want)
	}
}

func (s Server) dial(t *testing.T) net.Conn {
	t.Helper()
	conn := s.Dial(t)
	if err := conn.SetDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// send writes frames of a client, in one write or in one for each byte.
func send(t *testing.T, conn io.Writer, chopped bool, frames ...ws.Frame) {
	t.Helper()
	var all bytes.Buffer
	for _, f := range frames {
		if err := ws.WriteFrame(&all, ws.MaskFrame(f)); err != nil {
			t.Fatal(err)
		}
	}
	size := all.Len()
	if chopped {
		size = 1
	}
	for all.Len() > 0 {
		if _, err := conn.Write(all.Next(size)); err != nil {
			t.Fatal(err)
		}
	}
}

func next(t *testing.T, conn io.Reader) ws.Frame {
	t.Helper()
	header, err := ws.ReadHeader(conn)
	if err != nil {
		t.Fatal(err)
	}
	if header.Length > maxFrame {
		t.Fatalf("got a frame of %d bytes", header.Length)
	}
	f := ws.Frame{Header: header, Payload: make([]byte, header.Length)}
	if _, err := io.ReadFull(conn, f.Payload); err != nil {
		t.Fatal(err)
	}
	return f
}

func closeFrame(code ws.StatusCode, reason string) []ws.Frame {
	return []ws.Frame{ws.NewCloseFrame(ws.NewCloseFrameBody(code, reason))}
}

func pings(n int) []ws.Frame {
	frames := make([]ws.Frame, n)
	for i := range frames {
		frames[i] = ws.NewPingFrame(fmt.Append(nil, i))
	}
	return frames
}

func reserved(f ws.Frame) ws.Frame {
	f.Header.Rsv = ws.Rsv(true, false, false)
	return f
}
