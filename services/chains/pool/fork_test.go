package pool

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// forkedNodes are nodes at block 1000 that have blocks with these hashes; an empty one lacks the block.
type forkedNodes struct {
	mu     sync.Mutex
	hashes map[string]string
	asked  map[string]int
}

func (f *forkedNodes) node(url string) chainstest.Handler {
	return chainstest.Returns(func(q chainstest.Request) string {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.asked[url]++
		hash := f.hashes[url]
		if hash == "" {
			return "null"
		}
		var number string
		_ = json.Unmarshal(q.Params[0], &number)
		return fmt.Sprintf(`{"number":%q,"hash":"0x%064s","parentHash":"0x%064s","timestamp":"0x5"}`, number, hash, "0")
	})
}

func TestANodeWithAnotherFinalBlockThanMostIsNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		hashes map[string]string
		want   []int
		asked  bool
	}{
		"all have the same":              {map[string]string{"a": "aa", "b": "AA", "c": "aa"}, []int{0, 1, 2}, true},
		"the preferred one differs":      {map[string]string{"a": "bb", "b": "aa", "c": "aa"}, []int{1, 2}, true},
		"one lacks the block":            {map[string]string{"a": "", "b": "aa", "c": "aa"}, []int{0, 1, 2}, true},
		"each has another":               {map[string]string{"a": "aa", "b": "bb", "c": "cc"}, []int{0, 1, 2}, true},
		"two against two":                {map[string]string{"a": "aa", "b": "aa", "c": "bb", "d": "bb"}, []int{0, 1, 2, 3}, true},
		"two differ, and one has none":   {map[string]string{"a": "aa", "b": "bb", "c": ""}, []int{0, 1, 2}, true},
		"two nodes, so no most of them":  {map[string]string{"a": "aa", "b": "bb"}, []int{0, 1}, false},
		"two of five differ in two ways": {map[string]string{"a": "bb", "b": "aa", "c": "cc", "d": "aa", "e": "aa"}, []int{1, 3, 4}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := &forkedNodes{hashes: c.hashes, asked: map[string]int{}}
			script := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(1000))}
			chain := Chain{ID: "eip155:31337", BlockTime: time.Second, FinalAfter: time.Minute}
			for _, url := range slices.Sorted(maps.Keys(c.hashes)) {
				script[url] = f.node(url)
				chain.Nodes = append(chain.Nodes, url)
			}
			clock := clocktest.StoppedAt(time.Unix(5, 0))
			p := New(chain, script, clock, slog.New(slog.DiscardHandler))
			defer p.Close()
			p.probeAll(t.Context())
			p.probes.running.Wait()
			if got := tried(p); !slices.Equal(got, c.want) {
				t.Errorf("nodes %v are used, want %v", got, c.want)
			}
			for i, s := range p.Status().GetNodes() {
				used := slices.Contains(c.want, i)
				if other := s.GetState() == statusv1.NodeState_NODE_STATE_WRONG_CHAIN; other == used {
					t.Errorf("node %d is %s", i, s.GetState())
				}
				if s.GetScore().GetCorrectness() == 1 != used {
					t.Errorf("the score of node %d is %v", i, s.GetScore())
				}
			}
			if (f.asked["a"] > 0) != c.asked {
				t.Errorf("the nodes are asked %v", f.asked)
			}
			// A node that has followed the others is used again.
			f.mu.Lock()
			for url := range f.hashes {
				f.hashes[url] = "aa"
			}
			f.mu.Unlock()
			clock.Pass(forkRetry)
			p.probeAll(t.Context())
			p.probes.running.Wait()
			if got := tried(p); len(got) != len(c.hashes) {
				t.Errorf("later nodes %v are used", got)
			}
		})
	}
}

func TestNodesAreNotComparedAtEachProbe(t *testing.T) {
	f := &forkedNodes{hashes: map[string]string{"a": "aa", "b": "aa", "c": "aa"}, asked: map[string]int{}}
	script := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(1000)), "a": f.node("a"), "b": f.node("b"), "c": f.node("c")}
	clock := clocktest.StoppedAt(time.Unix(5, 0))
	p := New(Chain{ID: "eip155:31337", Nodes: []string{"a", "b", "c"}, BlockTime: time.Second, FinalAfter: time.Minute}, script, clock, slog.New(slog.DiscardHandler))
	defer p.Close()
	for range 20 {
		p.probeAll(t.Context())
		p.probes.running.Wait()
		clock.Pass(20 * time.Second)
	}
	if f.asked["a"] != 1 {
		t.Errorf("in seven minutes the node was asked %d times", f.asked["a"])
	}
}
