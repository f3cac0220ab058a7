package chains

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/heads"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/proxy"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// stream is the stream of a subscription that began when begun is closed.
type stream struct {
	grpc.ServerStream
	ctx   context.Context
	begun chan struct{}
}

func (s stream) Context() context.Context { return s.ctx }

func (s stream) SendHeader(metadata.MD) error {
	close(s.begun)
	return nil
}

func (s stream) Send(*chainsv1.SubscribeResponse) error { return nil }

func TestSubscriptionsLeaveBytesToTheSuitesOwnCalls(t *testing.T) {
	const chainID = "eip155:31337"
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch string(body) {
		case chainstest.ChainIDProbe:
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`)
		case chainstest.HeadProbe:
			_, _ = io.WriteString(w, chainstest.BlockAt(300_000))
		default:
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":"0x%s"}`, strings.Repeat("00", 32<<10))
		}
	}))
	t.Cleanup(node.Close)
	client := upstream.New(10*time.Second, 10<<20)
	t.Cleanup(client.Close)
	p := pool.New(pool.Chain{ID: chainID, Nodes: []string{node.URL}}, client, clock.System{}, slog.New(slog.DiscardHandler))
	t.Cleanup(p.Close)
	memory := limit.NewMemory(1 << 20)
	s := &server{
		heads:   heads.New(func(context.Context, string, rpc.Head) error { return nil }, clock.System{}, slog.New(slog.DiscardHandler)),
		proxies: map[string]*proxy.Proxy{chainID: proxy.New(p, clock.System{}, proxy.NewResults(), nil, memory)},
		memory:  memory,
	}
	s.heads.Add(p)
	subscribed := 0
	for refused := false; !refused; {
		it, ended := stream{ctx: t.Context(), begun: make(chan struct{})}, make(chan error, 1)
		go func() {
			ended <- subscriptionServer{server: s}.Subscribe(&chainsv1.SubscribeRequest{ChainId: chainID}, it)
		}()
		select {
		case <-it.begun:
			subscribed++
		case <-ended:
			refused = true
		}
	}
	if subscribed < 10 {
		t.Errorf("%d subscriptions were started", subscribed)
	}
	res, err := nodeServer{server: s}.Forward(t.Context(), &chainsv1.ForwardRequest{
		ChainId: chainID, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x0000000000000000000000000000000000000001","latest"]}`),
	})
	if err != nil || !strings.Contains(string(res.GetBody()), "result") {
		t.Errorf("a call beside %d subscriptions: %.100s, %v", subscribed, res.GetBody(), err)
	}
}
