package access_test

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

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
)

func TestABodyIsReadOnlyAfterTheProjectIsFound(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{accesstest.JSONRPCPath, accesstest.PricePath + "?projectId=" + accesstest.Known, "/v1/json-rpc?projectId=" + accesstest.Known, "/hawser.balances.v1.BalancesService/GetBalance?projectId=" + accesstest.Known} {
		unknown := strings.Replace(path, accesstest.Known, "ffffffffffffffffffffffffffffffff", 1)
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
func serveOn(stopping context.Context, t *testing.T, cfg gateway.Config) string {
	t.Helper()
	deps := gatewaytest.Deps(t)
	deps.Stopping = stopping
	services := accesstest.Conn{"/hawser.projects.v1.ProjectsService/GetProject": (&accesstest.Book{Project: accesstest.Enabled()}).Get}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "activity", "names", "nfts", "balances", "chains", "convert", "onramp", "projects")}, cfg, deps)
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
	accesstest.JSONRPCPath, "/v1/json-rpc?projectId=" + accesstest.Known, accesstest.PricePath, "/v1/profile/account", "/v1/onramp/webhooks/harbor-pay",
	"/hawser.balances.v1.BalancesService/GetBalance?projectId=" + accesstest.Known, "/nowhere",
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
	cfg := gateway.DefaultConfig()
	cfg.BodyTimeout = 200 * time.Millisecond
	slowBodies(t, serveOn(t.Context(), t, cfg), 400)()
}

func TestBodiesThatDoNotComeAreCutWhenTheProcessEnds(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	over := slowBodies(t, serveOn(stopping, t, gateway.DefaultConfig()), len(slowPaths))
	stop()
	over()
}

func TestALateBodyIsRefusedWithItsReason(t *testing.T) {
	cfg := gateway.DefaultConfig()
	cfg.BodyTimeout = 100 * time.Millisecond
	c, err := net.Dial("tcp", serveOn(t.Context(), t, cfg))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{", accesstest.JSONRPCPath)
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
	cfg := gateway.DefaultConfig()
	cfg.BodyTimeout = 50 * time.Millisecond
	block := make(chan struct{})
	deps := gatewaytest.Deps(t)
	b := &accesstest.Book{Project: accesstest.Enabled()}
	services := accesstest.Conn{
		"/hawser.projects.v1.ProjectsService/GetProject": b.Get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			<-block
			return &chainsv1.ForwardResponse{Body: []byte("{}")}, nil
		},
	}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "activity", "names", "nfts", "balances", "chains", "onramp", "projects")}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g)
	defer server.Close()
	time.AfterFunc(4*cfg.BodyTimeout, func() { close(block) })
	for range 2 {
		res, err := http.Post(server.URL+accesstest.JSONRPCPath, "application/json", strings.NewReader("{}"))
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
