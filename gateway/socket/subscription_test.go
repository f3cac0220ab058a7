package socket

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

func TestAConnectionThatEndedHasNoSubscriptionsWhileItsRequestsEnd(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	chain := chainOnAir{requested: make(chan *chainsv1.SubscribeRequest, 1), tell: make(chan string), left: make(chan struct{}, 1), Conn: accesstest.Conn{
		chainsv1.NodeService_Forward_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if strings.Contains(string(req.(*chainsv1.ForwardRequest).GetBody()), "getHealth") {
				close(asked)
				<-answer
			}
			return &chainsv1.ForwardResponse{Body: []byte(`{}`)}, nil
		},
	}}
	b := &accesstest.Book{Project: accesstest.Enabled()}
	projects := projectcache.New(projectsv1.NewProjectsServiceClient(accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: b.Get}))
	sockets := New(t.Context(), chain, &access.Guard{Projects: projects, Limiter: limit.NewLocal(clock.System{}, 0), Limits: access.DefaultLimits()})
	server := httptest.NewServer(sockets.Wrap(access.NotFound()))
	defer server.Close()
	c, _, err := websocket.Dial(t.Context(), server.URL+"/v1?chainId=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp&projectId="+accesstest.Known, nil)
	if err != nil {
		t.Fatal(err)
	}
	send(t, c, `{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["x"]}`)
	hear(t, c)
	send(t, c, `{"jsonrpc":"2.0","id":2,"method":"getHealth"}`)
	<-asked
	defer sockets.open.Wait()
	defer close(answer)

	_ = c.CloseNow()

	select {
	case <-chain.left:
	case <-time.After(10 * time.Second):
		t.Error("the subscription goes on until the last request has ended")
	}
}

func TestFewCallersCannotTakeTheSubscriptionsOfAChain(t *testing.T) {
	g := &access.Guard{Limiter: limit.NewLocal(clock.System{}, 0)}
	from := func(i int) *socket {
		return &socket{Server: &Server{guard: g}, ctx: t.Context(), caller: limit.CallerOf("p", fmt.Sprintf("192.0.2.%d", i))}
	}
	subscribe := func(c *socket, method string) bool {
		_, exceeded := c.hold([]hold{{solanaShare("solana:x", method), 1}})
		return exceeded == nil
	}
	taken := 0
	for i := range 20 {
		for c := from(i); taken < solanaLastingTotal && subscribe(c, "accountSubscribe"); taken++ {
		}
	}
	if taken > solanaLastingTotal*9/10 {
		t.Errorf("20 callers hold %d of %d subscriptions to accounts", taken, solanaLastingTotal)
	}
	if !subscribe(from(100), "accountSubscribe") {
		t.Error("a caller that holds nothing is refused")
	}
	if subscribe(from(0), "accountSubscribe") {
		t.Error("a caller holds more than its share")
	}
	if !subscribe(from(0), slotSubscription) || !subscribe(from(0), signatureSubscription) {
		t.Error("a slot or a signature is refused to a caller with many accounts")
	}
}
