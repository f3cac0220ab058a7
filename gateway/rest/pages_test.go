package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestARequestForAPageOfTheSandboxIsForwardedAsItIs(t *testing.T) {
	var got *sandboxv1.ServePageRequest
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{sandboxv1.PageService_ServePage_FullMethodName: func(req proto.Message) (proto.Message, error) {
		got = req.(*sandboxv1.ServePageRequest)
		return &sandboxv1.ServePageResponse{Status: http.StatusSeeOther, Header: map[string]string{"Location": "/sandbox/checkout/ABC"}, Body: []byte("moved")}, nil
	}})
	r := httptest.NewRequest(http.MethodPost, "/sandbox/checkout/A%2FC/pay?x=1", strings.NewReader("name=%ff"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", "secret")
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sandbox/checkout/ABC" || w.Body.String() != "moved" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	want := &sandboxv1.ServePageRequest{
		Method: http.MethodPost, Uri: "/sandbox/checkout/A%2FC/pay?x=1", Host: "example.com", Body: []byte("name=%ff"),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestARequestForAPageOfTheSandboxHasABound(t *testing.T) {
	if w := accesstest.Ask(onrampDoor(t), http.MethodPost, "/sandbox/checkout/ABC/pay", strings.Repeat("a", 16<<10+1)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAPageThatFailsIsAFault(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{sandboxv1.PageService_ServePage_FullMethodName: func(proto.Message) (proto.Message, error) {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "id", "no")
	}})
	if w := accesstest.Ask(g, http.MethodGet, "/sandbox/checkout/ABC", ""); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestWithoutASandboxThereAreNoPages(t *testing.T) {
	services := accesstest.Conn{}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "projects")}, gateway.DefaultConfig(), gatewaytest.Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	if w := accesstest.Ask(g, http.MethodGet, "/sandbox/checkout/ABC", ""); w.Code != http.StatusNotFound {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
