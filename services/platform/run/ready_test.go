package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/run"
)

func TestChecksAreMadeAtOnceAndTheirErrorsInOrder(t *testing.T) {
	second := make(chan struct{})
	check := run.Checks(
		func(context.Context) error { <-second; return errors.New("first") },
		func(context.Context) error { close(second); return nil },
		func(context.Context) error { return io.EOF },
		func(context.Context) error { panic("broken") },
	)
	if err := check(t.Context()); !errors.Is(err, io.EOF) || err.Error() != "first\nEOF\npanic: broken" {
		t.Errorf("%q", err)
	}
	if err := run.Checks()(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAChangeOfReadinessIsLoggedOnce(t *testing.T) {
	var out bytes.Buffer
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	l := &run.ReadyLog{Log: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutTime}))}
	database := func(port int) error { return fmt.Errorf("names: dial tcp 127.0.0.1:%d: connection refused", port) }
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{
		database(1), database(2), nil, nil, database(3), database(4), errors.Join(database(5), io.EOF), errors.Join(database(6), io.EOF), nil, nil,
	} {
		l.Observe(t.Context(), err)
		l.Observe(gone, context.Canceled)
	}
	const want = `level=INFO msg="not ready yet" error="names: dial tcp 127.0.0.1:1: connection refused"
level=INFO msg=ready
level=WARN msg="not ready" error="names: dial tcp 127.0.0.1:3: connection refused"
level=WARN msg="not ready" error="names: dial tcp 127.0.0.1:5: connection refused; EOF"
level=INFO msg=ready
`
	if out.String() != want {
		t.Errorf("logged\n%s", out.String())
	}
}

func TestAProcessWhoseServiceHangsIsNotServing(t *testing.T) {
	hang := make(chan struct{})
	m := &run.Mesh{}
	m.Host(run.Service{Name: "projects", Register: func(grpc.ServiceRegistrar) {}, Ready: func(ctx context.Context) error {
		select {
		case <-hang:
			<-ctx.Done()
			return ctx.Err()
		default:
			return nil
		}
	}})
	address := freeport.Address()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- m.Serve(ctx, address) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	waitForHealth := func(want healthpb.HealthCheckResponse_ServingStatus) {
		t.Helper()
		waiting, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		for {
			res, err := healthpb.NewHealthClient(conn).Check(waiting, &healthpb.HealthCheckRequest{}, grpc.WaitForReady(true))
			if err != nil {
				t.Fatalf("it is not %s: %v", want, err)
			}
			if res.GetStatus() == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	waitForHealth(healthpb.HealthCheckResponse_SERVING)
	close(hang)
	waitForHealth(healthpb.HealthCheckResponse_NOT_SERVING)
}
