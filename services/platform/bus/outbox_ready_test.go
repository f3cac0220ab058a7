package bus

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// later is a clock that is ahead.
type later time.Duration

func (l later) Now() time.Time { return time.Now().Add(time.Duration(l)) }

func TestAnOutboxThatDoesNotMoveIsNotReady(t *testing.T) {
	o := &Outbox{clock: clock.System{}}
	if err := o.Ready(t.Context()); err != nil {
		t.Errorf("an empty outbox: %v", err)
	}
	o.oldest.Store(time.Now().UnixMilli())
	if err := o.Ready(t.Context()); err != nil {
		t.Errorf("an event of this moment: %v", err)
	}
	o.clock = later(outboxStuck + time.Second)
	if err := o.Ready(t.Context()); err == nil {
		t.Error("an event waits for long, and the outbox is ready")
	}
}
