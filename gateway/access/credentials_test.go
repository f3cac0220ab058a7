package access_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// received keeps the caller of the last call of a service.
type received struct{ last caller.Caller }

func (r *received) Invoke(ctx context.Context, procedure string, _, resp any, _ ...grpc.CallOption) error {
	r.last = caller.FromOutgoing(ctx)
	if session, ok := resp.(*authv1.GetSessionResponse); ok {
		proto.Merge(session, &authv1.GetSessionResponse{Session: &authv1.Session{Address: "0x1", ChainIds: []string{"eip155:1"}}})
	}
	return nil
}

func (*received) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("there are no streams")
}

func TestTokensOfSignInReachTheAuthServiceOnly(t *testing.T) {
	auth, names := &received{}, &received{}
	projects := accesstest.Conn{"/hawser.projects.v1.ProjectsService/GetProject": func(proto.Message) (proto.Message, error) {
		return &projectsv1.GetProjectResponse{Project: accesstest.Enabled()}, nil
	}}
	g, err := gateway.New(gateway.Conns{Services: map[string]grpc.ClientConnInterface{"auth": auth, "names": names, "projects": projects}}, gateway.DefaultConfig(), gatewaytest.Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	headers := []string{"Authorization", "bearer the-session", "X-Nonce-Jwt", "Bearer the-nonce", "Origin", "https://shop.example"}
	res := accesstest.Ask(g, http.MethodGet, "/auth/v1/me?projectId="+accesstest.Known, "", headers...)
	want := caller.Caller{Project: accesstest.Known, Origin: "https://shop.example", Address: "192.0.2.1", SessionToken: "the-session", NonceToken: "the-nonce"}
	if res.Code != http.StatusOK || auth.last != want || res.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d, %+v, want %+v: %s", res.Code, auth.last, want, res.Body)
	}
	if res := accesstest.Ask(g, http.MethodGet, "/v1/profile/installation?projectId="+accesstest.Known, "", headers...); res.Code != http.StatusOK {
		t.Fatalf("%d: %s", res.Code, res.Body)
	}
	if names.last.Project != accesstest.Known || names.last.SessionToken != "" || names.last.NonceToken != "" {
		t.Errorf("another service received %+v", names.last)
	}
	for _, value := range []string{"", "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer " + strings.Repeat("a", 512), "the-session"} {
		accesstest.Ask(g, http.MethodGet, "/auth/v1/me?projectId="+accesstest.Known, "", "Authorization", value)
		if auth.last.SessionToken != "" {
			t.Errorf("%.20q became the token %.20q", value, auth.last.SessionToken)
		}
	}
}
