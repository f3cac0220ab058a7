package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// counted answers each call with another name, and with a policy.
type counted struct {
	balancesv1.UnimplementedBalancesServiceServer
	policy cachecontrol.Policy
	calls  int
}

func (s *counted) GetBalance(ctx context.Context, _ *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	s.calls++
	if s.policy.MaxAge > 0 {
		cachecontrol.Set(ctx, s.policy)
	}
	return &balancesv1.GetBalanceResponse{Balances: []*balancesv1.Balance{{Name: fmt.Sprint(s.calls)}}}, nil
}

// cachedBalances serves s over REST through a cache.
func cachedBalances(t *testing.T, s *counted) (*AnswerCache, func(method, url string) string) {
	t.Helper()
	var local run.Local
	local.Unary = func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		return h(ctx, req)
	}
	balancesv1.RegisterBalancesServiceServer(&local, s)
	rest := New(func(context.Context, any) {})
	if err := balancesv1.RegisterBalancesServiceHandlerClient(t.Context(), rest, balancesv1.NewBalancesServiceClient(policyConn{&local})); err != nil {
		t.Fatal(err)
	}
	answers := NewAnswerCache()
	h := answers.Wrap(rest)
	return answers, func(method, url string) string {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, url, http.NoBody))
		if got := w.Header().Get("Content-Type"); w.Code == http.StatusOK && got != "application/json" {
			t.Errorf("the content type is %q", got)
		}
		for name := range w.Header() {
			if name != "Content-Type" {
				t.Errorf("the response has the header %s", name)
			}
		}
		return w.Body.String()
	}
}

func TestTheGatewayKeepsAnAnswerUntilItsChainHasANewBlock(t *testing.T) {
	s := &counted{policy: cachecontrol.Policy{MaxAge: time.Hour, ChainID: "eip155:1", Head: "0xa"}}
	answers, get := cachedBalances(t, s)
	const url = "/v1/account/0x1/balance?currency=usd&chainId=eip155:1"
	answers.OnHead("eip155:1", "0xa")

	first, second := get("GET", url), get("GET", url)
	other := get("GET", url+"&projectId=2")
	answers.OnHead("eip155:10", "0xb")
	third := get("GET", url)
	answers.OnHead("eip155:1", "0xc")
	old, again := get("GET", url), get("GET", url)

	if first != second || third != first {
		t.Errorf("the answer was not kept: %s, %s, %s", first, second, third)
	}
	if other == first {
		t.Error("another project got the answer")
	}
	if old == first || again == old {
		t.Errorf("an answer from before the newest block was kept: %s, %s, %s", first, old, again)
	}
}

func TestTheGatewayKeepsNothingWithoutAPolicy(t *testing.T) {
	s := &counted{}
	_, get := cachedBalances(t, s)
	const url = "/v1/account/0x1/balance?currency=usd"
	if a, b := get("GET", url), get("GET", url); a == b {
		t.Errorf("the answer was kept: %s", a)
	}
}

func TestTheGatewayDropsAnAnswerAtItsAge(t *testing.T) {
	s := &counted{policy: cachecontrol.Policy{MaxAge: 20 * time.Millisecond}}
	_, get := cachedBalances(t, s)
	const url = "/v1/account/0x1/balance?currency=usd"
	first := get("GET", url)
	for deadline := time.Now().Add(10 * time.Second); get("GET", url) == first; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the answer is still kept")
		}
	}
}

func TestTheGatewayDropsEveryAnswerWhenBlocksWereMissed(t *testing.T) {
	s := &counted{policy: cachecontrol.Policy{MaxAge: time.Hour}}
	answers, get := cachedBalances(t, s)
	const url = "/v1/account/0x1/balance?currency=usd"
	first := get("GET", url)
	answers.Reset()
	if get("GET", url) == first {
		t.Error("the answer was kept")
	}
}

// A caller may ask for the same with as many URLs as it likes.
func TestManySmallAnswersTakeNoMoreThanTheBound(t *testing.T) {
	c := NewAnswerCache()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 300_000 {
		c.kept.Set(fmt.Sprint("/v1/account/0x0/balance?n=", i), &keptAnswer{
			header: http.Header{"Content-Type": {"application/json"}}, body: []byte(fmt.Sprint(i)), policy: cachecontrol.Policy{MaxAge: time.Hour},
		})
	}
	if grown := int64(heap()) - int64(before); grown > answersBytes {
		t.Errorf("the answers take %d bytes", grown)
	}
	runtime.KeepAlive(c)
}
