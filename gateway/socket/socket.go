// Package socket answers WebSocket connections: JSON-RPC to a chain with its subscriptions, and connections that are passed on to the relay of another process.
package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// socketMessage is the largest message of a caller, in bytes.
	socketMessage = 1 << 20
	// socketBytes is about what a connection holds for its buffers and goroutines, and subscriptionBytes what a subscription does.
	socketBytes       = 32 << 10
	subscriptionBytes = 16 << 10
	// socketQueue is how many messages may wait to be sent; a connection whose queue is full is closed.
	socketQueue = 256
	// socketAtOnce is how many requests of one connection run concurrently; the next is read when an answer was sent.
	socketAtOnce = 16
	// socketAnswerTime bounds the answer to one request.
	socketAnswerTime = 30 * time.Second
	// socketReadTime bounds the time to receive a message, from its first byte.
	socketReadTime = 30 * time.Second
	// socketWriteTime bounds the sending of one message, or of one part of a larger one.
	socketWriteTime = access.ProgressTime
	// socketPing is the interval of pings.
	socketPing = 30 * time.Second
)

// Server is JSON-RPC to a chain over WebSocket: GET /v1?chainId=…&projectId=…, with eth_subscribe, and with the subscriptions of
// Solana.
type Server struct {
	guard *access.Guard
	nodes chainsv1.NodeServiceClient
	feeds *feeds
	// stopping is done when the process begins to shut down.
	stopping context.Context
	// open counts the connections, from before they are hijacked from the server.
	open routine.WaitGroup
}

// New returns the WebSocket connections to chains, which end when stopping is done.
func New(stopping context.Context, chains grpc.ClientConnInterface, g *access.Guard) *Server {
	return &Server{guard: g, nodes: chainsv1.NewNodeServiceClient(chains), feeds: newFeeds(chainsv1.NewSubscriptionServiceClient(chains)), stopping: stopping}
}

// Wait returns when every connection has ended.
func (s *Server) Wait() { s.open.Wait() }

// Wrap takes the requests that open a WebSocket, answers 426 to a plain GET at their paths, and leaves the rest to next.
func (s *Server) Wrap(next http.Handler) http.Handler {
	guarded, plain := s.guard.Wrap(http.HandlerFunc(s.accept)), s.guard.WrapOpen(http.HandlerFunc(upgradeRequired))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet || !slices.Contains([]string{"/v1", "/v1/", "/ws"}, r.URL.Path):
			next.ServeHTTP(w, r)
		case isUpgrade(r):
			guarded.ServeHTTP(w, r)
		default:
			plain.ServeHTTP(w, r)
		}
	})
}

func upgradeRequired(w http.ResponseWriter, r *http.Request) {
	access.WriteFault(w, r, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_UPGRADE_REQUIRED, "",
		"Only WebSocket connections are supported for GET method on this endpoint"))
}

// isUpgrade reports whether a request opens a WebSocket. Firefox sends `Connection: keep-alive, Upgrade`.
func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && hasToken(r.Header, "Connection", "upgrade") && hasToken(r.Header, "Upgrade", "websocket")
}

func hasToken(h http.Header, name, token string) bool {
	for _, value := range h.Values(name) {
		for word := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(word), token) {
				return true
			}
		}
	}
	return false
}

// hasSockets reports whether a chain is among those of `ws` in the list of supported chains, if it is served.
func hasSockets(chain string) bool {
	return strings.HasPrefix(chain, "eip155:") || strings.HasPrefix(chain, solanaPrefix)
}

var askChainID = []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`)

// accept opens a connection to a chain that is served.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	s.open.Add(1)
	defer s.open.Done()
	chain, f := access.ChainOf(r)
	if f != nil {
		access.WriteFault(w, r, f)
		return
	}
	if !hasSockets(chain) {
		access.WriteFault(w, r, access.ChainUnsupported(chain))
		return
	}
	who := s.guard.Caller(r, access.ProjectIDOf(r))
	release, ok := s.guard.Limiter.Hold(r.Context(), who, s.guard.Limits.SocketShare(), 1)
	if !ok {
		access.WriteFault(w, r, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "",
			"Too many connections: one caller holds at most %d", s.guard.Limits.Sockets))
		return
	}
	defer release()
	bytes := s.guard.Memory.Hold(who)
	defer bytes.Close()
	if err := bytes.Grow(socketBytes); err != nil {
		access.WriteFault(w, r, access.BytesFault(err))
		return
	}
	// Every message is checked as a request, and what a client sent as the body of this one is not part of any.
	r.Body = http.NoBody
	if _, err := s.forward(r.Context(), chain, askChainID); err != nil {
		access.WriteFault(w, r, fault.From(err))
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		// The guard has checked the origin.
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return
	}
	conn.SetReadLimit(socketMessage)
	ctx, cancel := context.WithCancel(r.Context())
	c := &socket{
		Server: s, conn: conn, request: r, caller: who, chain: chain, ctx: ctx, cancel: cancel,
		out: make(chan outgoing, socketQueue), bytes: bytes, subscribed: map[string]func(){},
	}
	c.serve()
}

func (s *Server) forward(ctx context.Context, chain string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, socketAnswerTime)
	defer cancel()
	res, err := s.nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chain, Body: body})
	return res.GetBody(), err
}

// socket is one connection.
type socket struct {
	*Server
	conn    *websocket.Conn
	request *http.Request
	caller  limit.Caller
	chain   string
	// ctx ends with the connection; running counts what must end with it.
	ctx     context.Context
	cancel  context.CancelFunc
	running routine.WaitGroup
	ending  sync.Once
	// out is the queue of messages to send, and bytes what the connection holds: itself, its subscriptions, and the messages in the queue that
	// were not requested one by one.
	out   chan outgoing
	bytes *limit.Bytes

	// lastID is the id of the last subscription of Solana.
	lastID atomic.Uint64

	mu sync.Mutex
	// subscribed holds the functions that end subscriptions, by id; nil when the connection is closed.
	subscribed map[string]func()
}

// outgoing is a queued message. sent is called once, when it was sent or never will be.
type outgoing struct {
	message []byte
	sent    func()
}

// serve answers until either side ends the connection.
func (c *socket) serve() {
	defer context.AfterFunc(c.stopping, func() { c.end(websocket.StatusServiceRestart, "the gateway is going down") })()
	c.running.Go(c.ctx, c.write, c.broken)
	c.running.Go(c.ctx, c.ping, c.broken)
	c.read()
	c.end(websocket.StatusNormalClosure, "")
	// Events start goroutines, so they must have ended before the wait.
	c.dropAll()
	c.running.Wait()
	c.discard()
}

// discard gives back what the messages hold that were not sent. Nothing is queued any more.
func (c *socket) discard() {
	for {
		select {
		case left := <-c.out:
			left.sent()
		default:
			return
		}
	}
}

// broken closes a connection after an error.
func (c *socket) broken(error) { c.end(websocket.StatusInternalError, "") }

// end closes the connection, once.
func (c *socket) end(status websocket.StatusCode, reason string) {
	c.ending.Do(func() {
		c.cancel()
		c.running.Go(c.ctx, func() { _ = c.conn.Close(status, reason) })
	})
}

func (c *socket) read() {
	places := make(chan struct{}, socketAtOnce)
	for {
		held := c.guard.Memory.Hold(c.caller)
		kind, message, err := c.receive(held)
		if err != nil {
			held.Close()
			c.endAfter(err)
			return
		}
		if access.TooManyValues(message) {
			held.Close()
			c.end(websocket.StatusMessageTooBig, fmt.Sprintf("the message has over %d values", access.MaxValues))
			return
		}
		if kind == websocket.MessageText && !utf8.Valid(message) {
			held.Close()
			c.end(websocket.StatusInvalidFramePayloadData, "text is not UTF-8")
			return
		}
		select {
		case places <- struct{}{}:
		case <-c.ctx.Done():
			held.Close()
			return
		}
		// A request holds its slot and its bytes until its answer was sent: a client that reads slowly is read from slowly.
		done := sync.OnceFunc(func() { held.Close(); <-places })
		c.running.Go(c.ctx, func() { c.answer(message, held, done) }, c.broken, func(error) { done() })
	}
}

// receive reads a message, and takes its bytes as they come.
func (c *socket) receive(held *limit.Bytes) (websocket.MessageType, []byte, error) {
	// Closing the connection ends the wait for a message.
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.ctx))
	defer cancel()
	kind, incoming, err := c.conn.Reader(ctx)
	if err != nil {
		return kind, nil, err
	}
	late := time.AfterFunc(socketReadTime, cancel)
	defer late.Stop()
	message, err := io.ReadAll(held.Reader(incoming))
	return kind, message, err
}

// endAfter ends a connection from which nothing more can be read. What is no close frame and no end of the connection breaks the protocol.
func (c *socket) endAfter(err error) {
	if limit.IsSpent(err) {
		c.end(websocket.StatusTryAgainLater, access.BytesFault(err).Public)
		return
	}
	isClosed := websocket.CloseStatus(err) != -1 || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
	if !isClosed {
		c.end(websocket.StatusProtocolError, "malformed frame")
	}
}

func (c *socket) write() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case next := <-c.out:
			err := c.send(next.message)
			next.sent()
			if err != nil {
				c.end(websocket.StatusInternalError, "")
				return
			}
		}
	}
}

// send writes a message, a large one in parts, each of which the client must receive in time.
func (c *socket) send(message []byte) error {
	// Do not cancel a write in flight: that would drop the close frame.
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.ctx))
	defer cancel()
	late := time.AfterFunc(socketWriteTime, cancel)
	defer late.Stop()
	if len(message) <= access.ProgressBytes {
		return c.conn.Write(ctx, websocket.MessageText, message)
	}
	w, err := c.conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(message, access.ProgressBytes) {
		late.Reset(socketWriteTime)
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return w.Close()
}

func (c *socket) ping() {
	tick := time.NewTicker(socketPing)
	defer tick.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
			ctx, cancel := context.WithTimeout(c.ctx, socketPing)
			err := c.conn.Ping(ctx)
			cancel()
			if err != nil {
				c.end(websocket.StatusGoingAway, "the service does not answer")
				return
			}
		}
	}
}

// push queues a message that was not requested, once its bytes were taken. A connection that has no room for them is closed.
func (c *socket) push(message []byte) {
	n := int64(len(message))
	if err := c.bytes.Grow(n); err != nil {
		c.end(websocket.StatusTryAgainLater, "messages are not read")
		return
	}
	c.enqueue(message, func() { c.bytes.Shrink(n) })
}

// enqueue queues a message and calls sent when it was sent or the connection has ended. A connection whose queue is full is closed.
func (c *socket) enqueue(message []byte, sent func()) {
	select {
	case c.out <- outgoing{message, sent}:
	default:
		sent()
		c.end(websocket.StatusTryAgainLater, "messages are not read")
	}
}

// answer answers one request, or batch of them, and calls done when that was sent. held is what the request and its answer hold.
func (c *socket) answer(message []byte, held *limit.Bytes, done func()) {
	reply, around := c.reply(message, held)
	switch {
	case len(reply) == 0:
		done()
	case around != nil:
		around(func() { c.enqueue(reply, done) })
	default:
		c.enqueue(reply, done)
	}
}

// reply returns the answer to a message, empty for a notification. Where around is not nil, it must be called to send the answer: it does
// what has to happen together with sending.
func (c *socket) reply(message []byte, held *limit.Bytes) (reply []byte, around func(send func())) {
	q := socketRequestOf(message)
	reply, around = c.replyTo(q, message, held)
	if q.IsNotification() {
		return nil, nil
	}
	return reply, around
}

func (c *socket) replyTo(q socketRequest, message []byte, held *limit.Bytes) (reply []byte, around func(send func())) {
	admitted, refused := c.guard.Check(c.request, access.ProjectIDOf(c.request))
	if refused != nil {
		if refused.Reason != faultv1.Reason_REASON_RATE_LIMITED {
			c.end(websocket.StatusPolicyViolation, refused.Public)
			return nil, nil
		}
		return q.failure(jsonrpc.CodeLimitExceeded, refused.Public), nil
	}
	ctx := admitted.Holding(held).In(c.ctx)
	if strings.HasPrefix(c.chain, solanaPrefix) {
		if reply, around, ok := c.replySolana(q); ok {
			return reply, around
		}
		return c.passOn(ctx, q, message), nil
	}
	switch q.Method {
	case "eth_subscribe":
		if q.IsNotification() {
			return nil, nil
		}
		return c.subscribe(q)
	case "eth_unsubscribe":
		return c.unsubscribe(q), nil
	default:
		return c.passOn(ctx, q, message), nil
	}
}

// passOn answers a request with the chain's nodes.
func (c *socket) passOn(ctx context.Context, q socketRequest, message []byte) (reply []byte) {
	if len(message) == 0 {
		message = []byte(" ")
	}
	body, err := c.forward(ctx, c.chain, message)
	if err == nil {
		return body
	}
	f := fault.From(err)
	switch {
	case limit.IsSpent(err):
		c.end(websocket.StatusTryAgainLater, f.Public)
		return nil
	case f.Reason == faultv1.Reason_REASON_RATE_LIMITED:
		return q.failure(jsonrpc.CodeLimitExceeded, f.Public)
	default:
		return q.failure(jsonrpc.CodeInternal, f.Public)
	}
}

// socketRequest is a message with a single request. For a batch it has the id null and no method.
type socketRequest struct {
	jsonrpc.Request
	Params []json.RawMessage
}

func socketRequestOf(message []byte) socketRequest {
	m := jsonrpc.Parse(message)
	if m.Batch {
		return socketRequest{Request: jsonrpc.Request{ID: json.RawMessage("null")}}
	}
	q := socketRequest{Request: m.Items[0].Request}
	// Params of another shape are rejected by the subscription's topic.
	_ = json.Unmarshal(q.Request.Params, &q.Params)
	return q
}

func (q socketRequest) result(result any) []byte {
	return jsonrpc.AppendResult(nil, q.ID, marshal(result))
}

func (q socketRequest) failure(code int, message string) []byte {
	return jsonrpc.AppendError(nil, q.ID, jsonrpc.Error{Code: code, Message: message})
}

// marshal encodes a value that always can be encoded.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
