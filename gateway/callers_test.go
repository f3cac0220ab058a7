package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/coder/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestLinesThatACallerAddsBeforeItsProxysDoNotMakeItAnother(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 3
	cfg := DefaultConfig()
	cfg.TrustForwardedFor = true
	g := openWith(t, cfg, &book{project: p}, nil)
	refused := 0
	for i := range 10 {
		req := httptest.NewRequest(http.MethodPost, jsonRPCPath, strings.NewReader("{}"))
		req.Header.Add("X-Forwarded-For", fmt.Sprintf("9.9.9.%d", i))
		req.Header.Add("X-Forwarded-For", "203.0.113.9")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		if w.Code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 7 {
		t.Errorf("%d of 10 requests were refused, want 7", refused)
	}
}

func TestAddressesOfOneIPv6NetworkAreOneCaller(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 1
	g := open(t, &book{project: p})
	for i, want := range []int{200, 429, 429} {
		req := httptest.NewRequest(http.MethodPost, jsonRPCPath, strings.NewReader("{}"))
		req.RemoteAddr = fmt.Sprintf("[2001:db8::%d]:4000", i+1)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		if w.Code != want {
			t.Errorf("address %d: status %d, want %d", i, w.Code, want)
		}
	}
}

func TestAProjectWithoutARateHasTheOperators(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Limits.RequestsPerSecond, cfg.Limits.Burst = 0.01, 2
	g := openWith(t, cfg, &book{project: enabled()}, nil)
	for i, want := range []int{200, 200, 429} {
		if w := ask(g, "POST", jsonRPCPath, "{}"); w.Code != want {
			t.Errorf("request %d: status %d, want %d", i, w.Code, want)
		}
	}
	if d := DefaultLimits(); d.RequestsPerSecond <= 0 || d.OpenRequestsPerSecond <= 0 {
		t.Errorf("there is no rate: %+v", d)
	}
}

func TestWhatIsOpenToAllHasARateByAddress(t *testing.T) {
	for _, c := range []struct{ method, path string }{
		{"GET", "/health"}, {"GET", "/docs"}, {"GET", "/openapi.json"}, {"GET", "/v1/networks"}, {"GET", "/v1/supported-chains?projectId=" + known},
		{"POST", "/v1/onramp/webhooks/harbor-pay"}, {"GET", "/sandbox/checkout/x"}, {"GET", "/v1/profile/account/alice.hawser.id"}, {"GET", "/nowhere"},
		{"POST", "/hawser.chains.v1.ChainsService/ListNetworks"},
		// The project id of these calls is in their bodies only.
		{"POST", pricePath},
		// Ids that no project has are looked up.
		{"GET", "/v1/account/0x/history?projectId=%032x"},
	} {
		cfg := DefaultConfig()
		cfg.Limits.OpenRequestsPerSecond, cfg.Limits.OpenBurst = 0.01, 3
		g := openWith(t, cfg, &book{}, nil)
		for i := range 4 {
			path := c.path
			if strings.Contains(path, "%") {
				path = fmt.Sprintf(path, i+10)
			}
			w := ask(g, c.method, path, "{}", "Content-Type", "application/json")
			limited := w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != ""
			if limited != (i == 3) {
				t.Errorf("%s %s, request %d: status %d", c.method, c.path, i, w.Code)
			}
		}
	}
}

func TestEveryCallCarriesItsCallerToTheServices(t *testing.T) {
	readCaller := func(ctx context.Context) caller.Caller {
		return caller.From(metadata.NewIncomingContext(ctx, caller.OutgoingMetadata(ctx)))
	}
	var mu sync.Mutex
	var got []caller.Caller
	listen := listener{conn: conn{}, received: func(ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, readCaller(ctx))
	}}
	b := &book{project: enabled()}
	g, err := New(Conns{Activity: listen, Names: listen, NFTs: listen, Balances: listen, Chains: listen, Convert: listen, Onramp: listen, Sandbox: listen, Projects: conn{
		"/hawser.projects.v1.ProjectsService/GetProject": b.get,
	}}, DefaultConfig(), testDeps(t))
	if err != nil {
		t.Fatal(err)
	}
	const project = "?projectId=" + known
	for _, c := range []struct{ method, path, project string }{
		{"POST", jsonRPCPath, known},
		{"POST", "/v1/wallet" + project, known},
		{"GET", "/v1/account/0x0000000000000000000000000000000000000001/history" + project, known},
		{"GET", "/v1/profile/account/alice.hawser.id", ""},
		{"GET", "/v1/profile/account/alice.hawser.id" + project, known},
		{"GET", "/v1/networks", ""},
		{"POST", "/v1/onramp/webhooks/harbor-pay", ""},
		{"GET", "/sandbox/checkout/x", ""},
		{"POST", "/hawser.balances.v1.BalancesService/GetBalance" + project, known},
		{"POST", "/hawser.chains.v1.ChainsService/ListNetworks", ""},
	} {
		got = nil
		ask(g, c.method, c.path, `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0x0000000000000000000000000000000000000001"}}`,
			"Content-Type", "application/json")
		if len(got) == 0 || got[0] != (caller.Caller{Project: c.project, Address: "192.0.2.1"}) {
			t.Errorf("%s %s: got %+v", c.method, c.path, got)
		}
	}
}

// listener calls heard for every call.
type listener struct {
	conn
	received func(ctx context.Context)
}

func (l listener) Invoke(ctx context.Context, procedure string, req, resp any, opts ...grpc.CallOption) error {
	l.received(ctx)
	return l.conn.Invoke(ctx, procedure, req, resp, opts...)
}

func TestABodyIsReadOnlyAfterTheProjectIsFound(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for _, path := range []string{jsonRPCPath, pricePath + "?projectId=" + known, "/v1/json-rpc?projectId=" + known, "/hawser.balances.v1.BalancesService/GetBalance?projectId=" + known} {
		unknown := strings.Replace(path, known, "ffffffffffffffffffffffffffffffff", 1)
		read := &watchedBody{}
		req := httptest.NewRequest(http.MethodPost, unknown, read)
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		// JSON-RPC of wallets is refused under the request's id, which is in the body.
		if wants := strings.HasPrefix(path, "/v1/json-rpc"); read.was != wants {
			t.Errorf("%s: status %d, the body was read: %v", path, w.Code, read.was)
		}
	}
}

type watchedBody struct{ was bool }

func (b *watchedBody) Read([]byte) (int, error) {
	b.was = true
	return 0, io.EOF
}

// serveOn serves a gateway at an address.
func serveOn(stopping context.Context, t *testing.T, cfg Config) string {
	t.Helper()
	deps := testDeps(t)
	deps.Stopping = stopping
	services := conn{"/hawser.projects.v1.ProjectsService/GetProject": (&book{project: enabled()}).get}
	g, err := New(Conns{Activity: services, Names: services, NFTs: services, Balances: services, Chains: services, Convert: services, Onramp: services, Sandbox: services, Projects: services}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(g)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

var slowPaths = []string{
	jsonRPCPath, "/v1/json-rpc?projectId=" + known, pricePath, "/v1/profile/account", "/v1/onramp/webhooks/harbor-pay", "/sandbox/checkout/x/pay",
	"/hawser.balances.v1.BalancesService/GetBalance?projectId=" + known, "/nowhere",
}

// slowBodies opens n requests without sending their bodies, and returns a function that waits until all of them have ended.
func slowBodies(t *testing.T, address string, n int) (over func()) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		path := slowPaths[i%len(slowPaths)]
		_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", path)
		all.Go(func() {
			_ = c.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := io.Copy(io.Discard, c); err != nil {
				t.Errorf("%s: the connection is still open: %v", path, err)
			}
		})
	}
	return all.Wait
}

func TestBodiesThatDoNotComeAreCut(t *testing.T) {
	cfg := DefaultConfig()
	cfg.BodyTimeout = 200 * time.Millisecond
	slowBodies(t, serveOn(t.Context(), t, cfg), 400)()
}

func TestBodiesThatDoNotComeAreCutWhenTheProcessEnds(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	over := slowBodies(t, serveOn(stopping, t, DefaultConfig()), len(slowPaths))
	stop()
	over()
}

func TestALateBodyIsRefusedWithItsReason(t *testing.T) {
	cfg := DefaultConfig()
	cfg.BodyTimeout = 100 * time.Millisecond
	c, err := net.Dial("tcp", serveOn(t.Context(), t, cfg))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{", jsonRPCPath)
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(body), "did not come within 100ms") {
		t.Errorf("status %d: %s", res.StatusCode, body)
	}
}

func TestABodyThatCameLeavesNoDeadlineBehind(t *testing.T) {
	cfg := DefaultConfig()
	cfg.BodyTimeout = 50 * time.Millisecond
	block := make(chan struct{})
	deps := testDeps(t)
	b := &book{project: enabled()}
	services := conn{
		"/hawser.projects.v1.ProjectsService/GetProject": b.get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			<-block
			return &chainsv1.ForwardResponse{Body: []byte("{}")}, nil
		},
	}
	g, err := New(Conns{Activity: services, Names: services, NFTs: services, Balances: services, Chains: services, Onramp: services, Sandbox: services, Projects: services}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g)
	defer server.Close()
	time.AfterFunc(4*cfg.BodyTimeout, func() { close(block) })
	for range 2 {
		res, err := http.Post(server.URL+jsonRPCPath, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("status %d", res.StatusCode)
		}
		time.Sleep(2 * cfg.BodyTimeout)
	}
}

func TestConcurrentHealthRequestsShareOneCheck(t *testing.T) {
	deps := testDeps(t)
	requests := 0
	deps.Ready = func(context.Context) error { requests++; return nil }
	g, err := New(Conns{Projects: conn{}}, DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if w := ask(g, "GET", "/health", ""); w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
	}
	if requests > 2 {
		t.Errorf("requested %d times", requests)
	}
}

func TestOneCallerHoldsSoManySocketsAndFilterEntries(t *testing.T) {
	limits := DefaultLimits()
	limits.Sockets, limits.FilterEntries = 2, 3
	a := onAirWith(t, &book{project: enabled()}, limits)
	first, second := a.dial(t), a.dial(t)
	if _, res, err := websocket.Dial(t.Context(), a.url, nil); err == nil || res.StatusCode != http.StatusTooManyRequests {
		t.Fatalf("a third connection: %v, %v", res, err)
	}
	subscribe := func(c *websocket.Conn, topics, want string) {
		t.Helper()
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs",{"topics":[`+topics+`]}]}`)
		if got := hear(t, c); !strings.Contains(got, want) {
			t.Errorf("%s: answered %s, want %s", topics, got, want)
		}
	}
	subscribe(first, `["`+someTopic+`","`+otherTopic+`"]`, `"result"`)
	subscribe(second, `["`+someTopic+`","`+otherTopic+`"]`, `"code":-32005`)
	subscribe(second, `"`+someTopic+`"`, `"result"`)
	if err := first.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Fatal(err)
	}
	// What a connection held is released with it.
	for range 100 {
		c, res, err := websocket.Dial(t.Context(), a.url, nil)
		if err == nil {
			subscribe(second, `["`+someTopic+`","`+otherTopic+`"]`, `"result"`)
			_ = c.CloseNow()
			return
		}
		if res == nil || res.StatusCode != http.StatusTooManyRequests {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("what a connection held is held still")
}

func TestOneCallerHoldsAtMostAnEighthByDefault(t *testing.T) {
	l := DefaultLimits()
	for _, s := range []limit.Share{
		l.sockets(), l.filterEntries(), logSubscriptions, solanaShare("c", slotSubscription), solanaShare("c", "accountSubscribe"), relayConnections, relayWaiting,
	} {
		if s.Each > s.Total/8 {
			t.Errorf("one caller holds %d of %d %s", s.Each, s.Total, s.Name)
		}
	}
}

func TestACallerWhoReadsIsNotLetGoForABurst(t *testing.T) {
	limits := DefaultLimits()
	limits.RequestsPerSecond = 0
	a := onAirWith(t, &book{project: enabled()}, limits)
	c := a.dial(t)
	c.SetReadLimit(1 << 20)
	const burst = 5_000
	go func() {
		for i := range burst {
			if c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"eth_chainId"}`, i)) != nil {
				return
			}
		}
	}()
	for range burst {
		hear(t, c)
	}
}

// endless is a service whose streams send nothing until they are cancelled.
type endless struct{ conn }

func (endless) NewStream(ctx context.Context, _ *grpc.StreamDesc, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return endlessStream{ctx: ctx}, nil
}

type endlessStream struct {
	grpc.ClientStream
	ctx context.Context
}

func (endlessStream) SendMsg(any) error { return nil }
func (endlessStream) CloseSend() error  { return nil }

func (s endlessStream) RecvMsg(any) error {
	<-s.ctx.Done()
	return status.FromContextError(s.ctx.Err()).Err()
}

func TestStreamsEndAsUnavailableWhenTheProcessEnds(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	defer stop()
	deps := testDeps(t)
	deps.Stopping = stopping
	services := conn{"/hawser.projects.v1.ProjectsService/GetProject": (&book{project: enabled()}).get}
	g, err := New(Conns{Projects: services, Updates: endless{services}, Convert: endless{services}}, DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g)
	defer server.Close()
	for name, opts := range map[string][]connect.ClientOption{"connect": nil, "grpc-web": {connect.WithGRPCWeb()}} {
		client := connect.NewClient[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](server.Client(),
			server.URL+updatesv1connect.UpdatesServiceWatchAccountProcedure, opts...)
		req := connect.NewRequest(&updatesv1.WatchAccountRequest{Address: someAddress, ChainId: "eip155:1", Currency: "usd"})
		req.Header().Set(projectHeader, known)
		time.AfterFunc(50*time.Millisecond, stop)
		stream, err := client.CallServerStream(t.Context(), req)
		if err == nil {
			for stream.Receive() {
			}
			err = stream.Err()
		}
		if connect.CodeOf(err) != connect.CodeUnavailable {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
}

func TestNullIsAnAmountThatTheServiceRefuses(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{onrampv1.OnrampService_ListQuotes_FullMethodName: func(proto.Message) (proto.Message, error) {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_AMOUNT_INVALID, "sourceAmount", "it is no amount")
	}})
	for amount, want := range map[string]int{`"sourceAmount":null,`: 400, ``: 422} {
		body := `{"projectId":"` + known + `",` + amount + `"destinationCurrencyCode":"ETH","sourceCurrencyCode":"USD"}`
		if w := ask(g, "POST", "/v1/onramp/multi/quotes", body); w.Code != want {
			t.Errorf("%q: status %d: %s", amount, w.Code, w.Body)
		}
	}
}

func TestWhatIsWrongWithABodyIsSaidWithoutAProjectToo(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for body, want := range map[string]int{`{"coin_type":"60"}`: 422, `{`: 400} {
		for _, path := range []string{"/v1/profile/account", "/v1/profile/account?projectId=" + known} {
			if w := ask(g, "POST", path, body); w.Code != want {
				t.Errorf("%s to %s: status %d, want %d: %s", body, path, w.Code, want, w.Body)
			}
		}
	}
}
