package socket

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/platform/websockettest"
)

// chainOnAir is a chains service that sends subscribers what the test sends.
type chainOnAir struct {
	accesstest.Conn
	requested chan *chainsv1.SubscribeRequest
	tell      chan string
	// left receives a value for each subscription that ended.
	left chan struct{}
	// ended is the error that a subscription ends with once tell is closed.
	ended error
}

func (c chainOnAir) NewStream(ctx context.Context, _ *grpc.StreamDesc, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	context.AfterFunc(ctx, func() { c.left <- struct{}{} })
	return &onAir{chain: c, ctx: ctx}, nil
}

// onAir is one subscription.
type onAir struct {
	chain chainOnAir
	ctx   context.Context
}

func (s *onAir) Context() context.Context   { return s.ctx }
func (*onAir) CloseSend() error             { return nil }
func (*onAir) Trailer() metadata.MD         { return nil }
func (*onAir) Header() (metadata.MD, error) { return metadata.MD{}, nil }
func (s *onAir) SendMsg(m any) error        { s.chain.requested <- m.(*chainsv1.SubscribeRequest); return nil }
func (s *onAir) RecvMsg(m any) error {
	select {
	case <-s.ctx.Done():
		return s.ctx.Err()
	case result, ok := <-s.chain.tell:
		if !ok {
			return s.chain.ended
		}
		m.(*chainsv1.SubscribeResponse).Result = []byte(result)
		return nil
	}
}

// air is a gateway with a chain on air, at a URL.
type air struct {
	chainOnAir
	url      string
	stop     context.CancelFunc
	projects *projectcache.Cache
	memory   *limit.Memory
}

func onAirFor(t *testing.T, b *accesstest.Book) *air {
	t.Helper()
	return onAirWith(t, b, access.DefaultLimits())
}

func onAirWith(t testing.TB, b *accesstest.Book, limits access.Limits) *air {
	t.Helper()
	chain := chainOnAir{requested: make(chan *chainsv1.SubscribeRequest, 16), tell: make(chan string), left: make(chan struct{}, subscriptionsPerSocket), ended: io.EOF, Conn: accesstest.Conn{
		chainsv1.NodeService_Forward_FullMethodName: func(req proto.Message) (proto.Message, error) {
			forward := req.(*chainsv1.ForwardRequest)
			if forward.GetChainId() != "eip155:1" {
				return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "We don't support it")
			}
			if !strings.Contains(string(forward.GetBody()), `"id"`) {
				return &chainsv1.ForwardResponse{}, nil
			}
			return &chainsv1.ForwardResponse{Body: []byte(`{"echo":` + string(forward.GetBody()) + `}`)}, nil
		},
	}}
	stopping, stop := context.WithCancel(t.Context())
	projects := projectcache.New(projectsv1.NewProjectsServiceClient(accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: b.Get}))
	guard := &access.Guard{Projects: projects, Limiter: limit.NewLocal(clock.System{}, 0), Limits: limits, Memory: limit.NewMemory(64 << 20)}
	sockets := New(stopping, access.Metered(chain), guard)
	server := httptest.NewServer(sockets.Wrap(access.NotFound()))
	t.Cleanup(server.Close)
	return &air{chainOnAir: chain, url: strings.Replace(server.URL, "http", "ws", 1) + accesstest.JSONRPCPath, stop: stop, projects: projects, memory: guard.Memory}
}

func (a *air) dial(t *testing.T) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), a.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	return c
}

func hear(t *testing.T, c *websocket.Conn) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, message, err := c.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

func send(t *testing.T, c *websocket.Conn, message string) {
	t.Helper()
	if err := c.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

// wantClose reads until the connection ends, and checks its close status.
func wantClose(t *testing.T, c *websocket.Conn, want websocket.StatusCode) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		if _, _, err := c.Read(ctx); err != nil {
			if got := websocket.CloseStatus(err); got != want {
				t.Errorf("it ended with %d, want %d: %v", got, want, err)
			}
			return
		}
	}
}

func TestASocketOpensForThoseWhoMayAsk(t *testing.T) {
	p := accesstest.Enabled()
	p.AllowedOrigins = []string{"https://app.example.org"}
	a := onAirFor(t, &accesstest.Book{Project: p})
	for name, c := range map[string]struct {
		path, origin, connection string
		want                     int
	}{
		"one who may":             {path: accesstest.JSONRPCPath, want: http.StatusSwitchingProtocols},
		"with a slash":            {path: strings.Replace(accesstest.JSONRPCPath, "/v1", "/v1/", 1), want: http.StatusSwitchingProtocols},
		"at the old path":         {path: strings.Replace(accesstest.JSONRPCPath, "/v1", "/ws", 1), want: http.StatusSwitchingProtocols},
		"as Firefox says it":      {path: accesstest.JSONRPCPath, connection: "keep-alive, Upgrade", want: http.StatusSwitchingProtocols},
		"from a listed page":      {path: accesstest.JSONRPCPath, origin: "https://app.example.org", want: http.StatusSwitchingProtocols},
		"from another page":       {path: accesstest.JSONRPCPath, origin: "https://evil.example", want: http.StatusForbidden},
		"of an unknown project":   {path: "/v1?chainId=eip155:1&projectId=nope", want: http.StatusUnauthorized},
		"to an unsupported chain": {path: "/v1?chainId=eip155:2&projectId=" + accesstest.Known, want: http.StatusBadRequest},
		"to a chain without them": {path: "/v1?chainId=polkadot:91b171bb158e2d3848fa23a9f1c25182&projectId=" + accesstest.Known, want: http.StatusBadRequest},
		"to no chain":             {path: "/v1?projectId=" + accesstest.Known, want: http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			base, _, _ := strings.Cut(strings.Replace(a.url, "ws", "http", 1), "/v1")
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+c.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Connection", "Upgrade")
			if c.connection != "" {
				req.Header.Set("Connection", c.connection)
			}
			req.Header.Set("Upgrade", "websocket")
			req.Header.Set("Sec-WebSocket-Version", "13")
			req.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
			req.Header.Set("Origin", c.origin)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != c.want {
				t.Errorf("status %d, want %d", res.StatusCode, c.want)
			}
		})
	}
}

func TestTheProtocolOfASocketIsThatOfRFC6455(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	websockettest.Check(t, websockettest.Server{
		Dial: func(t testing.TB) net.Conn {
			conn, early, _, err := ws.Dial(t.Context(), a.url)
			if err != nil || early != nil {
				t.Fatal(early, err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			return conn
		},
		Request: `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`,
		// The library answers a close frame by itself, and checks its status only.
		AnyReason: true,
	})
}

const (
	someAddress = "0x00000000000000000000000000000000000000Aa"
	someTopic   = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
	otherTopic  = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
)

func TestASocketAnswersRequestsAndSendsItsSubscriptions(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	c := a.dial(t)
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)
	if got := hear(t, c); got != `{"echo":{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}}` {
		t.Errorf("answered %s", got)
	}
	send(t, c, `{"jsonrpc":"2.0","id":"s","method":"eth_subscribe","params":["logs",{"address":"`+someAddress+`","topics":["`+someTopic+`",null,["`+otherTopic+`","`+someTopic+`"]]}]}`)
	var answer struct{ ID, Result string }
	if err := json.Unmarshal([]byte(hear(t, c)), &answer); err != nil || answer.ID != "s" || len(answer.Result) != 34 {
		t.Fatalf("answered %+v, %v", answer, err)
	}
	logs := (<-a.requested).GetLogs()
	if logs.GetAddresses()[0] != strings.ToLower(someAddress) || len(logs.GetTopics()) != 3 || len(logs.GetTopics()[1].GetAnyOf()) != 0 || len(logs.GetTopics()[2].GetAnyOf()) != 2 {
		t.Errorf("subscribed to %v", logs)
	}
	a.tell <- `{"x":1}`
	if got := hear(t, c); got != `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"`+answer.Result+`","result":{"x":1}}}` {
		t.Errorf("received %s", got)
	}
	for _, want := range []string{"true", "false"} {
		send(t, c, `{"jsonrpc":"2.0","id":2,"method":"eth_unsubscribe","params":["`+answer.Result+`"]}`)
		if got := hear(t, c); got != `{"jsonrpc":"2.0","id":2,"result":`+want+`}` {
			t.Errorf("answered %s", got)
		}
	}
}

func TestASubscriptionThatCannotBe(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	c := a.dial(t)
	for _, params := range []string{`[]`, `["newPendingTransactions"]`, `["syncing"]`, `[7]`, `["logs",7]`, `["logs",{"address":7}]`,
		`["logs",{"address":"0xA"}]`, `["logs",{"topics":["0x1"]}]`, `["logs",{"topics":[null,null,null,null,null]}]`,
		`["logs",{"address":["` + strings.Repeat(someAddress+`","`, 1000) + someAddress + `"]}]`,
		`["logs",{"topics":[["` + strings.Repeat(someTopic+`","`, 1000) + someTopic + `"]]}]`} {
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":`+params+`}`)
		if got := hear(t, c); !strings.Contains(got, `"code":-32602`) {
			t.Errorf("%s: %s", params, got)
		}
	}
	for i := range subscriptionsPerSocket + 1 {
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)
		if got := hear(t, c); strings.Contains(got, `"error"`) != (i == subscriptionsPerSocket) {
			t.Errorf("subscription %d: %s", i, got)
		}
	}
	<-a.requested
	if n := len(a.requested); n != 0 {
		t.Errorf("%d more subscriptions for the same", n)
	}
}

func TestASocketDoesNotAnswerNotifications(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 6
	a := onAirFor(t, &accesstest.Book{Project: p})
	c := a.dial(t)
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"eth_gasPrice"}`, `[{"method":"eth_gasPrice"}]`, `{"method":"eth_subscribe","params":["newHeads"]}`,
		`{"method":"eth_unsubscribe","params":["0x1"]}`,
	} {
		send(t, c, message)
	}
	// The order of answers is free, so that one alone can come.
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)
	if got := hear(t, c); !strings.Contains(got, `"echo"`) && !strings.Contains(got, `"code":-32005`) {
		t.Errorf("answered %s", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, message, err := c.Read(ctx); err == nil {
		t.Errorf("answered %s as well", message)
	}
}

func TestASocketOverTheRateIsRefused(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 2
	a := onAirFor(t, &accesstest.Book{Project: p})
	c := a.dial(t)
	for _, want := range []string{`"echo"`, `"code":-32005`} {
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)
		if got := hear(t, c); !strings.Contains(got, want) {
			t.Errorf("answered %s, want %s", got, want)
		}
	}
}

func TestTheCallsOfASocketWeighWhatTheyCost(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.0001, 15
	a := onAirFor(t, &accesstest.Book{Project: p})
	c := a.dial(t)
	for _, want := range []string{`"echo"`, `"code":-32005`} {
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}`)
		if got := hear(t, c); !strings.Contains(got, want) {
			t.Errorf("answered %s, want %s", got, want)
		}
	}
}

func TestASocketWhoseMessagesHaveNoRoomEnds(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	other := a.memory.Hold(limit.CallerOf("q", "127.0.0.1"))
	defer other.Close()
	c := a.dial(t)
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)
	hear(t, c)
	<-a.requested
	// The first request may still hold its bytes.
	for other.Grow(32<<20-socketBytes-subscriptionBytes) != nil {
		runtime.Gosched()
	}
	a.tell <- `"x"`
	wantClose(t, c, websocket.StatusTryAgainLater)
}

func TestHowASocketEnds(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(t *testing.T, a *air, c *websocket.Conn)
		want websocket.StatusCode
	}{
		"the process goes down": {func(_ *testing.T, a *air, _ *websocket.Conn) { a.stop() }, websocket.StatusServiceRestart},
		"a message too large": {func(t *testing.T, _ *air, c *websocket.Conn) {
			_ = c.Write(t.Context(), websocket.MessageText, make([]byte, socketMessage+1))
		}, websocket.StatusMessageTooBig},
		"the chain goes away": {func(t *testing.T, a *air, c *websocket.Conn) {
			send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)
			close(a.tell)
		}, websocket.StatusServiceRestart},
	} {
		t.Run(name, func(t *testing.T) {
			a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
			conn := a.dial(t)
			c.do(t, a, conn)
			wantClose(t, conn, c.want)
		})
	}
}

// A value takes memory once it is decoded, however short it is.
func TestASocketThatSendsTooManyValuesEnds(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	c := a.dial(t)
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[1`+strings.Repeat(",1", access.BodyLimit/8)+`]}`)
	wantClose(t, c, websocket.StatusMessageTooBig)
}

func TestACallerWhoDoesNotReadIsLetGo(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	c := a.dial(t)
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)
	hear(t, c)
	<-a.requested
	large := `"` + strings.Repeat("x", 1<<16) + `"`
	deadline := time.After(30 * time.Second)
	for result := 0; ; result++ {
		select {
		case a.tell <- large:
		case <-a.left:
			if result < socketQueue {
				t.Errorf("closed after %d messages", result)
			}
			a.untilNothingIsHeld(t)
			return
		case <-deadline:
			t.Fatalf("still open after %d messages", result)
		}
	}
}

// untilNothingIsHeld waits until the gateway holds no bytes.
func (a *air) untilNothingIsHeld(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); a.memory.Used() != 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are held", a.memory.Used())
		}
	}
}

func TestAnswersThatWereNotSentHoldNothingAfterTheirSocketEnded(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	c := a.dial(t)
	message := `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 900<<10) + `","method":"eth_gasPrice"}`
	// More than the system's buffers of a connection take.
	for range socketAtOnce {
		send(t, c, message)
	}
	_ = c.CloseNow()
	a.untilNothingIsHeld(t)
}

// Under -race, this reports a body that messages share.
func TestARequestWithABodyOpensASocketWithoutIt(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	u, err := url.Parse(a.url)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 5\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\nhello", u.RequestURI(), u.Host)
	answers := bufio.NewReader(conn)
	res, err := http.ReadResponse(answers, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	for range socketAtOnce {
		if err := wsutil.WriteClientMessage(conn, ws.OpText, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)); err != nil {
			t.Fatal(err)
		}
	}
	for range socketAtOnce {
		header, err := ws.ReadHeader(answers)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, answers, header.Length); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAMessageThatDoesNotComeEndsItsSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, served := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, client) }()
		accepted := make(chan struct{})
		pipes := &accesstest.PipeListener{Conns: make(chan net.Conn, 1), Ended: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, err := websocket.Accept(w, r, nil)
			if err != nil {
				t.Error(err)
				return
			}
			close(accepted)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c := &socket{Server: &Server{guard: &access.Guard{}}, conn: conn, ctx: ctx, cancel: cancel}
			begun := time.Now()
			if _, _, err := c.receive(nil); err == nil || time.Since(begun) != time.Hour+socketReadTime {
				t.Errorf("%v after %s", err, time.Since(begun))
			}
			_ = conn.CloseNow()
		})}
		go func() { _ = server.Serve(pipes) }()
		pipes.Conns <- served
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		<-accepted
		// An idle connection has no deadline.
		time.Sleep(time.Hour)
		if err := ws.WriteHeader(client, ws.Header{Fin: true, OpCode: ws.OpText, Masked: true, Length: 100}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * socketReadTime)
		_ = server.Close()
		_ = client.Close()
		synctest.Wait()
	})
}

func TestADisabledProjectsSocketEndsWithItsNextRequest(t *testing.T) {
	p := accesstest.Enabled()
	a := onAirFor(t, &accesstest.Book{Project: p})
	c := a.dial(t)
	p.Enabled = false
	a.projects.Forget(accesstest.Known)
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)
	wantClose(t, c, websocket.StatusPolicyViolation)
}

func TestSocketsThatCameAndWentLeaveNothing(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	before := runtime.NumGoroutine()
	for range 20 {
		var conns []*websocket.Conn
		for range 10 {
			c := a.dial(t)
			send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)
			hear(t, c)
			conns = append(conns, c)
		}
		<-a.requested
		for i, c := range conns {
			if i%2 == 0 {
				_ = c.Close(websocket.StatusNormalClosure, "")
			} else {
				_ = c.CloseNow()
			}
		}
		<-a.left
	}
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before+5; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
		time.Sleep(10 * time.Millisecond)
	}
}
