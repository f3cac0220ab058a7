package gateway

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestBatchesAreWeighedBeforeTheyAreForwarded(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.0001, 100
	var weight atomic.Int64
	g := openOn(t, &book{project: p}, conn{chainsv1.NodeService_Forward_FullMethodName: func(m proto.Message) (proto.Message, error) {
		weight.Add(int64(requestWeight(m.(*chainsv1.ForwardRequest).GetBody())))
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
			g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, jsonRPCPath, body))
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
		"balances of one chain, REST":          {"/v1/account/0x00000000000000000000000000000000000000aa/balance?currency=usd&chainId=eip155:1", "", chainWeight},
		"balances of all chains, REST":         {"/v1/account/0x00000000000000000000000000000000000000aa/balance?currency=usd", "", everyChainWeight},
		"balances of all chains, RPC":          {balances + "GetBalance", `{"address":"0x00000000000000000000000000000000000000aa","currency":"usd"}`, everyChainWeight},
		"balances of all chains, JSON-RPC":     {"/v1/wallet", `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0x00000000000000000000000000000000000000aa"}}`, everyChainWeight},
		"a portfolio":                          {balances + "GetPortfolio", `{}`, everyChainWeight},
		"one price":                            {balances + "ListPrices", `{"addresses":["a"]}`, 1},
		"a hundred prices":                     {balances + "ListPrices", `{"addresses":["a"` + strings.Repeat(`,"a"`, 99) + `]}`, 10},
		"logs":                                 {"/v1?chainId=eip155:1", `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}`, logsWeight},
		"receipts of a block":                  {"/v1?chainId=eip155:1", `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts"}`, heavyWeight},
		"the NFTs of an account, over Connect": {"/hawser.nfts.v1.NftsService/ListNfts", `{}`, listingWeight},
	} {
		t.Run(name, func(t *testing.T) {
			p := enabled()
			p.RequestsPerSecond, p.Burst = 0.0001, 1000
			g := openOn(t, &book{project: p}, conn{balancesv1.BalancesService_GetBalance_FullMethodName: func(proto.Message) (proto.Message, error) {
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
			for w := ask(g, method, c.path+separator+"projectId="+known, c.body, "Content-Type", "application/json"); w.Code != http.StatusTooManyRequests; paid++ {
				// Different requests, so that the gateway's cache answers none.
				w = ask(g, method, fmt.Sprintf("%s%sprojectId=%s&n=%d", c.path, separator, known, paid), c.body, "Content-Type", "application/json")
			}
			// A call passes as long as nine tenths of its weight are left.
			if least, most := 1000/c.want-1, 1000/c.want+1; paid < least || paid > most {
				t.Errorf("%d of a burst of 1000 were answered, want %d to %d of weight %d", paid, least, most, c.want)
			}
		})
	}
}

func TestALargeAnswerCountsByItsSize(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.0001, 16
	g := openOn(t, &book{project: p}, conn{chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
		return &chainsv1.ForwardResponse{Body: make([]byte, 3<<20)}, nil
	}})
	answered := 0
	for ask(g, http.MethodPost, jsonRPCPath, `{"jsonrpc":"2.0","id":1,"method":"eth_call"}`).Code == http.StatusOK {
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
	deps := testDeps(t)
	deps.Memory = limit.NewMemory(memory)
	services := conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&book{project: enabled()}).get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: make([]byte, answer)}, nil
		},
	}
	g, err := New(Conns{Chains: services, Projects: services}, DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	request := func(address string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, jsonRPCPath, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber"}`))
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
	deps := testDeps(t)
	deps.Memory = limit.NewMemory(1 << 20)
	services := conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&book{project: enabled()}).get}
	g, err := New(Conns{Chains: services, Projects: services}, DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, jsonRPCPath, strings.NewReader(strings.Repeat(" ", 600<<10))))
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("a body over the caller's share: status %d, %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, jsonRPCPath, strings.NewReader(strings.Repeat(" ", 1100<<10))))
	if deps.Memory.Used() != 0 {
		t.Errorf("%d bytes are held after the requests", deps.Memory.Used())
	}
}
