package endpoint

import (
	"errors"
	"net/http"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/method"
	"github.com/hawser-dev/hawser/services/relay/session"
	"github.com/hawser-dev/hawser/services/relay/socket"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// refusedBytes bounds a message of a client that was refused.
const refusedBytes = 4 << 10

// connect opens a WebSocket. Clients that set useOnCloseEvent receive a refusal as a close frame, because browsers do
// not show them the HTTP status.
func (e *endpoint) connect(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This is a relay for wallets: open a WebSocket", http.StatusUpgradeRequired)
		return
	}
	network := limit.CallerOf("", e.address(r))
	leave, ok := e.Quota.HoldConnection(r.Context(), network)
	if !ok {
		w.Header().Set("Retry-After", retryAfter)
		http.Error(w, "Too many connections at once. Try again later", http.StatusServiceUnavailable)
		return
	}
	accepted := false
	defer func() {
		if !accepted {
			leave()
		}
	}()
	e.Quota.AwaitConnect(r.Context(), network)
	e.Quota.AwaitHandshake(r.Context())
	who, err := e.authorize(r)
	var refused *wire.Error
	switch {
	case err == nil:
		accepted = e.accept(w, r, who, leave)
	case !errors.As(err, &refused):
		accepted = e.acceptAndClose(w, r, leave, socket.StatusTryAgain, "clients cannot be authorized at the moment")
	case r.URL.Query().Get("useOnCloseEvent") == "true":
		accepted = e.acceptAndClose(w, r, leave, socket.StatusRefused, closeReason(refused))
	default:
		http.Error(w, closeReason(refused), httpStatus(refused))
	}
}

// accept opens the connection of a client, and reports whether it was opened. leave is called at its end.
func (e *endpoint) accept(w http.ResponseWriter, r *http.Request, who session.Identity, leave func()) bool {
	return e.Sockets.Accept(w, r, e.Methods.FrameBytes(), e.Quota.Memory(who.Caller), func(c *socket.Conn) socket.Peer {
		p := &peer{endpoint: e, conn: c, session: e.Sessions.Open(c, who), leave: leave}
		e.silent.add(p)
		return p
	}) == nil
}

// acceptAndClose opens a connection to close it with a status, and reports whether it was opened. leave is called at its end.
func (e *endpoint) acceptAndClose(w http.ResponseWriter, r *http.Request, leave func(), status socket.Status, reason string) bool {
	return e.Sockets.Accept(w, r, refusedBytes, new(limit.Bytes), func(c *socket.Conn) socket.Peer {
		c.Close(status, reason)
		return refusedPeer{leave}
	}) == nil
}

// closeReason returns the text of a refusal, in at most 123 bytes.
func closeReason(e *wire.Error) string {
	text := strings.TrimPrefix(e.Message, "Auth error: ")
	return text[:min(len(text), 123)]
}

// peer answers a client over its connection.
type peer struct {
	endpoint *endpoint
	conn     *socket.Conn
	session  *session.Session
	// leave releases the connection's part of those of this process.
	leave func()
	// heard says that the client has sent something.
	heard bool
	// publishing stores the messages that the client publishes.
	publishing pipeline
}

// Receive answers a request, or handles an acknowledgement. While messages that the client has published are being stored, only the next ones and
// acknowledgements are received.
func (p *peer) Receive(frame []byte) {
	if !p.heard {
		p.heard = true
		p.endpoint.silent.remove(p)
	}
	request := method.Parse(frame)
	call := p.endpoint.Methods.NewCall(p.session.Identity, p.session)
	if request.Acknowledges {
		defer call.Release()
		call.Answer(p.endpoint.ctx, request)
		return
	}
	if topic, ok := request.Publishes(); ok && p.publish(topic, call, request, len(frame)) {
		return
	}
	p.publishing.wait()
	p.answer(call, request, p.session.Answering())
}

// publish answers a request to publish a message while others of the connection are being stored. It returns false if there is no memory for that.
func (p *peer) publish(topic mailbox.Topic, call *method.Call, request method.Request, size int) bool {
	if call.Hold(int64(size)) != nil {
		return false
	}
	leave := func() {}
	if !p.publishing.isIdle() {
		ok := false
		if leave, ok = call.HoldAhead(p.endpoint.ctx); !ok {
			p.publishing.wait()
		}
	}
	number := p.session.Answering()
	p.publishing.run(p.endpoint.ctx, topic, func() {
		defer leave()
		p.answer(call, request, number)
	}, func(error) { p.conn.Close(socket.StatusInternal, "a request failed") })
	return true
}

// answer answers the request of a number.
func (p *peer) answer(call *method.Call, request method.Request, number uint64) {
	defer call.Release()
	if answer := call.Answer(p.endpoint.ctx, request); answer != nil {
		p.conn.SendThen(call.AcknowledgeFetched, answer)
	}
	p.session.Answered(number, call.Published())
	call.ReadMailboxes()
}

// ReceiveTooLarge answers a request that is too long.
func (p *peer) ReceiveTooLarge(prefix []byte) {
	p.conn.Send(wire.AppendError(nil, wire.PeekID(prefix), wire.Payload(wire.TagPayloadSizeExceeded)))
}

// ReceiveBusy answers a request for which there is no memory.
func (p *peer) ReceiveBusy(prefix []byte) {
	p.conn.Send(wire.AppendError(nil, wire.PeekID(prefix), wire.Rate()))
}

// Closed ends the session, and removes it from its topics.
func (p *peer) Closed() {
	p.endpoint.silent.remove(p)
	p.publishing.wait()
	topics := p.session.Close()
	p.leave()
	for _, topic := range topics {
		p.endpoint.Hub.Detach(topic, p.session)
	}
}

// refusedPeer is the peer of a refused client.
type refusedPeer struct{ leave func() }

func (refusedPeer) Receive([]byte)         {}
func (refusedPeer) ReceiveTooLarge([]byte) {}
func (refusedPeer) ReceiveBusy([]byte)     {}
func (p refusedPeer) Closed()              { p.leave() }
