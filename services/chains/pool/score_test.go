package pool

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// tried returns the indexes of the nodes in the order in which a call is sent to them.
func tried(p *Pool) (indexes []int) {
	nodes, _ := p.order(Call{})
	for _, n := range nodes {
		indexes = append(indexes, n.index)
	}
	return indexes
}

func TestANodeThatOftenFailsLosesItsPlaceUntilItHasRested(t *testing.T) {
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	node := chainstest.Responds(200, chainstest.One)
	p := newPool(chainstest.Script{"a": node, "b": node}, clock, "a", "b")
	defer p.Close()
	if _, err := p.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := p.nodes[0]
	if !slices.Equal(tried(p), []int{0, 1}) {
		t.Fatalf("nodes %v", tried(p))
	}
	// One failure between answers is no reason to prefer the other node.
	first.failed(clock.Now(), upstream.Failed)
	first.succeeded(false, time.Millisecond, clock.Now())
	if !slices.Equal(tried(p), []int{0, 1}) {
		t.Errorf("after one failure: nodes %v", tried(p))
	}
	// It is never down: it fails every second call, and answers the next one.
	for range 20 {
		first.failed(clock.Now(), upstream.Failed)
		first.succeeded(false, time.Millisecond, clock.Now())
	}
	if !slices.Equal(tried(p), []int{1, 0}) {
		t.Errorf("while every second call fails: nodes %v", tried(p))
	}
	if got := p.Status().GetNodes()[0].GetScore(); got.GetErrors() > 1-failingRate || got.GetTotal() > got.GetErrors() || got.GetCorrectness() != 1 {
		t.Errorf("its score is %v", got)
	}
	clock.Pass(5 * errorHalfLife)
	if !slices.Equal(tried(p), []int{0, 1}) {
		t.Errorf("later: nodes %v", tried(p))
	}
}

func TestTheScoreHasTheLatencyAndTheHeadOfANode(t *testing.T) {
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	nodes := &probedNodes{heads: map[string]int{"a": 100, "b": 96, "c": 50, "e": 100}}
	p := newPool(nodes, clock, "a", "b", "c", "d", "e")
	defer p.Close()
	if got := p.Status().GetNodes()[0].GetScore(); got != nil {
		t.Errorf("the score of a node that was not asked is %v", got)
	}
	p.probeAll(t.Context())
	for _, n := range p.nodes {
		for range 50 {
			n.light.add(time.Duration(n.index*60+20) * time.Millisecond)
		}
	}
	p.nodes[3].failed(clock.Now(), upstream.Timeout)
	scores := p.scores(clock.Now())
	if got := scores[0]; got.Freshness != 1 || got.Latency < 0.99 || got.Errors != 1 || got.Total() < 0.99 {
		t.Errorf("the first node: %+v", got)
	}
	if got := scores[1]; got.Freshness <= 0 || got.Freshness >= 1 || got.Latency < 0.35 || got.Latency > 0.45 {
		t.Errorf("a slow node that is behind: %+v", got)
	}
	if got := scores[2]; got.Freshness != 0 || got.Total() != 0 {
		t.Errorf("a node that is far behind: %+v", got)
	}
	if got := scores[3]; got.Errors != 0 {
		t.Errorf("a node that backs off: %+v", got)
	}
}
