package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

func TestSpansStayWithinTheirBounds(t *testing.T) {
	s := newSpans()
	for range 20 {
		s.logs.fail()
	}
	if s.logs.size != 1 || s.whole.size != wholeSpan {
		t.Errorf("after many failures: %+v", s)
	}
	for range 40 * settledReads {
		s.logs.grow()
		s.whole.grow()
	}
	if s.logs.size != longestLogSpan || s.whole.size != wholeSpan {
		t.Errorf("after many reads: %+v", s)
	}
}

func TestASpanSettlesBelowWhatANodeAccepts(t *testing.T) {
	for _, limit := range []uint64{1, 70, 2_000, 10_000} {
		s := newSpans().logs
		failures, blocks := 0, uint64(0)
		for range settledReads {
			if s.size > limit {
				failures++
				s.fail()
				continue
			}
			blocks += s.size
			s.grow()
		}
		if failures > 20 || blocks < limit*60 {
			t.Errorf("%d blocks a read: %d of %d reads failed, and the others had %d blocks", limit, failures, settledReads, blocks)
		}
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
		c.Track(evm.Address{17: byte(n >> 16), 18: byte(n >> 8), 19: byte(n)}, "greedy")
	}
	if n := len(c.work.pending); n != maxPending/2 {
		t.Errorf("%d addresses of one caller wait", n)
	}
	last := evm.Address{1}
	if c.Track(last, "another"); c.work.pending[last] != "another" {
		t.Error("another caller's address does not wait")
	}
	for n := range 10 * maxPending {
		c.Track(evm.Address{1: 1, 17: byte(n >> 16), 18: byte(n >> 8), 19: byte(n)}, strconv.Itoa(n))
	}
	if n := len(c.work.pending); n > maxPending {
		t.Errorf("%d addresses wait", n)
	}
}

// restarting is a store that does not answer at first.
type restarting struct {
	index.Store
	failures atomic.Int32
}

func (s *restarting) Chains(context.Context, time.Time) ([]string, error) {
	if s.failures.Add(-1) >= 0 {
		return nil, errors.New("the database restarts")
	}
	return []string{"eip155:1"}, nil
}

func (*restarting) Forget(context.Context, time.Time) error { return nil }

func TestChainsAreFollowedAfterTheDatabaseDidNotAnswerAtTheStart(t *testing.T) {
	store := &restarting{}
	store.failures.Store(1)
	followed := make(chan string, 100)
	i := New(Config{Store: store, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler), Lock: func(_ context.Context, name string, _ func() error) (bool, error) {
		followed <- name
		return false, nil
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := routine.Go(ctx, func() error { return i.Run(ctx) })
	select {
	case <-followed:
	case <-time.After(10 * time.Second):
		t.Error("the chain of a tracked account is not followed")
	}
	cancel()
	<-ended
}

// blocks has another name than its method.
type blocks interface{ Blocks }

// forked is a chain whose blocks from fork on replaced those of the index, which has a row in every block that every divides.
type forked struct {
	index.Store
	blocks
	fork, every uint64
	reads       int
}

func forkedHash(number uint64, old bool) (h node.Hash) {
	binary.BigEndian.PutUint64(h[:], number)
	if old {
		h[31] = 1
	}
	return h
}

func (f *forked) LastRow(_ context.Context, _ string, upTo uint64) (uint64, node.Hash, bool, error) {
	f.reads++
	number := upTo / f.every * f.every
	return number, forkedHash(number, number >= f.fork), number > 0, nil
}

func (f *forked) Headers(_ context.Context, _ string, from, _ uint64) ([]node.Header, error) {
	f.reads++
	return []node.Header{{Number: from, Hash: forkedHash(from, false)}}, nil
}

func TestTheFirstReplacedBlockIsFoundInFewReads(t *testing.T) {
	head := node.Header{Number: 50_000_100, Hash: forkedHash(50_000_100, false)}
	const oldest = 50_000_000
	for _, test := range []struct {
		fork, every uint64
		low, high   uint64
	}{
		{oldest + 1, 7, oldest + 1, oldest + 1},
		{oldest, 7, oldest - deepFork, oldest},
		{oldest - 100, 7, oldest - deepFork, oldest - 100},
		{oldest - 3_000, 7, oldest - 10_000, oldest - 3_000},
		{oldest - 3_000, oldest, oldest - deepFork, oldest},
		{1, 7, 0, 1},
	} {
		f := &forked{fork: test.fork, every: test.every}
		recent := []node.Header{{Number: oldest, Hash: forkedHash(oldest, oldest >= test.fork)}}
		first, err := New(Config{Store: f, Blocks: f}).firstReplaced(t.Context(), "eip155:1", recent, head)
		if err != nil || first < test.low || first > test.high || f.reads > 60 {
			t.Errorf("fork at %d, a row every %d: %d after %d reads, %v; want %d to %d", test.fork, test.every, first, f.reads, err, test.low, test.high)
		}
	}
}

func TestARequestMeetsThePauseOfAReplicaThatFillsWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const reading, cycle = 500 * time.Millisecond, 500*time.Millisecond + windowPause
		begun, ran := time.Now(), make(chan struct{}, 100)
		var attempts atomic.Int32
		i := New(Config{Store: &restarting{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler), Lock: func(context.Context, string, func() error) (bool, error) {
			attempts.Add(1)
			if time.Since(begun)%cycle < reading {
				return false, nil
			}
			ran <- struct{}{}
			return true, nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := routine.Go(ctx, func() error { return i.Run(ctx) })
		time.Sleep(10 * cycle)
		// The chain is also polled at the start.
		for len(ran) > 0 {
			<-ran
		}
		i.Chain("eip155:1").Track(evm.Address{1}, "")
		select {
		case <-ran:
		case <-time.After(2 * cycle):
			t.Error("the account is not tracked")
		}
		// Without a request, the process leaves the chain to the other.
		before := attempts.Load()
		time.Sleep(20 * idlePause)
		if n := attempts.Load() - before; n > 21 {
			t.Errorf("%d attempts without a request", n)
		}
		cancel()
		<-ended
	})
}

// hanging are chains whose nodes hang, except one.
type hanging struct {
	blocks
	answering string
}

func (h *hanging) Head(ctx context.Context, chainID string) (node.Header, error) {
	if chainID == h.answering {
		return node.Header{}, node.ErrMoved
	}
	<-ctx.Done()
	return node.Header{}, ctx.Err()
}

func TestChainsWhoseNodesHangHoldNoSlotOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := &hanging{answering: "eip155:1"}
		i := New(Config{Store: &restarting{}, Blocks: nodes, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler), Lock: func(_ context.Context, _ string, work func() error) (bool, error) {
			return true, work()
		}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := routine.Go(ctx, func() error { return i.Run(ctx) })
		for n := range 4 * quickSlots {
			i.Chain("eip155:9" + strconv.Itoa(n)).Poll(time.Now())
		}
		// At first, each of them holds a slot once.
		time.Sleep(5 * quickTimeout)
		for range 20 {
			begun := time.Now()
			wait, stop := context.WithTimeout(ctx, time.Minute)
			err := i.Chain(nodes.answering).Poll(time.Now()).Wait(wait)
			stop()
			if took := time.Since(begun); !errors.Is(err, node.ErrMoved) || took > longestPause {
				t.Errorf("a round of a chain that answers took %s, %v", took, err)
			}
			if n := len(i.quick) + len(i.slow); n > 0 {
				t.Errorf("%d slots are held", n)
			}
			time.Sleep(7 * time.Second)
		}
		cancel()
		<-ended
	})
}
