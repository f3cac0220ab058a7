package run

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// boundedSend is the context key of streams whose Send returns within a bounded time.
type boundedSend struct{}

// Send sends a message to the caller of a stream, and fails with REASON_READER_SLOW if the caller does not receive it
// within timeout. It returns nil if the caller cancelled the stream, which is how every stream ends.
func Send[T any](stream grpc.ServerStreamingServer[T], message *T, timeout time.Duration) error {
	if bounded, _ := stream.Context().Value(boundedSend{}).(bool); bounded {
		err := stream.Send(message)
		if stream.Context().Err() != nil {
			return nil
		}
		return err
	}
	sent := routine.Go(stream.Context(), func() error { return stream.Send(message) })
	tooLate := time.NewTimer(timeout)
	defer tooLate.Stop()
	select {
	case err := <-sent:
		if stream.Context().Err() != nil {
			return nil
		}
		return err
	case <-stream.Context().Done():
		return nil
	case <-tooLate.C:
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_READER_SLOW, "", "The stream is not read: nothing was taken for %s", timeout)
	}
}
