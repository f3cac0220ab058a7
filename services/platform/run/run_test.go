package run_test

import (
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/run"
)

func TestNoServiceWorksInAProcessThatCannotListen(t *testing.T) {
	busy, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	synctest.Test(t, func(t *testing.T) {
		var works atomic.Bool
		m := &run.Mesh{}
		m.Host(run.Service{Name: "projects", Register: func(grpc.ServiceRegistrar) {}, Work: func(ctx context.Context) error {
			works.Store(true)
			defer works.Store(false)
			<-ctx.Done()
			return nil
		}})
		if err := m.Serve(t.Context(), busy.Addr().String()); err == nil {
			t.Error("it listens at a port in use")
		}
		synctest.Wait()
		if works.Load() {
			t.Error("a service works on after the process has ended")
		}
	})
}

func TestAProcessThatIsStoppedWhileItStartsEndsWithoutError(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for range 300 {
		m := &run.Mesh{}
		if err := m.Serve(ctx, "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
}

// blocking implements GetProject, which waits until it is released.
type blocking struct {
	projectsv1.UnimplementedProjectsServiceServer
	entered, released chan struct{}
}

func (s *blocking) GetProject(context.Context, *projectsv1.GetProjectRequest) (*projectsv1.GetProjectResponse, error) {
	s.entered <- struct{}{}
	<-s.released
	return &projectsv1.GetProjectResponse{}, nil
}

func TestAStopWaitsForCallsAndEndsStreams(t *testing.T) {
	for name, test := range map[string]struct {
		drain time.Duration
		want  codes.Code
	}{"a call that ends in time": {time.Hour, codes.OK}, "a call that does not": {time.Millisecond, codes.Unavailable}} {
		t.Run(name, func(t *testing.T) {
			s := &blocking{entered: make(chan struct{}), released: make(chan struct{})}
			m := &run.Mesh{Drain: test.drain}
			m.Host(run.Service{Name: "projects", Register: func(r grpc.ServiceRegistrar) { projectsv1.RegisterProjectsServiceServer(r, s) }})
			address := freeport.Address()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- m.Serve(ctx, address) }()
			waitUntilServed(t, address)
			conn, err := (&run.Mesh{Peers: map[string]string{"projects": address}}).Conn("projects")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.(io.Closer).Close() })
			watch, err := healthpb.NewHealthClient(conn).Watch(t.Context(), &healthpb.HealthCheckRequest{}, grpc.WaitForReady(true))
			if err != nil {
				t.Fatal(err)
			}
			answered := make(chan error, 1)
			go func() {
				_, err := projectsv1.NewProjectsServiceClient(conn).GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: "x"})
				answered <- err
			}()
			<-s.entered
			stop()
			for err == nil {
				_, err = watch.Recv()
			}
			if status.Code(err) != codes.Unavailable {
				t.Errorf("the stream ended with %v", err)
			}
			if test.want == codes.OK {
				close(s.released)
			}
			if err := <-answered; status.Code(err) != test.want {
				t.Errorf("the call ended with %v, want %s", err, test.want)
			}
			if test.want != codes.OK {
				close(s.released)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
