package limit_test

import (
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestAttemptsCountOnceForTheirAnswer(t *testing.T) {
	m := limit.NewMemory(1000)
	answer := m.HoldAtMost(limit.CallerOf("p", "192.0.2.1"), 100)
	tries := answer.Attempts()
	first, second := tries.Hold(), tries.Hold()
	if err := errors.Join(first.Grow(90), second.Grow(80)); err != nil {
		t.Fatal(err)
	}
	if used := m.Used(); used != 170 {
		t.Errorf("%d bytes are used, want those of both", used)
	}
	if err := answer.Grow(20); !errors.Is(err, limit.ErrTooMuch) {
		t.Errorf("more than the maximum beside the larger one: %v", err)
	}
	if err := second.Grow(30); !errors.Is(err, limit.ErrTooMuch) {
		t.Errorf("an attempt over the maximum: %v", err)
	}
	tries.Keep(second)
	if used := m.Used(); used != 80 {
		t.Errorf("%d bytes are used, want those of the kept one", used)
	}
	if err := answer.Grow(20); err != nil {
		t.Errorf("up to the maximum: %v", err)
	}
	if err := first.Grow(1); !errors.Is(err, limit.ErrTooMuch) {
		t.Errorf("an attempt that was not kept: %v", err)
	}
	answer.Close()
	if used := m.Used(); used != 0 {
		t.Errorf("%d bytes are used in the end", used)
	}
}

func TestAnAttemptKeptForAClosedAnswerIsGivenBack(t *testing.T) {
	m := limit.NewMemory(1000)
	answer := m.Hold(limit.Caller{})
	tries := answer.Attempts()
	only := tries.Hold()
	if err := only.Grow(10); err != nil {
		t.Fatal(err)
	}
	answer.Close()
	tries.Keep(only)
	if used := m.Used(); used != 0 {
		t.Errorf("%d bytes are used", used)
	}
}

func TestAnAnswerWithoutAHoldHasAttemptsWithoutLimit(t *testing.T) {
	var none *limit.Bytes
	tries := none.Attempts()
	only := tries.Hold()
	if err := only.Grow(1 << 40); err != nil {
		t.Error(err)
	}
	tries.Keep(only)
}
