package heads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// growing is a chain that a test extends.
type growing struct {
	mu     sync.Mutex
	number int
	polls  int
}

func (g *growing) answer(string) (int, string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.polls++
	return 200, chainstest.BlockAt(g.number), nil
}

func (g *growing) grow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.number++
}

// track runs a tracker of one chain until the test ends.
func track(t *testing.T, chain *growing, c pool.Chain) (*Tracker, chan rpc.Head) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	c.Nodes = []string{"node"}
	published := make(chan rpc.Head, 16)
	s := New(func(_ context.Context, _ string, h rpc.Head) error { published <- h; return nil }, clock.System{}, slog.New(slog.DiscardHandler))
	s.Add(pool.New(c, chainstest.Script{"node": chain.answer, "probe": chain.answer}, clock.System{}, slog.New(slog.DiscardHandler)))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("run ended with %v", err)
		}
		goleak.VerifyNone(t, before)
	})
	return s, published
}

func next(t *testing.T, published chan rpc.Head) rpc.Head {
	t.Helper()
	select {
	case h := <-published:
		return h
	case <-time.After(10 * time.Second):
		t.Fatal("no head was published")
		return rpc.Head{}
	}
}

func TestEachNewHeadIsPublishedOnce(t *testing.T) {
	chain := &growing{number: 1}
	s, published := track(t, chain, pool.Chain{ID: "eip155:31337", Dev: true})
	if h := next(t, published); h.Number != 1 || h.Timestamp != 5 {
		t.Errorf("published %+v", h)
	}
	chain.grow()
	if h := next(t, published); h.Number != 2 || h.ParentHash != fmt.Sprintf("0x%064x", 1) {
		t.Errorf("published %+v", h)
	}
	if err := s.Ready(); err != nil {
		t.Errorf("not ready after a head: %v", err)
	}
	if len(published) > 0 {
		t.Error("the same head was published twice")
	}
}

func TestAnUnusedChainIsNotPolled(t *testing.T) {
	chain := &growing{number: 1}
	s, published := track(t, chain, pool.Chain{ID: "eip155:31337"})
	chain.mu.Lock()
	polls := chain.polls
	chain.mu.Unlock()
	if polls > 0 {
		t.Error("the node was polled before the chain was used")
	}
	s.Touch("eip155:31337")
	next(t, published)
}

func TestReadyFailsWithoutAHead(t *testing.T) {
	s := New(nil, clock.System{}, slog.New(slog.DiscardHandler))
	p := pool.New(pool.Chain{ID: "eip155:31337", Dev: true}, chainstest.Script{}, clock.System{}, slog.New(slog.DiscardHandler))
	defer p.Close()
	s.Add(p)
	if err := s.Ready(); err == nil {
		t.Error("ready without a head")
	}
}

func TestTheNextPollIsWhenABlockIsDueAndThenInShortSteps(t *testing.T) {
	clock := clocktest.StoppedAt(time.Unix(1000, 0))
	f := &Tracker{clock: clock}
	for name, c := range map[string]struct {
		blockTime time.Duration
		// age is the age of the last block, in seconds.
		age    int64
		failed bool
		dev    bool
		want   time.Duration
	}{
		"a slow chain, its block just there":  {blockTime: 12 * time.Second, age: 1, want: 11 * time.Second},
		"a slow chain, its block overdue":     {blockTime: 12 * time.Second, age: 13, want: time.Second},
		"a clock that is behind the chain's":  {blockTime: 12 * time.Second, age: -60, want: 12 * time.Second},
		"a chain of a block a second":         {blockTime: time.Second, age: 1, want: 500 * time.Millisecond},
		"a public chain faster than the poll": {blockTime: 100 * time.Millisecond, age: 0, want: publicPoll},
		"a local chain faster than the poll":  {blockTime: 100 * time.Millisecond, age: 0, dev: true, want: shortestPoll},
		"no node":                             {blockTime: 12 * time.Second, age: 1, failed: true, want: 4 * time.Second},
	} {
		chain := &tracked{chain: pool.Chain{BlockTime: c.blockTime, Dev: c.dev}, last: rpc.Head{Timestamp: 1000 - c.age}}
		if got := f.pause(chain, 2*time.Second, c.failed); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := f.pause(&tracked{}, longestPoll, true); got != longestPoll {
		t.Errorf("no node for long: %s", got)
	}
}
