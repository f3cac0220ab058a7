package limit_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestMemoryLeavesAsMuchFreeAsOneCallerHolds(t *testing.T) {
	m := limit.NewMemory(100)
	first := m.Hold(limit.CallerOf("p", "192.0.2.1"))
	if err := first.Grow(50); err != nil {
		t.Fatalf("half of the budget: %v", err)
	}
	if err := m.Hold(limit.CallerOf("p", "192.0.2.1")).Grow(1); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("a byte above half of the budget: %v, want ErrMemory", err)
	}
	second := m.Hold(limit.CallerOf("p", "192.0.2.2"))
	if err := second.Grow(25); err != nil {
		t.Errorf("half of what is left, for another caller: %v", err)
	}
	first.Release()
	first.Release()
	second.Shrink(1000)
	if used := m.Used(); used != 0 {
		t.Errorf("%d bytes are used after all were released, want 0", used)
	}
}

func TestNoMemoryHasNoLimit(t *testing.T) {
	var m *limit.Memory
	hold := m.Hold(limit.Caller{})
	if err := hold.Grow(1 << 60); err != nil {
		t.Errorf("Grow without a budget: %v", err)
	}
	hold.Release()
}

func TestMemoryNeverExceedsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total = 1000
		m := limit.NewMemory(total)
		var holds []*limit.Bytes
		for range 12 {
			caller := limit.CallerOf("p", rapid.SampledFrom([]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}).Draw(t, "caller"))
			holds = append(holds, m.Hold(caller))
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			hold := rapid.SampledFrom(holds).Draw(t, "hold")
			n := int64(rapid.IntRange(0, total).Draw(t, "n"))
			if rapid.Bool().Draw(t, "grow") {
				_ = hold.Grow(n)
			} else {
				hold.Shrink(n)
			}
			if used := m.Used(); used < 0 || used >= total {
				t.Fatalf("%d of %d bytes are used", used, total)
			}
		}
		for _, hold := range holds {
			hold.Release()
		}
		if used := m.Used(); used != 0 {
			t.Fatalf("%d bytes are used after all were released", used)
		}
	})
}
