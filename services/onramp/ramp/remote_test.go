package ramp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// hanging is a process whose calls end with their deadline.
type hanging struct {
	clock *clocktest.Stopped
	calls int
}

func (h *hanging) Call(context.Context, *sandboxv1.CallRequest, ...grpc.CallOption) (*sandboxv1.CallResponse, error) {
	h.calls++
	h.clock.Pass(5 * time.Second)
	return nil, errors.New("no answer")
}

// Callers that waited for the list must not wait again, one after the other.
func TestAProcessThatHangsIsAskedOnceByCallersAtTheSameTime(t *testing.T) {
	h := &hanging{clock: clocktest.StoppedAt(time.Now())}
	client := remote.NewClient(h, h.clock)
	for range 3 {
		client.Providers()
	}
	if h.calls != 1 {
		t.Errorf("%d calls", h.calls)
	}
}
