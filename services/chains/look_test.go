package chains

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// watchedNodes is nodes whose looks a test counts, and whose heads it moves.
type watchedNodes struct {
	mu     sync.Mutex
	heads  map[string]int
	looked []string
}

func (w *watchedNodes) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if string(body) != string(askHead) {
		return script{url: says(200, good)}.PostJSON(ctx, url, body)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked = append(w.looked, url)
	number, ok := w.heads[url]
	if !ok {
		return 0, nil, errors.New("connection refused")
	}
	return 200, []byte(blockAt(number)), nil
}

// since returns which nodes were looked at since it was last asked.
func (w *watchedNodes) since() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.looked)
	looked := strings.Join(w.looked, " ")
	w.looked = nil
	return looked
}

func TestNodesThatAreNotFirstInLineAreLookedAtNowAndThen(t *testing.T) {
	nodes := &watchedNodes{heads: map[string]int{"a": 10, "b": 10, "c": 10}}
	clock := &stopwatch{now: time.Unix(1, 0)}
	p := newPool(Network{ChainID: "eip155:31337", RPC: []string{"a", "b", "c"}, BlockTime: time.Second}, nodes, clock)
	defer p.looks.end()
	look := func() (head, string) {
		h, _ := p.look(t.Context())
		p.looks.probes.Wait()
		return h, nodes.since()
	}
	if _, looked := look(); looked != "a b c" {
		t.Errorf("at first, it looked at %s", looked)
	}
	nodes.heads["a"], nodes.heads["b"] = 11, 11
	if h, looked := look(); looked != "a b" || h.number != 11 {
		t.Errorf("then it looked at %s, and saw block %d", looked, h.number)
	}
	clock.pass(standbyBlocks * time.Second)
	if _, looked := look(); looked != "a b c" {
		t.Errorf("after some blocks, it looked at %s", looked)
	}
	delete(nodes.heads, "a")
	nodes.heads["b"], nodes.heads["c"] = 12, 12
	clock.pass(shortestStandby)
	if h, looked := look(); looked != "a b c" || h.number != 12 {
		t.Errorf("when the first failed, it looked at %s, and saw block %d", looked, h.number)
	}
	for range downAfter {
		look()
	}
	if _, looked := look(); looked != "b c" {
		t.Errorf("when it was down, it looked at %s", looked)
	}
}

func TestNoProbeStartsOnceThePoolEnded(t *testing.T) {
	nodes := &watchedNodes{heads: map[string]int{"a": 10, "b": 10}}
	p := newPool(Network{ChainID: "eip155:31337", RPC: []string{"a", "b"}, BlockTime: time.Second}, nodes, &stopwatch{now: time.Unix(1, 0)})
	p.looks.end()
	_, err := p.look(t.Context())
	p.looks.probes.Wait()
	if looked := nodes.since(); err == nil || looked != "" {
		t.Errorf("it looked at %q: %v", looked, err)
	}
}

func TestTheHeightOutlivesTheNodesThatShowedItButNotForEver(t *testing.T) {
	nodes := &watchedNodes{heads: map[string]int{"a": 100, "b": 100, "c": 99}}
	clock := &stopwatch{now: time.Unix(1, 0)}
	p := newPool(Network{ChainID: "eip155:31337", RPC: []string{"a", "b", "c"}, BlockTime: time.Second}, nodes, clock)
	defer p.looks.end()
	if h, err := p.look(t.Context()); err != nil || h.number != 100 {
		t.Fatalf("saw block %d, %v", h.number, err)
	}
	delete(nodes.heads, "a")
	delete(nodes.heads, "b")
	if _, err := p.look(t.Context()); !errors.Is(err, errBehind) || p.height.get() != 100 {
		t.Errorf("at once: %v, at %d", err, p.height.get())
	}
	clock.pass(heightPatience)
	if h, err := p.look(t.Context()); err != nil || h.number != 99 || p.height.get() != 99 {
		t.Errorf("later: block %d, %v", h.number, err)
	}
}

func TestANodeThatTellsOfAnOlderBlockOnRequestIsNotBehind(t *testing.T) {
	for _, tag := range []string{"finalized", "safe", "pending", "0x1"} {
		asked := map[string]int{}
		node := func(name string) func(string) (int, string, error) {
			return func(string) (int, string, error) { asked[name]++; return 200, blockAt(1), nil }
		}
		d := doorOf(script{"look": says(200, blockAt(100)), "a": node("a"), "b": node("b")}, "a", "b")
		d.network.Dev = true
		for range 3 {
			if _, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["`+tag+`",false]}`)); err != nil {
				t.Fatal(err)
			}
		}
		if asked["a"] != 3 || asked["b"] != 0 {
			t.Errorf("%s: asked %v", tag, asked)
		}
	}
}

func TestANodeThatFellBehindIsNotAskedForTheNewest(t *testing.T) {
	d := doorOf(script{"look": says(200, blockAt(100)), "a": says(200, `{"jsonrpc":"2.0","id":1,"result":"0x32"}`), "b": says(200, `{"jsonrpc":"2.0","id":1,"result":"0x64"}`)}, "a", "b")
	for range 3 {
		got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`))
		if err != nil || string(got) != `{"jsonrpc":"2.0","id":1,"result":"0x64"}` {
			t.Errorf("answered %s, %v", got, err)
		}
	}
	if nodes, _ := d.pool.order(call{fresh: true}); len(nodes) != 1 || nodes[0].url != "b" {
		t.Errorf("%d nodes may be asked", len(nodes))
	}
}

func TestTheNextLookIsWhenABlockIsDueAndThenInShortSteps(t *testing.T) {
	clock := &stopwatch{now: time.Unix(1000, 0)}
	f := &follower{now: clock.Now}
	for name, c := range map[string]struct {
		blockTime time.Duration
		// age is how long ago the last block was, in seconds.
		age    int64
		failed bool
		dev    bool
		want   time.Duration
	}{
		"a slow chain, its block just there":  {blockTime: 12 * time.Second, age: 1, want: 11 * time.Second},
		"a slow chain, its block overdue":     {blockTime: 12 * time.Second, age: 13, want: time.Second},
		"a clock that is behind the chain's":  {blockTime: 12 * time.Second, age: -60, want: 12 * time.Second},
		"a chain of a block a second":         {blockTime: time.Second, age: 1, want: 500 * time.Millisecond},
		"a public chain quicker than we look": {blockTime: 100 * time.Millisecond, age: 0, want: publicPoll},
		"a local chain quicker than we look":  {blockTime: 100 * time.Millisecond, age: 0, dev: true, want: shortestPoll},
		"no node":                             {blockTime: 12 * time.Second, age: 1, failed: true, want: 4 * time.Second},
	} {
		chain := &followed{network: Network{BlockTime: c.blockTime, Dev: c.dev}, last: head{timestamp: 1000 - c.age}}
		if got := f.pause(chain, 2*time.Second, c.failed); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := f.pause(&followed{}, longestPoll, true); got != longestPoll {
		t.Errorf("no node for long: %s", got)
	}
}
