package run_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/peertls/peertlstest"
	"github.com/hawser-dev/hawser/services/platform/run"
)

func TestProcessesWithTLSAnswerOnlyProcessesOfTheSuite(t *testing.T) {
	const name = "hawser.test.svc"
	authority := peertlstest.NewAuthority(t)
	identity := func(a *peertlstest.Authority) *peertls.Identity {
		i, err := peertls.New(a.Issue(t, t.TempDir(), 24*time.Hour, name), clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		return i
	}

	address := freeport.Address()
	host := &run.Mesh{TLS: identity(authority)}
	host.Host(run.Service{Name: "projects", Register: func(r grpc.ServiceRegistrar) {
		projectsv1.RegisterProjectsServiceServer(r, &named{name: "a"})
	}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- host.Serve(ctx, address) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})

	for _, test := range []struct {
		what   string
		caller *run.Mesh
		want   codes.Code
	}{
		{"a process of the suite", &run.Mesh{TLS: identity(authority)}, codes.OK},
		{"a process of another authority", &run.Mesh{TLS: identity(peertlstest.NewAuthority(t))}, codes.Unavailable},
		{"a process without TLS", &run.Mesh{}, codes.Unavailable},
	} {
		test.caller.Peers = map[string]string{"projects": address}
		conn, err := test.caller.Conn("projects")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.(*grpc.ClientConn).Close() })
		calling, end := context.WithTimeout(t.Context(), 10*time.Second)
		_, err = projectsv1.NewProjectsServiceClient(conn).GetProject(calling, &projectsv1.GetProjectRequest{}, grpc.WaitForReady(test.want == codes.OK))
		end()
		if status.Code(err) != test.want {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
	}
}
