package indexer

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/evm"
)

func TestSpansStayWithinTheirBounds(t *testing.T) {
	s := newSpans()
	for range 20 {
		s.shrink(false)
	}
	if s.logs != 1 || s.whole != wholeSpan {
		t.Errorf("after many failures: %+v", s)
	}
	for range 100 {
		s.grow(false)
		s.grow(true)
	}
	if s.logs != longestLogSpan || s.whole != wholeSpan {
		t.Errorf("after many reads: %+v", s)
	}
}

func TestWindowsAreDeferredLongerAfterMoreFailures(t *testing.T) {
	var sum time.Duration
	for n := range index.MaxFailures - 1 {
		if n > 0 && deferFor(n) < deferFor(n-1) {
			t.Errorf("shorter after %d failures", n)
		}
		sum += deferFor(n)
	}
	if deferFor(0) != firstDefer || deferFor(index.MaxFailures-1) != longDefer || sum > 5*time.Minute {
		t.Errorf("%s at first, %s at last, %s in between", deferFor(0), deferFor(index.MaxFailures-1), sum)
	}
}

func TestPendingAddressesAreBounded(t *testing.T) {
	c := newChain("eip155:1")
	for n := range 10 * maxPending {
		c.Track(evm.Address{17: byte(n >> 16), 18: byte(n >> 8), 19: byte(n)})
	}
	if len(c.work.pending) != maxPending {
		t.Errorf("%d addresses wait", len(c.work.pending))
	}
}
