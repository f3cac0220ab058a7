package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// reached is a service that keeps the callers of its calls.
type reached struct {
	accesstest.Conn
	callers []caller.Caller
}

func (r *reached) Invoke(ctx context.Context, procedure string, req, resp any, opts ...grpc.CallOption) error {
	if r.Conn[procedure] != nil {
		return r.Conn.Invoke(ctx, procedure, req, resp, opts...)
	}
	r.callers = append(r.callers, caller.FromOutgoing(ctx))
	return nil
}

func (r *reached) NewStream(ctx context.Context, _ *grpc.StreamDesc, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	r.callers = append(r.callers, caller.FromOutgoing(ctx))
	return nil, errors.New("no streams")
}

// How a call is reached at an origin.
const (
	absent        = "not"
	forAll        = "by anybody"
	forAllDevices = "by anybody, with what proves a device"
	forProjects   = "by projects"
	forSignIns    = "by projects, with the tokens of a sign-in"
	forDevices    = "by projects, with what proves a device"
)

func TestEveryCallIsReachedAsItsOptionSays(t *testing.T) {
	project := accesstest.Enabled()
	project.AllowedOrigins = []string{"https://shop.example.org"}
	services := &reached{Conn: accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: project}).Get}}
	cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
	cfg.Limits.RequestsPerSecond, cfg.Limits.OpenRequestsPerSecond = 0, 0
	cfg.Frame.Origin = gatewaytest.WalletOrigin
	deps.FramePages = fstest.MapFS{"index.html": {Data: []byte("<!doctype html><!--config-->")}}
	methods := methodsOf()
	conns := map[string]grpc.ClientConnInterface{}
	for _, m := range methods {
		conns[serviceOf(m)] = services
	}
	conns["projects"] = services
	g, err := gateway.New(gateway.Conns{Services: conns}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods {
		access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(optionsv1.Access)
		want := map[optionsv1.Access]struct{ gateway, wallet string }{
			optionsv1.Access_ACCESS_INTERNAL:          {absent, absent},
			optionsv1.Access_ACCESS_OPEN:              {forAll, absent},
			optionsv1.Access_ACCESS_PROJECT:           {forProjects, absent},
			optionsv1.Access_ACCESS_SIGN_IN:           {forSignIns, absent},
			optionsv1.Access_ACCESS_DEVICE:            {absent, forDevices},
			optionsv1.Access_ACCESS_DEVICE_OPEN:       {absent, forAllDevices},
			optionsv1.Access_ACCESS_PROJECT_OR_DEVICE: {forProjects, forDevices},
		}[access]
		if inWallet, _ := proto.GetExtension(m.Options(), optionsv1.E_InWallet).(bool); inWallet {
			want.wallet = want.gateway
		}
		path := fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name())
		// The gateway answers this call itself, from three others.
		if serviceOf(m) != "features" {
			if got := reach(services, g, "http://gateway.example.org", path, "https://shop.example.org", m); got != want.gateway {
				t.Errorf("%s is reached %s at the gateway, want %s", path, got, want.gateway)
			}
		}
		if got := reach(services, g.Frame, gatewaytest.WalletOrigin, path, gatewaytest.WalletOrigin, m); got != want.wallet {
			t.Errorf("%s is reached %s at the origin of the embedded wallet, want %s", path, got, want.wallet)
		}
	}
}

// reach calls a procedure without and with a project, and returns how it is reached.
func reach(services *reached, h http.Handler, origin, path, from string, m protoreflect.MethodDescriptor) string {
	contentType, body := "application/json", "{}"
	if m.IsStreamingServer() {
		contentType, body = "application/connect+json", "\x00\x00\x00\x00\x02{}"
	}
	call := func(query string) (caller.Caller, bool) {
		services.callers = nil
		accesstest.Ask(h, http.MethodPost, origin+path+query, body, "Content-Type", contentType, "Origin", from, "Hawser-Page-Origin", "https://shop.example.org",
			"Authorization", "Bearer session", "DPoP", "proof")
		if len(services.callers) == 0 {
			return caller.Caller{}, false
		}
		return services.callers[0], true
	}
	if who, ok := call(""); ok {
		if who.Device.Proof != "" {
			return forAllDevices
		}
		return forAll
	}
	who, ok := call("?projectId=" + accesstest.Known)
	switch {
	case !ok:
		return absent
	case who.Device.Proof != "":
		return forDevices
	case who.SessionToken != "":
		return forSignIns
	default:
		return forProjects
	}
}

// methodsOf returns the RPCs of every service.
func methodsOf() (all []protoreflect.MethodDescriptor) {
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "hawser.") {
			return true
		}
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				// The fake has it, for projects.
				if methods.Get(j).FullName() != "hawser.projects.v1.ProjectsService.GetProject" {
					all = append(all, methods.Get(j))
				}
			}
		}
		return true
	})
	return all
}

// serviceOf returns the name of the service of an RPC: names for hawser.names.v1.
func serviceOf(m protoreflect.MethodDescriptor) string {
	return strings.Split(string(m.FullName()), ".")[1]
}
