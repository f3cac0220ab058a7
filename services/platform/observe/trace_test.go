package observe_test

import (
	"context"
	"io"
	"net"
	"testing"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/test/bufconn"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/observe"
)

// Between processes the trace travels in the metadata.
func TestTraceBetweenProcesses(t *testing.T) {
	tel, err := observe.Setup(t.Context(), observe.DefaultConfig(), observe.Process{Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tel.Shutdown(context.Background()) })
	tests := []struct {
		behaviour string
		client    []grpc.DialOption
		call      func(ctx context.Context, traceID string) context.Context
	}{
		{
			behaviour: "a process of ours",
			client:    []grpc.DialOption{grpc.WithUnaryInterceptor(observe.PropagateTrace)},
			call:      func(ctx context.Context, _ string) context.Context { return ctx },
		},
		{
			behaviour: "a caller that writes the header itself",
			call: func(_ context.Context, traceID string) context.Context {
				return metadata.AppendToOutgoingContext(t.Context(), "traceparent", "00-"+traceID+"-0900000000000000-01")
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour, func(t *testing.T) {
			var got string
			srv := grpc.NewServer(grpc.UnaryInterceptor(observe.Unary()))
			projectsv1.RegisterProjectsServiceServer(srv, service{get: func(ctx context.Context) (*projectsv1.GetProjectResponse, error) {
				got = trace.SpanContextFromContext(ctx).TraceID().String()
				return &projectsv1.GetProjectResponse{}, nil
			}})
			conn := dial(t, srv, tt.client)
			ctx, traceID := inTrace(t.Context())
			_, err := projectsv1.NewProjectsServiceClient(conn).GetProject(tt.call(ctx, traceID), &projectsv1.GetProjectRequest{Id: id})
			if err != nil || got != traceID {
				t.Errorf("trace %s, want %s, err %v", got, traceID, err)
			}
		})
	}
}

// dial serves srv in memory for the length of the test and returns a connection to it.
func dial(t *testing.T, srv *grpc.Server, options []grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	l := bufconn.Listen(1 << 16)
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(srv.Stop)
	options = append(options,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }))
	conn, err := grpc.NewClient("passthrough:///memory", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
