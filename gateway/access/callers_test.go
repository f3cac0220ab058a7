package access_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

func TestLinesThatACallerAddsBeforeItsProxysDoNotMakeItAnother(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 3
	cfg := gateway.DefaultConfig()
	cfg.TrustForwardedFor = true
	g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{Project: p}, nil)
	refused := 0
	for i := range 10 {
		req := httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, strings.NewReader("{}"))
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
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 1
	g := gatewaytest.Open(t, &accesstest.Book{Project: p})
	for i, want := range []int{200, 429, 429} {
		req := httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, strings.NewReader("{}"))
		req.RemoteAddr = fmt.Sprintf("[2001:db8::%d]:4000", i+1)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		if w.Code != want {
			t.Errorf("address %d: status %d, want %d", i, w.Code, want)
		}
	}
}

func TestAProjectWithoutARateHasTheOperators(t *testing.T) {
	cfg := gateway.DefaultConfig()
	cfg.Limits.RequestsPerSecond, cfg.Limits.Burst = 0.01, 2
	g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{Project: accesstest.Enabled()}, nil)
	for i, want := range []int{200, 200, 429} {
		if w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}"); w.Code != want {
			t.Errorf("request %d: status %d, want %d", i, w.Code, want)
		}
	}
	if d := access.DefaultLimits(); d.RequestsPerSecond <= 0 || d.OpenRequestsPerSecond <= 0 {
		t.Errorf("there is no rate: %+v", d)
	}
}

func TestWhatIsOpenToAllHasARateByAddress(t *testing.T) {
	for _, c := range []struct{ method, path string }{
		{"GET", "/health"}, {"GET", "/docs"}, {"GET", "/openapi.json"}, {"GET", "/v1/networks"}, {"GET", "/v1/supported-chains?projectId=" + accesstest.Known},
		{"POST", "/v1/onramp/webhooks/harbor-pay"}, {"GET", "/v1/profile/account/alice.hawser.id"}, {"GET", "/nowhere"},
		{"POST", "/hawser.chains.v1.ChainsService/ListNetworks"},
		// The project id of these calls is in their bodies only.
		{"POST", accesstest.PricePath},
		// Ids that no project has are looked up.
		{"GET", "/v1/account/0x/history?projectId=%032x"},
	} {
		cfg := gateway.DefaultConfig()
		cfg.Limits.OpenRequestsPerSecond, cfg.Limits.OpenBurst = 0.01, 3
		g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{}, nil)
		for i := range 4 {
			path := c.path
			if strings.Contains(path, "%") {
				path = fmt.Sprintf(path, i+10)
			}
			w := accesstest.Ask(g, c.method, path, "{}", "Content-Type", "application/json")
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
	listen := listener{Conn: accesstest.Conn{}, received: func(ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, readCaller(ctx))
	}}
	b := &accesstest.Book{Project: accesstest.Enabled()}
	g, err := gateway.New(gateway.Conns{Services: map[string]grpc.ClientConnInterface{"activity": listen, "names": listen, "nfts": listen, "balances": listen, "chains": listen, "convert": listen, "onramp": listen, "projects": accesstest.Conn{
		"/hawser.projects.v1.ProjectsService/GetProject": b.Get,
	}}}, gateway.DefaultConfig(), gatewaytest.Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	const project = "?projectId=" + accesstest.Known
	for _, c := range []struct{ method, path, project string }{
		{"POST", accesstest.JSONRPCPath, accesstest.Known},
		{"POST", "/v1/wallet" + project, accesstest.Known},
		{"GET", "/v1/account/0x0000000000000000000000000000000000000001/history" + project, accesstest.Known},
		{"GET", "/v1/profile/account/alice.hawser.id", ""},
		{"GET", "/v1/profile/account/alice.hawser.id" + project, accesstest.Known},
		{"GET", "/v1/networks", ""},
		{"POST", "/v1/onramp/webhooks/harbor-pay", ""},
		{"POST", "/hawser.balances.v1.BalancesService/GetBalance" + project, accesstest.Known},
		{"POST", "/hawser.chains.v1.ChainsService/ListNetworks", ""},
	} {
		got = nil
		accesstest.Ask(g, c.method, c.path, `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0x0000000000000000000000000000000000000001"}}`,
			"Content-Type", "application/json")
		if len(got) == 0 || got[0] != (caller.Caller{Project: c.project, Address: "192.0.2.1"}) {
			t.Errorf("%s %s: got %+v", c.method, c.path, got)
		}
	}
}

// listener calls heard for every call.
type listener struct {
	accesstest.Conn
	received func(ctx context.Context)
}

func (l listener) Invoke(ctx context.Context, procedure string, req, resp any, opts ...grpc.CallOption) error {
	l.received(ctx)
	return l.Conn.Invoke(ctx, procedure, req, resp, opts...)
}
