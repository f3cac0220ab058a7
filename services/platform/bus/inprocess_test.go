package bus

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// An event that the servers are still storing is not lost, and does not make the process unready. One that they never store is sent under another id.
func TestAnEventInProcessIsNoFailure(t *testing.T) {
	now := clocktest.StoppedAt(time.Now())
	b := &Bus{clock: now}
	inProcess := &jetstream.APIError{Code: 409, ErrorCode: codeInProcess, Description: "duplicate message id is in process"}
	for range failuresToReopen + 1 {
		b.recordStored(context.Background(), inProcess)
	}
	if err := b.storing.failure(now.Now()); err != nil {
		t.Errorf("it is not ready: %v", err)
	}
	if b.isStuck("first", inProcess) {
		t.Error("the event is stuck at once")
	}
	now.Pass(inProcessFor)
	if b.isStuck("second", inProcess) {
		t.Error("another event is stuck at once")
	}
	now.Pass(inProcessFor)
	if !b.isStuck("second", inProcess) {
		t.Error("the event is not stuck")
	}
	if b.isStuck("second", nil) || b.isStuck("second", errors.New("no answer")) {
		t.Error("an event is stuck that is not in process")
	}
}
