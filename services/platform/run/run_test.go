package run_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"

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
