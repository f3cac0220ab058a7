package gateway

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

func TestAConnectionThatEndedHasNoSubscriptionsWhileItsRequestsEnd(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	chain := chainOnAir{requested: make(chan *chainsv1.SubscribeRequest, 1), tell: make(chan string), left: make(chan struct{}, 1), conn: conn{
		chainsv1.NodeService_Forward_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if strings.Contains(string(req.(*chainsv1.ForwardRequest).GetBody()), "getHealth") {
				close(asked)
				<-answer
			}
			return &chainsv1.ForwardResponse{Body: []byte(`{}`)}, nil
		},
	}}
	b := &book{project: enabled()}
	projects := projectcache.New(projectsv1.NewProjectsServiceClient(conn{projectsv1.ProjectsService_GetProject_FullMethodName: b.get}))
	sockets := newSockets(t.Context(), chain, &guard{projects: projects, limiter: limit.NewLocal(clock.System{}, 0), limits: DefaultLimits()})
	server := httptest.NewServer(sockets.wrap(notFound()))
	defer server.Close()
	c, _, err := websocket.Dial(t.Context(), server.URL+"/v1?chainId=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp&projectId="+known, nil)
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
