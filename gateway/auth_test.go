package gateway

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

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
	projects := conn{"/hawser.projects.v1.ProjectsService/GetProject": func(proto.Message) (proto.Message, error) {
		return &projectsv1.GetProjectResponse{Project: enabled()}, nil
	}}
	g, err := New(Conns{Auth: auth, Names: names, Projects: projects}, DefaultConfig(), testDeps(t))
	if err != nil {
		t.Fatal(err)
	}
	headers := []string{"Authorization", "bearer the-session", nonceHeader, "Bearer the-nonce", "Origin", "https://shop.example"}
	res := ask(g, http.MethodGet, "/auth/v1/me?projectId="+known, "", headers...)
	want := caller.Caller{Project: known, Origin: "https://shop.example", Address: "192.0.2.1", SessionToken: "the-session", NonceToken: "the-nonce"}
	if res.Code != http.StatusOK || auth.last != want || res.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d, %+v, want %+v: %s", res.Code, auth.last, want, res.Body)
	}
	if res := ask(g, http.MethodGet, "/v1/profile/installation?projectId="+known, "", headers...); res.Code != http.StatusOK {
		t.Fatalf("%d: %s", res.Code, res.Body)
	}
	if names.last.Project != known || names.last.SessionToken != "" || names.last.NonceToken != "" {
		t.Errorf("another service received %+v", names.last)
	}
	for _, value := range []string{"", "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer " + strings.Repeat("a", maxToken), "the-session"} {
		ask(g, http.MethodGet, "/auth/v1/me?projectId="+known, "", "Authorization", value)
		if auth.last.SessionToken != "" {
			t.Errorf("%.20q became the token %.20q", value, auth.last.SessionToken)
		}
	}
}

func TestPicturesOfWalletsAreServedByTheirIds(t *testing.T) {
	g, err := New(Conns{Projects: conn{}}, DefaultConfig(), testDeps(t))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/getWalletImage/metamask?projectId=" + known + "&st=appkit": http.StatusOK,
		"/v1/assets/wallets/metamask.svg":                            http.StatusOK,
		"/getWalletImage/unknown":                                    http.StatusNotFound,
		"/v1/assets/wallets/unknown.svg":                             http.StatusNotFound,
	} {
		res := ask(g, http.MethodGet, path, "")
		if res.Code != want || want == http.StatusOK && res.Header().Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %d %s", path, res.Code, res.Header().Get("Content-Type"))
		}
		if !strings.Contains(res.Header().Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s may run scripts", path)
		}
	}
}
