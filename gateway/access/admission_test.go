package access_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestBatchesAreWeighedBeforeTheyAreForwarded(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.0001, 100
	var weight atomic.Int64
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: p}, accesstest.Conn{chainsv1.NodeService_Forward_FullMethodName: func(m proto.Message) (proto.Message, error) {
		weight.Add(10 * int64(strings.Count(string(m.(*chainsv1.ForwardRequest).GetBody()), "eth_getLogs")))
		return &chainsv1.ForwardResponse{Body: []byte(`[]`)}, nil
	}})
	batch := "[" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"},`, 5), ",") + "]"
	// Every header comes before the first body.
	var refused atomic.Int64
	var all, begun sync.WaitGroup
	rest := make(chan struct{})
	for range 20 {
		body, caller := io.Pipe()
		begun.Add(1)
		all.Go(func() {
			w := httptest.NewRecorder()
			g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, body))
			if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "" {
				refused.Add(1)
			}
		})
		all.Go(func() {
			_, _ = io.WriteString(caller, batch[:1])
			begun.Done()
			<-rest
			_, _ = io.WriteString(caller, batch[1:])
			_ = caller.Close()
		})
	}
	begun.Wait()
	close(rest)
	all.Wait()
	if weight.Load() != 50 || refused.Load() != 19 {
		t.Errorf("calls of weight %d were forwarded and %d requests refused, want 50 of a burst of 100, and 19", weight.Load(), refused.Load())
	}
}

func TestEveryProtocolPaysTheSame(t *testing.T) {
	const balances = "/hawser.balances.v1.BalancesService/"
	for name, c := range map[string]struct {
		path, body string
		want       int
	}{
		"balances of one chain, REST":          {"/v1/account/0x00000000000000000000000000000000000000aa/balance?currency=usd&chainId=eip155:1", "", 2},
		"balances of all chains, REST":         {"/v1/account/0x00000000000000000000000000000000000000aa/balance?currency=usd", "", 30},
		"balances of all chains, RPC":          {balances + "GetBalance", `{"address":"0x00000000000000000000000000000000000000aa","currency":"usd"}`, 30},
		"balances of all chains, JSON-RPC":     {"/v1/wallet", `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0x00000000000000000000000000000000000000aa"}}`, 30},
		"a portfolio":                          {balances + "GetPortfolio", `{}`, 30},
		"one price":                            {balances + "ListPrices", `{"addresses":["a"]}`, 1},
		"a hundred prices":                     {balances + "ListPrices", `{"addresses":["a"` + strings.Repeat(`,"a"`, 99) + `]}`, 10},
		"logs":                                 {"/v1?chainId=eip155:1", `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}`, 10},
		"receipts of a block":                  {"/v1?chainId=eip155:1", `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts"}`, 5},
		"the NFTs of an account, over Connect": {"/hawser.nfts.v1.NftsService/ListNfts", `{}`, 5},
	} {
		t.Run(name, func(t *testing.T) {
			p := accesstest.Enabled()
			p.RequestsPerSecond, p.Burst = 0.0001, 1000
			g := gatewaytest.OpenOn(t, &accesstest.Book{Project: p}, accesstest.Conn{balancesv1.BalancesService_GetBalance_FullMethodName: func(proto.Message) (proto.Message, error) {
				return &balancesv1.GetBalanceResponse{}, nil
			}})
			separator := "?"
			if strings.Contains(c.path, "?") {
				separator = "&"
			}
			method := http.MethodPost
			if c.body == "" {
				method = http.MethodGet
			}
			paid := 0
			for w := accesstest.Ask(g, method, c.path+separator+"projectId="+accesstest.Known, c.body, "Content-Type", "application/json"); w.Code != http.StatusTooManyRequests; paid++ {
				// Different requests, so that the gateway's cache answers none.
				w = accesstest.Ask(g, method, fmt.Sprintf("%s%sprojectId=%s&n=%d", c.path, separator, accesstest.Known, paid), c.body, "Content-Type", "application/json")
			}
			// A call passes as long as nine tenths of its weight are left.
			if least, most := 1000/c.want-1, 1000/c.want+1; paid < least || paid > most {
				t.Errorf("%d of a burst of 1000 were answered, want %d to %d of weight %d", paid, least, most, c.want)
			}
		})
	}
}

func TestALargeAnswerCountsByItsSize(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.0001, 16
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: p}, accesstest.Conn{chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
		return &chainsv1.ForwardResponse{Body: make([]byte, 3<<20)}, nil
	}})
	answered := 0
	for accesstest.Ask(g, http.MethodPost, accesstest.JSONRPCPath, `{"jsonrpc":"2.0","id":1,"method":"eth_call"}`).Code == http.StatusOK {
		answered++
	}
	if answered != 4 {
		t.Errorf("%d answers of 3 MiB were given for a burst of 16, want 4", answered)
	}
}

// stuckWriter is a client that reads nothing until its channel is closed.
type stuckWriter struct {
	*httptest.ResponseRecorder
	started chan struct{}
	resume  chan struct{}
}

func (w *stuckWriter) Write(p []byte) (int, error) {
	w.started <- struct{}{}
	<-w.resume
	return w.ResponseRecorder.Write(p)
}

func TestAnswersThatAreNotReadLeaveRoomForOthers(t *testing.T) {
	const answer, memory = 200 << 10, 2 << 20
	deps := gatewaytest.Deps(t)
	deps.Memory = limit.NewMemory(memory)
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: accesstest.Enabled()}).Get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: make([]byte, answer)}, nil
		},
	}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "chains", "projects")}, gateway.DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	request := func(address string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber"}`))
		r.RemoteAddr = address + ":1"
		return r
	}
	started, resume := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	stuck := 0
	for ; stuck < 20; stuck++ {
		w := &stuckWriter{httptest.NewRecorder(), started, resume}
		answered := make(chan struct{})
		all.Go(func() {
			defer close(answered)
			g.ServeHTTP(w, request("192.0.2.1"))
		})
		<-started
		if w.Code == http.StatusTooManyRequests {
			break
		}
	}
	if stuck != memory/2/answer {
		t.Errorf("%d answers of one caller wait, want as many as fit into half of the memory", stuck)
	}
	if used := deps.Memory.Used(); used > memory/2 {
		t.Errorf("%d bytes are held for one caller, want %d at most", used, memory/2)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, request("192.0.2.2"))
	if w.Code != http.StatusOK || w.Body.Len() != answer {
		t.Errorf("another caller: status %d with %d bytes", w.Code, w.Body.Len())
	}
	close(resume)
	go func() {
		for range started { //nolint:revive // later parts of the answers
		}
	}()
	all.Wait()
	close(started)
	if used := deps.Memory.Used(); used != 0 {
		t.Errorf("%d bytes are held after all were answered", used)
	}
}

func TestBodiesThatComeSlowlyAreCounted(t *testing.T) {
	deps := gatewaytest.Deps(t)
	deps.Memory = limit.NewMemory(1 << 20)
	services := accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: accesstest.Enabled()}).Get}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "chains", "projects")}, gateway.DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, strings.NewReader(strings.Repeat(" ", 600<<10))))
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("a body over the caller's share: status %d, %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, accesstest.JSONRPCPath, strings.NewReader(strings.Repeat(" ", 1100<<10))))
	if deps.Memory.Used() != 0 {
		t.Errorf("%d bytes are held after the requests", deps.Memory.Used())
	}
}

func TestEachCallOfABatchCounts(t *testing.T) {
	p := accesstest.Enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 5
	g := gatewaytest.Open(t, &accesstest.Book{Project: p})
	batch := "[" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_call"},`, 12), ",") + "]"
	if w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, batch); w.Code != 200 {
		t.Fatalf("the batch itself: status %d", w.Code)
	}
	w := accesstest.Ask(g, "POST", accesstest.JSONRPCPath, "{}")
	seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
	if w.Code != http.StatusTooManyRequests || err != nil || seconds < 500 || seconds > 601 {
		t.Errorf("after 12 calls with room for 5: status %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
}
