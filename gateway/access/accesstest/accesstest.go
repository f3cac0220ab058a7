// Package accesstest has what tests of the gateway need: services that answer with functions, a project, and requests.
package accesstest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Known is the id of the project of [Enabled].
const Known = "00000000000000000000000000000001"

// Conn is a connection to services that answers each procedure with a function. Other procedures fail as they do when nothing listens.
type Conn map[string]func(req proto.Message) (proto.Message, error)

// Invoke calls the function of a procedure.
func (c Conn) Invoke(_ context.Context, procedure string, req, resp any, opts ...grpc.CallOption) error {
	answer, ok := c[procedure]
	if !ok {
		return errors.New("dial tcp 10.0.0.7:7002: connection refused")
	}
	got, err := answer(req.(proto.Message))
	if err != nil {
		return err
	}
	if k, ok := got.(Kept); ok {
		k.setMaxAge(opts)
		got = k.Message
	}
	proto.Merge(resp.(proto.Message), got)
	return nil
}

// Services returns cc as the connection to each service.
func Services(cc grpc.ClientConnInterface, names ...string) map[string]grpc.ClientConnInterface {
	conns := map[string]grpc.ClientConnInterface{}
	for _, name := range names {
		conns[name] = cc
	}
	return conns
}

// Kept is an answer that callers may keep for MaxAge.
type Kept struct {
	proto.Message
	MaxAge time.Duration
}

func (k Kept) setMaxAge(opts []grpc.CallOption) {
	for _, o := range opts {
		if header, ok := o.(grpc.HeaderCallOption); ok {
			*header.HeaderAddr = metadata.Pairs("hawser-cache-max-age", strconv.FormatInt(k.MaxAge.Milliseconds(), 10))
		}
	}
}

// NewStream fails.
func (Conn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.New("no streams here")
}

// Book is a projects service with one project, which a test may change.
type Book struct {
	mu      sync.Mutex
	Project *projectsv1.Project
	// Err is what every request is answered with, unless it is nil.
	Err error
	// Requests counts the requests.
	Requests int
}

// Get answers GetProject.
func (b *Book) Get(req proto.Message) (proto.Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Requests++
	if b.Err != nil {
		return nil, b.Err
	}
	if b.Project.GetId() != req.(*projectsv1.GetProjectRequest).GetId() {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id", "no such project")
	}
	return &projectsv1.GetProjectResponse{Project: proto.CloneOf(b.Project)}, nil
}

// Ask returns what h answers to a request. headers are names and values in turn.
func Ask(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// Refusal is the body of a failure over REST.
type Refusal struct {
	Reasons         []any
	Code, RequestID string
}

// JSONRPCPath is the path of JSON-RPC to a chain for the project [Known].
const JSONRPCPath = "/v1?chainId=eip155:1&projectId=" + Known

// Enabled returns a project that is enabled.
func Enabled() *projectsv1.Project { return &projectsv1.Project{Id: Known, Enabled: true} }

// PricePath is the path of prices, whose requests have the project id in their body.
const PricePath = "/v1/fungible/price"

// WantHeaders reports headers of an answer that differ.
func WantHeaders(t *testing.T, w *httptest.ResponseRecorder, want map[string]string) {
	t.Helper()
	for header, value := range want {
		if got := w.Header().Get(header); got != value {
			t.Errorf("%s is %q, want %q", header, got, value)
		}
	}
}

// ConnectGet returns the path of a Connect call by GET, with its message as JSON.
func ConnectGet(procedure, message string) string {
	return procedure + "?connect=v1&encoding=json&projectId=" + Known + "&message=" + url.QueryEscape(message)
}

// PipeListener accepts the connections of a channel.
type PipeListener struct {
	Conns chan net.Conn
	// Ended is closed by Close.
	Ended chan struct{}
	once  sync.Once
}

// Accept returns the next connection.
func (l *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.Conns:
		return c, nil
	case <-l.Ended:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *PipeListener) Close() error { l.once.Do(func() { close(l.Ended) }); return nil }

// Addr returns no address.
func (*PipeListener) Addr() net.Addr { return &net.TCPAddr{} }
