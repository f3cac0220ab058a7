package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// probedNodes records the probes of nodes. Tests set the heads of the nodes.
type probedNodes struct {
	mu     sync.Mutex
	heads  map[string]int
	probed []string
}

func (w *probedNodes) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if string(body) != chainstest.HeadProbe {
		return chainstest.Script{url: chainstest.Responds(200, chainstest.One)}.PostJSON(ctx, url, body)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.probed = append(w.probed, url)
	number, ok := w.heads[url]
	if !ok {
		return 0, nil, errors.New("connection refused")
	}
	return 200, []byte(chainstest.BlockAt(number)), nil
}

// since returns the nodes that were probed since the last call.
func (w *probedNodes) since() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.probed)
	probed := strings.Join(w.probed, " ")
	w.probed = nil
	return probed
}

func TestStandbyNodesAreProbedNowAndThen(t *testing.T) {
	nodes := &probedNodes{heads: map[string]int{"a": 10, "b": 10, "c": 10}}
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	p := newPool(nodes, clock, "a", "b", "c")
	defer p.Close()
	probe := func() (rpc.Head, string) {
		h, _ := p.Probe(t.Context())
		p.probes.running.Wait()
		return h, nodes.since()
	}
	if _, probed := probe(); probed != "a b c" {
		t.Errorf("at first, it probed %s", probed)
	}
	nodes.heads["a"], nodes.heads["b"] = 11, 11
	if h, probed := probe(); probed != "a b" || h.Number != 11 {
		t.Errorf("then it probed %s, and saw block %d", probed, h.Number)
	}
	clock.Pass(standbyBlocks * time.Second)
	if _, probed := probe(); probed != "a b c" {
		t.Errorf("after some blocks, it probed %s", probed)
	}
	delete(nodes.heads, "a")
	nodes.heads["b"], nodes.heads["c"] = 12, 12
	clock.Pass(shortestStandby)
	if h, probed := probe(); probed != "a b c" || h.Number != 12 {
		t.Errorf("when the first failed, it probed %s, and saw block %d", probed, h.Number)
	}
	for range downAfter {
		probe()
	}
	if _, probed := probe(); probed != "b c" {
		t.Errorf("when it was down, it probed %s", probed)
	}
}

// heldNode is a node that responds when it is released.
type heldNode struct{ requested, released chan struct{} }

func (h heldNode) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	select {
	case h.requested <- struct{}{}:
	default:
	}
	select {
	case <-h.released:
		return (&probedNodes{heads: map[string]int{"a": 10}}).PostJSON(ctx, url, body)
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	}
}

func TestAProbeWaitsForOneThatIsUnderWay(t *testing.T) {
	node := heldNode{make(chan struct{}, 1), make(chan struct{})}
	p := newPool(node, clocktest.StoppedAt(time.Unix(1, 0)), "a")
	defer p.Close()
	first := make(chan struct{})
	go func() {
		defer close(first)
		p.probeAll(t.Context())
	}()
	<-node.requested
	// Without waiting, the probe would end before the node responds.
	time.AfterFunc(50*time.Millisecond, func() { close(node.released) })
	if h, err := p.Probe(t.Context()); err != nil || h.Number != 10 {
		t.Errorf("the second probe returned %+v, %v", h, err)
	}
	<-first
}

func TestTheOnlyNodeIsWaitedForHoweverFastItWas(t *testing.T) {
	node := heldNode{make(chan struct{}, 1), make(chan struct{})}
	p := newPool(&probedNodes{heads: map[string]int{"a": 10}}, clocktest.StoppedAt(time.Unix(1, 0)), "a")
	defer p.Close()
	if _, err := p.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.nodes[0].succeeded(false, time.Millisecond, p.clock.Now())
	p.poster = node
	// A probe of several nodes would have stopped waiting by then.
	time.AfterFunc(10*shortestGrace, func() { close(node.released) })
	if h, err := p.Probe(t.Context()); err != nil || h.Number != 10 {
		t.Errorf("the probe returned %+v, %v", h, err)
	}
}

func TestAProbeThatMayAskNoNodeSaysSo(t *testing.T) {
	p := newPool(&probedNodes{}, clocktest.StoppedAt(time.Unix(1, 0)), "a")
	defer p.Close()
	for range downAfter {
		_, _ = p.Probe(t.Context())
	}
	if _, err := p.Probe(t.Context()); !errors.Is(err, ErrNoNode) || !errors.Is(err, errNotDue) {
		t.Errorf("the probe returned %v", err)
	}
}

func TestNoProbeStartsAfterClose(t *testing.T) {
	nodes := &probedNodes{heads: map[string]int{"a": 10, "b": 10}}
	p := newPool(nodes, clocktest.StoppedAt(time.Unix(1, 0)), "a", "b")
	p.Close()
	_, err := p.Probe(t.Context())
	p.probes.running.Wait()
	if probed := nodes.since(); err == nil || probed != "" {
		t.Errorf("it probed %q: %v", probed, err)
	}
}

func TestTheHeightOutlastsItsNodesForALimitedTime(t *testing.T) {
	nodes := &probedNodes{heads: map[string]int{"a": 100, "b": 100, "c": 99}}
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	p := newPool(nodes, clock, "a", "b", "c")
	defer p.Close()
	if h, err := p.Probe(t.Context()); err != nil || h.Number != 100 {
		t.Fatalf("saw block %d, %v", h.Number, err)
	}
	delete(nodes.heads, "a")
	delete(nodes.heads, "b")
	if _, err := p.Probe(t.Context()); !errors.Is(err, ErrBehind) || p.height.get() != 100 {
		t.Errorf("at once: %v, at %d", err, p.height.get())
	}
	clock.Pass(heightPatience)
	if h, err := p.Probe(t.Context()); err != nil || h.Number != 99 || p.height.get() != 99 {
		t.Errorf("later: block %d, %v", h.Number, err)
	}
}

func TestTheHeadOfSolanaIsOneThatASecondNodeOrTimeSupports(t *testing.T) {
	at := func(slot uint64, moved bool) probeResult {
		return probeResult{&Node{}, rpc.Head{Number: slot, Hash: fmt.Sprint("hash", slot)}, moved, nil}
	}
	for behaviour, tt := range map[string]struct {
		results []probeResult
		slot    uint64
		agreed  bool
	}{
		"two nodes a slot apart":             {[]probeResult{at(101, true), at(100, true)}, 100, true},
		"one runs ahead":                     {[]probeResult{at(1<<40, true), at(100, true)}, 100, false},
		"one is stalled":                     {[]probeResult{at(500, true), at(100, false)}, 500, false},
		"both are probed for the first time": {[]probeResult{at(500, false), at(100, false)}, 500, false},
	} {
		p := New(Chain{ID: chainstest.SolanaChain, Nodes: []string{"a", "b"}, BlockTime: 400 * time.Millisecond}, &probedNodes{}, clocktest.StoppedAt(time.Unix(1, 0)), slog.New(slog.DiscardHandler))
		if best, agreed := p.chooseHead(tt.results); best == nil || best.head.Number != tt.slot || agreed != tt.agreed {
			t.Errorf("%s: %+v, agreed %t", behaviour, best, agreed)
		}
		p.Close()
	}
}
