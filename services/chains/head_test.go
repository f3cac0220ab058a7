package chains

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// growing is a chain whose head a test moves.
type growing struct {
	mu     sync.Mutex
	number int
	asked  int
}

func (g *growing) answer(string) (int, string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	return 200, blockAt(g.number), nil
}

func (g *growing) grow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.number++
}

// follow runs the heads of one network until the test ends.
func follow(t *testing.T, chain *growing, network Network) (*server, chan head) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	network.RPC = []string{"node"}
	s := newServer([]Network{network}, script{"node": chain.answer, "look": chain.answer}, clock.System{})
	told := make(chan head, 16)
	s.heads.log = slog.New(slog.DiscardHandler)
	s.heads.tell = func(_ context.Context, _ string, h head) error { told <- h; return nil }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.heads.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("run ended with %v", err)
		}
		goleak.VerifyNone(t, before)
	})
	return s, told
}

func next(t *testing.T, told chan head) head {
	t.Helper()
	select {
	case h := <-told:
		return h
	case <-time.After(10 * time.Second):
		t.Fatal("no head was told")
		return head{}
	}
}

func TestEachNewHeadIsToldOnce(t *testing.T) {
	chain := &growing{number: 1}
	s, told := follow(t, chain, Network{ChainID: "eip155:31337", Dev: true})
	if h := next(t, told); h.number != 1 || h.timestamp != 5 {
		t.Errorf("told %+v", h)
	}
	chain.grow()
	if h := next(t, told); h.number != 2 || h.parentHash != fmt.Sprintf("0x%064x", 1) {
		t.Errorf("told %+v", h)
	}
	if err := s.heads.ready(); err != nil {
		t.Errorf("not ready after a head: %v", err)
	}
	if len(told) > 0 {
		t.Error("the same head was told twice")
	}
}

func TestAChainThatNobodyUsesIsLeftInPeace(t *testing.T) {
	chain := &growing{number: 1}
	s, told := follow(t, chain, Network{ChainID: "eip155:31337"})
	chain.mu.Lock()
	asked := chain.asked
	chain.mu.Unlock()
	if asked > 0 {
		t.Error("the node was asked before anybody used the chain")
	}
	s.heads.touch("eip155:31337")
	next(t, told)
}

func TestReadyNamesTheChainsWithoutAHead(t *testing.T) {
	s := newServer([]Network{{ChainID: "eip155:31337", Dev: true}}, script{}, clock.System{})
	if err := s.heads.ready(); err == nil {
		t.Error("ready without a head")
	}
}
