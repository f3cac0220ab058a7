package limit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

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

func TestProjectsOfOneAddressShareItsPartOfTheMemory(t *testing.T) {
	m := limit.NewMemory(100)
	if err := m.Hold(limit.CallerOf("p", "192.0.2.1")).Grow(50); err != nil {
		t.Fatal(err)
	}
	if err := m.Hold(limit.CallerOf("q", "192.0.2.1")).Grow(1); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("with another project: %v, want ErrMemory", err)
	}
}

func TestManyNetworksOfOneSiteLeaveMemoryToOthers(t *testing.T) {
	m := limit.NewMemory(1000)
	for i := range 4096 {
		_ = m.Hold(limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", i))).Grow(1)
	}
	if used := m.Used(); used > 800 {
		t.Errorf("one /48 holds %d of 1000 bytes, want 800 at most", used)
	}
	if err := m.Hold(limit.CallerOf("p", "2001:db8:1::1")).Grow(50); err != nil {
		t.Errorf("another site: %v", err)
	}
}

func TestTheSuitesOwnCallsLeaveAFifth(t *testing.T) {
	m := limit.NewMemory(100)
	own := m.Hold(limit.Caller{})
	if err := own.Grow(80); err != nil {
		t.Fatal(err)
	}
	if err := own.Grow(1); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("a byte more: %v, want ErrMemory", err)
	}
	if err := m.Hold(limit.CallerOf("p", "192.0.2.1")).Grow(10); err != nil {
		t.Errorf("a caller beside them: %v", err)
	}
}

func TestAPartOfTheSuiteHasAShareOfItsOwn(t *testing.T) {
	m := limit.NewMemory(1000)
	for m.HoldOwn("subscriptions").Grow(1) == nil {
	}
	if used := m.Used(); used != 500 {
		t.Errorf("the part holds %d of 1000 bytes, want 500", used)
	}
	if err := m.Hold(limit.Caller{}).Grow(200); err != nil {
		t.Errorf("the suite's own calls beside it: %v", err)
	}
	if err := m.HoldOwn("index").Grow(50); err != nil {
		t.Errorf("another part: %v", err)
	}
	if err := m.Hold(limit.CallerOf("p", "192.0.2.1")).Grow(50); err != nil {
		t.Errorf("a caller: %v", err)
	}
}

func TestTheSuitesOwnCallsMayNameAProject(t *testing.T) {
	m := limit.NewMemory(100)
	if err := m.Hold(limit.Caller{Project: "activity"}).Grow(80); err != nil {
		t.Error(err)
	}
}

func TestAFullMemoryIsNotTheCallersShare(t *testing.T) {
	m := limit.NewMemory(100)
	if err := m.Hold(limit.CallerOf("p", "192.0.2.1")).Grow(101); !errors.Is(err, limit.ErrFull) || !limit.IsSpent(err) {
		t.Errorf("got %v, want ErrFull", err)
	}
}

func TestAHoldHasAMaximumOfItsOwn(t *testing.T) {
	var none *limit.Memory
	hold := none.HoldAtMost(limit.Caller{}, 10)
	if err := hold.Grow(10); err != nil {
		t.Fatal(err)
	}
	if err := hold.Grow(1); !errors.Is(err, limit.ErrTooMuch) {
		t.Errorf("got %v, want ErrTooMuch", err)
	}
}

func TestAClosedHoldTakesNothing(t *testing.T) {
	m := limit.NewMemory(100)
	hold := m.Hold(limit.CallerOf("p", "192.0.2.1"))
	if err := hold.Grow(10); err != nil {
		t.Fatal(err)
	}
	hold.Close()
	if err := hold.Grow(1); !errors.Is(err, limit.ErrTooMuch) || m.Used() != 0 {
		t.Errorf("got %v with %d bytes used, want ErrTooMuch and 0", err, m.Used())
	}
}

func TestReadingTakesBytesAsTheyCome(t *testing.T) {
	m := limit.NewMemory(1000)
	hold := m.Hold(limit.CallerOf("p", "192.0.2.1"))
	read, err := hold.ReadAll(strings.NewReader(strings.Repeat("a", 400)), -1, 450)
	if err != nil || len(read) != 400 || m.Used() != 400 {
		t.Fatalf("read %d bytes, %v, and %d are used", len(read), err, m.Used())
	}
	if _, err := hold.ReadAll(strings.NewReader(strings.Repeat("a", 400)), 400, 450); !errors.Is(err, limit.ErrMemory) || m.Used() != 400 {
		t.Errorf("a read over the budget: %v, and %d are used", err, m.Used())
	}
}

func TestALengthIsTakenBeforeItIsAllocated(t *testing.T) {
	m := limit.NewMemory(1000)
	hold := m.Hold(limit.CallerOf("p", "192.0.2.1"))
	untouched := iotest.ErrReader(errors.New("read"))
	if _, err := hold.ReadAll(untouched, 501, 1000); !errors.Is(err, limit.ErrMemory) || m.Used() != 0 {
		t.Errorf("a length over the budget: %v, and %d are used", err, m.Used())
	}
	if _, err := hold.ReadAll(strings.NewReader("short"), 400, 1000); err != nil || m.Used() != 5 {
		t.Errorf("a body shorter than its length: %v, and %d are used", err, m.Used())
	}
}

func TestNoMemoryHasNoLimit(t *testing.T) {
	var m *limit.Memory
	hold := m.Hold(limit.CallerOf("p", "192.0.2.1"))
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
