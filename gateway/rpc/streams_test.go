package rpc_test

import (
	"context"
	"io"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1/convertv1connect"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
)

// endless is a service whose streams send nothing until they are cancelled.
type endless struct{ accesstest.Conn }

func (endless) NewStream(ctx context.Context, _ *grpc.StreamDesc, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return endlessStream{ctx: ctx}, nil
}

type endlessStream struct {
	grpc.ClientStream
	ctx context.Context
}

func (endlessStream) SendMsg(any) error { return nil }

func (endlessStream) CloseSend() error { return nil }

func (s endlessStream) RecvMsg(any) error {
	<-s.ctx.Done()
	return status.FromContextError(s.ctx.Err()).Err()
}

// brief is a service whose streams send one empty message and end.
type brief struct{ accesstest.Conn }

func (brief) NewStream(ctx context.Context, _ *grpc.StreamDesc, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return &briefStream{endlessStream: endlessStream{ctx: ctx}}, nil
}

type briefStream struct {
	endlessStream
	sent bool
}

func (s *briefStream) RecvMsg(any) error {
	if s.sent {
		return io.EOF
	}
	s.sent = true
	return nil
}

// nginx would otherwise keep messages until its buffer is full.
func TestEveryStreamAsksProxiesToBufferNothing(t *testing.T) {
	services := accesstest.Conn{"/hawser.projects.v1.ProjectsService/GetProject": (&accesstest.Book{Project: accesstest.Enabled()}).Get}
	g, err := gateway.New(gateway.Conns{Services: map[string]grpc.ClientConnInterface{"projects": services, "updates": brief{services}, "convert": brief{services}}}, gateway.DefaultConfig(), gatewaytest.Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(g)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	for name, opts := range map[string][]connect.ClientOption{"connect": nil, "grpc-web": {connect.WithGRPCWeb()}, "grpc": {connect.WithGRPC()}} {
		for _, procedure := range []string{updatesv1connect.UpdatesServiceWatchAccountProcedure, convertv1connect.QuoteServiceWatchQuoteProcedure} {
			client := connect.NewClient[emptypb.Empty, emptypb.Empty](server.Client(), server.URL+procedure, opts...)
			req := connect.NewRequest(&emptypb.Empty{})
			req.Header().Set("Hawser-Project-Id", accesstest.Known)
			stream, err := client.CallServerStream(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			for stream.Receive() {
			}
			if err := stream.Err(); err != nil {
				t.Errorf("%s of %s: %v", name, procedure, err)
			}
			if got := stream.ResponseHeader().Values("X-Accel-Buffering"); !slices.Equal(got, []string{"no"}) {
				t.Errorf("%s of %s: X-Accel-Buffering is %q", name, procedure, got)
			}
			if err := stream.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestStreamsEndAsUnavailableWhenTheProcessEnds(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	defer stop()
	deps := gatewaytest.Deps(t)
	deps.Stopping = stopping
	services := accesstest.Conn{"/hawser.projects.v1.ProjectsService/GetProject": (&accesstest.Book{Project: accesstest.Enabled()}).Get}
	g, err := gateway.New(gateway.Conns{Services: map[string]grpc.ClientConnInterface{"projects": services, "updates": endless{services}, "convert": endless{services}}}, gateway.DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g)
	defer server.Close()
	for name, opts := range map[string][]connect.ClientOption{"connect": nil, "grpc-web": {connect.WithGRPCWeb()}} {
		client := connect.NewClient[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](server.Client(),
			server.URL+updatesv1connect.UpdatesServiceWatchAccountProcedure, opts...)
		req := connect.NewRequest(&updatesv1.WatchAccountRequest{Address: "0x00000000000000000000000000000000000000Aa", ChainId: "eip155:1", Currency: "usd"})
		req.Header().Set("Hawser-Project-Id", accesstest.Known)
		time.AfterFunc(50*time.Millisecond, stop)
		stream, err := client.CallServerStream(t.Context(), req)
		if err == nil {
			for stream.Receive() {
			}
			err = stream.Err()
		}
		if connect.CodeOf(err) != connect.CodeUnavailable {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
}
