package console

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// watchLifetime is how long a stream lasts at most.
const watchLifetime = time.Hour

// streams are the streams of an operator, and of all.
var streams = limit.Share{Name: "console streams", Each: 10, Total: 100}

// healthServer implements HealthService.
type healthServer struct {
	adminv1.UnimplementedHealthServiceServer
	*server
}

// GetHealth describes the suite.
func (s healthServer) GetHealth(ctx context.Context, _ *adminv1.GetHealthRequest) (*adminv1.GetHealthResponse, error) {
	found, err := s.health.get(ctx)
	if err != nil {
		return nil, err
	}
	return &adminv1.GetHealthResponse{Health: found}, nil
}

// WatchHealth sends a description at intervals. Before each, the session and the role of the caller are checked again.
func (s healthServer) WatchHealth(_ *adminv1.WatchHealthRequest, stream grpc.ServerStreamingServer[adminv1.WatchHealthResponse]) error {
	ctx, cancel := context.WithTimeout(stream.Context(), watchLifetime)
	defer cancel()
	c := callOf(ctx)
	release, ok := s.deps.Limiter.Hold(ctx, operatorOf(c.operator), streams, 1)
	if !ok {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many streams at once. Close another page of the console")
	}
	defer release()
	described, end := s.health.subscribe()
	defer end()
	next, err := s.health.get(ctx)
	for err == nil {
		if err = s.stillAllowed(ctx, c, Viewer); err != nil {
			break
		}
		if err = stream.Send(&adminv1.WatchHealthResponse{Health: next}); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case next = <-described:
		}
	}
	if ctx.Err() != nil && stream.Context().Err() == nil {
		// Its hour is over.
		return nil
	}
	return err
}

// stillAllowed fails if the session of a stream has ended, or if the operator has no longer a role.
func (s *server) stillAllowed(ctx context.Context, c *call, needed Role) error {
	_, now, err := s.operators.Check(ctx, c.from.Session)
	if err == nil && !now.Role.Allows(needed) {
		err = ErrAbsent
	}
	if errors.Is(err, ErrAbsent) {
		return fault.New(codes.Unauthenticated, faultv1.Reason_REASON_OPERATOR_ABSENT, "", "The session has ended")
	}
	return err
}
