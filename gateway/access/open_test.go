package access_test

import (
	"net/http"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
)

func TestNamesAreReadWithoutAProject(t *testing.T) {
	const path = "/v1/profile/account/alice.hawser.id"
	b := &accesstest.Book{Project: accesstest.Enabled()}
	g := gatewaytest.OpenOn(t, b, accesstest.Conn{namesv1connect.NamesServiceGetNameProcedure: func(proto.Message) (proto.Message, error) {
		return &namesv1.GetNameResponse{Name: &namesv1.Name{Name: "alice.hawser.id"}}, nil
	}})

	t.Run("up to a rate", func(t *testing.T) {
		for n := range access.DefaultLimits().OpenBurst {
			if w := accesstest.Ask(g, http.MethodGet, path, ""); w.Code != http.StatusOK {
				t.Fatalf("request %d: %d %s", n, w.Code, w.Body)
			}
		}
		for range access.DefaultLimits().OpenBurst {
			if w := accesstest.Ask(g, http.MethodGet, path, ""); w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "" {
				return
			}
		}
		t.Error("there is no rate")
	})

	t.Run("a request that names a project is held to its rules instead", func(t *testing.T) {
		for id, want := range map[string]int{accesstest.Known: http.StatusOK, "ffffffffffffffffffffffffffffffff": http.StatusUnauthorized} {
			if w := accesstest.Ask(g, http.MethodGet, path+"?projectId="+id, ""); w.Code != want {
				t.Errorf("%s: %d %s", id, w.Code, w.Body)
			}
		}
	})
}
