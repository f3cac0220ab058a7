package run

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Send hands a message to the caller of a stream, who has patience's time to take it. That the caller left is no error: it is how every
// stream ends.
func Send[T any](stream grpc.ServerStreamingServer[T], message *T, patience time.Duration) error {
	sent := routine.Go(stream.Context(), func() error { return stream.Send(message) })
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case err := <-sent:
		if stream.Context().Err() != nil {
			return nil
		}
		return err
	case <-stream.Context().Done():
		return nil
	case <-timeout.C:
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_READER_SLOW, "", "The stream is not read: nothing was taken for %s", patience)
	}
}
