package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// socketMessage bounds one message of a caller, in bytes.
	socketMessage = 1 << 20
	// socketQueue is how many messages may wait for a caller; one who lets it fill is let go.
	socketQueue = 256
	// socketAtOnce is how many requests of one connection are under way at once; the next are read when one is answered.
	socketAtOnce = 16
	// socketAnswerTime bounds the answer to one request.
	socketAnswerTime = 30 * time.Second
	// socketWriteTime bounds the sending of one message.
	socketWriteTime = 10 * time.Second
	// socketPing is how often a quiet connection is asked whether anybody is there.
	socketPing = 30 * time.Second
)

// What a socket says by itself: JSON-RPC 2.0 and EIP-1474.
const (
	codeLimitExceeded = -32005
	codeDoorFailed    = -32603
)

// sockets is JSON-RPC to a chain over WebSocket: GET /v1?chainId=…&projectId=…, with eth_subscribe.
type sockets struct {
	guard         *guard
	nodes         chainsv1.NodeServiceClient
	subscriptions chainsv1.SubscriptionServiceClient
	// stopping ends when the process is told to.
	stopping context.Context
	// open counts the connections, from before the server lets go of them.
	open sync.WaitGroup
}

func newSockets(stopping context.Context, chains grpc.ClientConnInterface, g *guard) *sockets {
	return &sockets{guard: g, nodes: chainsv1.NewNodeServiceClient(chains), subscriptions: chainsv1.NewSubscriptionServiceClient(chains), stopping: stopping}
}

// wrap takes the requests that open a WebSocket, and leaves the rest to next.
func (s *sockets) wrap(next http.Handler) http.Handler {
	guarded := s.guard.wrap(http.HandlerFunc(s.accept))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isUpgrade(r) && slices.Contains([]string{"/v1", "/v1/", "/ws"}, r.URL.Path) {
			guarded.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isUpgrade looks for its words among others: Firefox says `Connection: keep-alive, Upgrade`.
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

var askChainID = []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`)

// accept opens a connection to a chain that is served.
func (s *sockets) accept(w http.ResponseWriter, r *http.Request) {
	s.open.Add(1)
	defer s.open.Done()
	chain, f := chainOf(r)
	if f != nil {
		writeFault(w, r, f)
		return
	}
	if _, err := s.forward(r.Context(), chain, askChainID); err != nil {
		writeFault(w, r, fault.From(err))
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		// The guard has looked at the origin already.
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return
	}
	conn.SetReadLimit(socketMessage)
	ctx, cancel := context.WithCancel(r.Context())
	c := &socket{
		sockets: s, conn: conn, request: r, chain: chain, ctx: ctx, cancel: cancel,
		out: make(chan []byte, socketQueue), subscribed: map[string]context.CancelFunc{},
	}
	c.serve()
}

func (s *sockets) forward(ctx context.Context, chain string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, socketAnswerTime)
	defer cancel()
	res, err := s.nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chain, Body: body})
	return res.GetBody(), err
}

// socket is one connection.
type socket struct {
	*sockets
	conn    *websocket.Conn
	request *http.Request
	chain   string
	// ctx ends with the connection; running counts what must end with it.
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	ending  sync.Once
	// out is what waits to be sent.
	out chan []byte

	mu sync.Mutex
	// subscribed ends each subscription by its id.
	subscribed map[string]context.CancelFunc
}

// serve answers until either side ends the connection.
func (c *socket) serve() {
	defer context.AfterFunc(c.stopping, func() { c.end(websocket.StatusServiceRestart, "the gateway is going down") })()
	c.running.Go(c.write)
	c.running.Go(c.ping)
	c.read()
	c.end(websocket.StatusNormalClosure, "")
	c.running.Wait()
}

// end closes the connection, once.
func (c *socket) end(status websocket.StatusCode, reason string) {
	c.ending.Do(func() {
		c.cancel()
		c.running.Go(func() { _ = c.conn.Close(status, reason) })
	})
}

func (c *socket) read() {
	places := make(chan struct{}, socketAtOnce)
	for {
		// Closing the connection ends the wait.
		_, message, err := c.conn.Read(context.WithoutCancel(c.ctx))
		if err != nil {
			return
		}
		select {
		case places <- struct{}{}:
		case <-c.ctx.Done():
			return
		}
		c.running.Go(func() {
			defer func() { <-places }()
			c.answer(message)
		})
	}
}

func (c *socket) write() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case message := <-c.out:
			// A write that is cut off would take the word of farewell with it.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), socketWriteTime)
			err := c.conn.Write(ctx, websocket.MessageText, message)
			cancel()
			if err != nil {
				c.end(websocket.StatusInternalError, "")
				return
			}
		}
	}
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
				c.end(websocket.StatusGoingAway, "nobody answers")
				return
			}
		}
	}
}

// say sends a message when its turn comes. A caller who does not read is let go rather than waited for.
func (c *socket) say(message []byte) {
	select {
	case c.out <- message:
	default:
		c.end(websocket.StatusTryAgainLater, "messages are not read")
	}
}

// answer answers one request, or batch of them.
func (c *socket) answer(message []byte) {
	var q socketRequest
	// What is no request is for the door to refuse.
	_ = json.Unmarshal(message, &q)
	if f, _ := c.guard.check(c.request, namedOutside(c.request), func() int { return cost(message) }); f != nil {
		if f.Reason != faultv1.Reason_REASON_RATE_LIMITED {
			c.end(websocket.StatusPolicyViolation, f.Public)
			return
		}
		c.say(q.failure(codeLimitExceeded, f.Public))
		return
	}
	switch q.Method {
	case "eth_subscribe":
		c.subscribe(q)
	case "eth_unsubscribe":
		c.unsubscribe(q)
	default:
		if len(message) == 0 {
			message = []byte(" ")
		}
		body, err := c.forward(c.ctx, c.chain, message)
		if err != nil {
			body = q.failure(codeDoorFailed, fault.From(err).Public)
		}
		c.say(body)
	}
}

// socketRequest is a JSON-RPC 2.0 request, as far as the gateway reads it.
type socketRequest struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

func (q socketRequest) result(result any) []byte {
	return marshal(map[string]any{"jsonrpc": "2.0", "id": q.id(), "result": result})
}

func (q socketRequest) failure(code int, message string) []byte {
	return marshal(map[string]any{"jsonrpc": "2.0", "id": q.id(), "error": map[string]any{"code": code, "message": message}})
}

func (q socketRequest) id() json.RawMessage {
	if len(q.ID) == 0 {
		return json.RawMessage("null")
	}
	return q.ID
}

// marshal writes what always can be written.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
