package run_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/platform/run"
)

type callerKey struct{}

// echo returns the request in its answer, and records what it received.
type echo struct {
	projectsv1.UnimplementedProjectsServiceServer
	updatesv1.UnimplementedUpdatesServiceServer
	ctx context.Context
	req *projectsv1.GetProjectRequest
	err error
}

func (e *echo) GetProject(ctx context.Context, req *projectsv1.GetProjectRequest) (*projectsv1.GetProjectResponse, error) {
	e.ctx, e.req = ctx, req
	return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: req.GetId(), AllowedOrigins: []string{"a"}}}, e.err
}

func (e *echo) WatchAccount(req *updatesv1.WatchAccountRequest, out grpc.ServerStreamingServer[updatesv1.WatchAccountResponse]) error {
	for block := range uint64(3) {
		if err := out.Send(&updatesv1.WatchAccountResponse{Block: block}); err != nil {
			return err
		}
	}
	<-out.Context().Done()
	return out.Context().Err()
}

func TestACallWithinAProcessIsWhatItWouldBeOverTCP(t *testing.T) {
	var l run.Local
	e := &echo{}
	projectsv1.RegisterProjectsServiceServer(&l, e)
	client := projectsv1.NewProjectsServiceClient(&l)
	deadline := time.Now().Add(time.Minute)
	ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), callerKey{}, "caller's own"), deadline)
	defer cancel()
	req := &projectsv1.GetProjectRequest{Id: "x"}

	res, err := client.GetProject(metadata.AppendToOutgoingContext(ctx, "colour", "red"), req)

	if err != nil || res.GetProject().GetId() != "x" || len(res.GetProject().GetAllowedOrigins()) != 1 {
		t.Fatalf("got %v, %v", res, err)
	}
	if e.req == req {
		t.Error("the service holds the caller's own message")
	}
	if got, ok := e.ctx.Deadline(); !ok || !got.Equal(deadline) {
		t.Error("the deadline did not travel")
	}
	if md, _ := metadata.FromIncomingContext(e.ctx); len(md.Get("colour")) != 1 {
		t.Error("the metadata did not travel")
	}
	if e.ctx.Value(callerKey{}) != nil {
		t.Error("a value of the caller's context travelled")
	}
	cancel()
	if e.ctx.Err() == nil {
		t.Error("the caller's leaving did not travel")
	}
}

func TestAFailureWithinAProcessHasAStatus(t *testing.T) {
	var l run.Local
	e := &echo{err: errors.New("plain")}
	projectsv1.RegisterProjectsServiceServer(&l, e)
	_, err := projectsv1.NewProjectsServiceClient(&l).GetProject(t.Context(), &projectsv1.GetProjectRequest{})
	if status.Code(err) != codes.Unknown {
		t.Errorf("got %v", err)
	}
	_, err = balancesv1.NewBalancesServiceClient(&l).GetBalance(t.Context(), &balancesv1.GetBalanceRequest{})
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("a call without a service: %v", err)
	}
}

func TestAStreamEndsWithItsCallerAndWithItsProcess(t *testing.T) {
	for _, who := range []string{"caller", "process"} {
		t.Run(who, func(t *testing.T) {
			var l run.Local
			passed := 0
			wrap := func(s any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) error {
				passed++
				return h(s, stream)
			}
			l.Stream = wrap
			updatesv1.RegisterUpdatesServiceServer(&l, &echo{})
			running, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- l.ServeStreams(running) }()
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			stream, err := updatesv1.NewUpdatesServiceClient(&l).WatchAccount(ctx, &updatesv1.WatchAccountRequest{})
			if err != nil {
				t.Fatal(err)
			}
			for block := range uint64(3) {
				if got, err := stream.Recv(); err != nil || got.GetBlock() != block {
					t.Fatalf("got %v, %v", got, err)
				}
			}
			if who == "caller" {
				leave()
			} else {
				stop()
			}
			if _, err := stream.Recv(); err == nil {
				t.Error("the stream goes on")
			}
			stop()
			if err := <-done; err != nil {
				t.Errorf("serving ended with %v", err)
			}
			if passed != 1 {
				t.Errorf("the stream passed %d wrappers", passed)
			}
		})
	}
}

// shared sends the same message to every stream.
type shared struct {
	updatesv1.UnimplementedUpdatesServiceServer
	message *updatesv1.WatchAccountResponse
}

func (s shared) WatchAccount(_ *updatesv1.WatchAccountRequest, out grpc.ServerStreamingServer[updatesv1.WatchAccountResponse]) error {
	return run.Send(out, s.message, time.Minute)
}

func TestServerStreamSendsCopiesAndReturnsTheErrorOfSend(t *testing.T) {
	var l run.Local
	own := &updatesv1.WatchAccountResponse{Block: 7}
	updatesv1.RegisterUpdatesServiceServer(&l, shared{message: own})
	refused := status.Error(codes.ResourceExhausted, "refused")
	var got *updatesv1.WatchAccountResponse
	newResponse := func() proto.Message { return &updatesv1.WatchAccountResponse{} }

	err := run.ServerStream(t.Context(), &l, updatesv1.UpdatesService_WatchAccount_FullMethodName, &updatesv1.WatchAccountRequest{}, newResponse,
		func(m proto.Message) error { got = m.(*updatesv1.WatchAccountResponse); return refused })

	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("the error of send became %v", err)
	}
	if got == own || got.GetBlock() != 7 {
		t.Errorf("got %v, which shares the service's message: %v", got, got == own)
	}
	unknown := run.ServerStream(t.Context(), &l, "/hawser.updates.v1.UpdatesService/Unknown", &updatesv1.WatchAccountRequest{}, newResponse,
		func(proto.Message) error { return nil })
	if status.Code(unknown) != codes.Unimplemented {
		t.Errorf("an unknown method: %v", unknown)
	}
}

func TestAStreamOfAnUnknownMethodFails(t *testing.T) {
	var l run.Local
	stream, err := updatesv1.NewUpdatesServiceClient(&l).WatchAccount(t.Context(), &updatesv1.WatchAccountRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if header, _ := stream.Header(); header != nil {
		t.Error("the stream is established")
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unimplemented {
		t.Errorf("got %v", err)
	}
}
