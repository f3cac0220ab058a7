package proxy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// fakeNode is a node with a head, and a result for every other request.
type fakeNode struct {
	head   uint64
	result func(chainstest.Request) string
}

// fakeNodes is the nodes of one chain by URL.
type fakeNodes struct {
	mu    sync.Mutex
	nodes map[string]*fakeNode
}

func (w *fakeNodes) PostJSON(_ context.Context, url string, body []byte) (int, []byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.nodes[url]
	switch {
	case n == nil:
		return 0, nil, errors.New("connection refused")
	case string(body) == chainstest.ChainIDProbe:
		return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`), nil
	case string(body) == chainstest.HeadProbe:
		return 200, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"number":"0x%x","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x5"}}`,
			n.head, n.head, n.head-1), nil
	}
	status, answer, err := chainstest.Returns(func(q chainstest.Request) string {
		if q.Method == rpc.MethodBlockNumber {
			return fmt.Sprintf(`"0x%x"`, n.head)
		}
		return n.result(q)
	})(string(body))
	return status, []byte(answer), err
}

// setHeads sets the heads of nodes; 0 makes a node unreachable.
func (w *fakeNodes) setHeads(heads map[string]uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for url, head := range heads {
		if head == 0 {
			delete(w.nodes, url)
			continue
		}
		w.nodes[url].head = head
	}
}

// always returns a node with one result for every request.
func always(result string) func(chainstest.Request) string {
	return func(chainstest.Request) string { return result }
}

// lyingAndTwo returns a proxy to a lying node and two honest ones at block 1000, in that order.
func lyingAndTwo(t *testing.T, lyingHead uint64) (*Proxy, *fakeNodes, *clocktest.Stopped) {
	t.Helper()
	w := &fakeNodes{nodes: map[string]*fakeNode{"lying": {lyingHead, always(`"0xbad"`)}, "a": {1000, always(`"0x1"`)}, "b": {1000, always(`"0x1"`)}}}
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: []string{"lying", "a", "b"}, BlockTime: time.Second}, w, clock)
	t.Cleanup(d.pool.Close)
	return d, w, clock
}

func ask(t *testing.T, d *Proxy, method, params string) string {
	t.Helper()
	got, err := d.Answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(got), `{"jsonrpc":"2.0","id":1,"result":`), "}")
}

func TestOneLyingNodeOfThreeDoesNotChangeTheHeight(t *testing.T) {
	for _, lie := range []uint64{math.MaxUint64, math.MaxUint64 - 5, 1 << 40, 2000, 1005, 900, 1} {
		t.Run(fmt.Sprint(lie), func(t *testing.T) {
			d, w, clock := lyingAndTwo(t, lie)
			for head := uint64(1000); head < 1010; head++ {
				if got, want := ask(t, d, rpc.MethodBlockNumber, `[]`), fmt.Sprintf(`"0x%x"`, head); got != want {
					t.Fatalf("the chain is at %s, want %s", got, want)
				}
				if lie > 1005 || lie < 1000 {
					if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
						t.Errorf("the newest balance is %s", got)
					}
				}
				clock.Pass(30 * time.Second)
				w.setHeads(map[string]uint64{"a": head + 1, "b": head + 1})
			}
		})
	}
}

func TestANodeWithTheHighestPossibleBlockDoesNotBreakReads(t *testing.T) {
	w := &fakeNodes{nodes: map[string]*fakeNode{"lying": {math.MaxUint64, always(`"0xbad"`)}, "honest": {1000, always(`"0x1"`)}}}
	d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: []string{"lying", "honest"}, BlockTime: time.Second}, w, clocktest.StoppedAt(time.Unix(1, 0)))
	defer d.pool.Close()
	if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
		t.Errorf("the newest balance is %s", got)
	}
	if got := ask(t, d, rpc.MethodBlockNumber, `[]`); got != `"0x3e8"` {
		t.Errorf("the chain is at %s", got)
	}
}

func TestASingleRemainingNodeRaisesTheHeightOnlyByTheBlocksThatAreDue(t *testing.T) {
	d, w, clock := lyingAndTwo(t, 1000)
	ask(t, d, rpc.MethodBlockNumber, `[]`)
	w.setHeads(map[string]uint64{"a": 0, "b": 0, "lying": 3000})
	for range 3 {
		clock.Pass(30 * time.Second)
		_, _ = d.pool.Probe(t.Context())
		if got := d.pool.Height(); got != 1000 {
			t.Fatalf("the chain is at %d", got)
		}
	}
	w.setHeads(map[string]uint64{"lying": 1090})
	if h, err := d.pool.Probe(t.Context()); err != nil || h.Number != 1090 {
		t.Errorf("the chain is at %d, %v", h.Number, err)
	}
}

func TestAReceiptDoesNotRaiseTheHeight(t *testing.T) {
	d, w, _ := lyingAndTwo(t, 1000)
	ask(t, d, rpc.MethodBlockNumber, `[]`)
	w.nodes["lying"].result = func(q chainstest.Request) string {
		return fmt.Sprintf(`{"transactionHash":%s,"blockNumber":"0xffffffffffffffff"}`, q.Params[0])
	}
	ask(t, d, "eth_getTransactionReceipt", `["0xabababababababababababababababababababababababababababababababab"]`)
	if got := d.pool.Height(); got != 1000 {
		t.Errorf("the chain is at %d", got)
	}
	if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
		t.Errorf("the newest balance is %s", got)
	}
}

func TestOnlyResultsOfTwoNodesAreCached(t *testing.T) {
	for _, order := range []string{"lying a b", "a lying b", "a b lying"} {
		w := &fakeNodes{nodes: map[string]*fakeNode{"lying": {100_000, always(`"0xbad"`)}, "a": {100_000, always(`"0x1"`)}, "b": {100_000, always(`"0x1"`)}}}
		clock := clocktest.StoppedAt(time.Unix(1, 0))
		d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: strings.Fields(order), BlockTime: time.Second}, w, clock)
		for range 3 {
			ask(t, d, "eth_getBalance", `["0xa","0x10"]`)
		}
		// A cached result is returned without a node.
		w.setHeads(map[string]uint64{"lying": 0, "a": 0, "b": 0})
		if got := ask(t, d, "eth_getBalance", `["0xa","0x10"]`); got != `"0x1"` {
			t.Errorf("%s: %s was cached", order, got)
		}
		clock.Pass(10 * time.Minute)
		if got, err := d.Answer(t.Context(), []byte(`{"id":1,"method":"eth_getBalance","params":["0xa","0x10"]}`)); err == nil {
			t.Errorf("%s: ten minutes later, %s is still cached", order, got)
		}
		d.pool.Close()
	}
}

// flaky makes the calls of nodes fail at a given rate.
type flaky struct {
	fakeNodes
	share float64
	luck  *rand.Rand
}

func (f *flaky) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	f.mu.Lock()
	fails := f.luck.Float64() < f.share
	f.mu.Unlock()
	if fails {
		return 500, []byte("oops"), nil
	}
	return f.fakeNodes.PostJSON(ctx, url, body)
}

func TestEightNodesThatFailThreeTimesInTenAnswerNearlyAllCalls(t *testing.T) {
	nodes := &flaky{share: 0.3, luck: rand.New(rand.NewPCG(1, 2)), fakeNodes: fakeNodes{nodes: map[string]*fakeNode{}}}
	n := pool.Chain{ID: "eip155:31337", BlockTime: time.Second}
	for i := range 8 {
		url := fmt.Sprint("node ", i)
		n.Nodes = append(n.Nodes, url)
		nodes.nodes[url] = &fakeNode{1000, always(`"0x1"`)}
	}
	const calls, each = 20_000, 5 * time.Millisecond
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	d := newProxyOf(n, nodes, clock)
	defer d.pool.Close()
	refused, probes, failed := 0, 0, 0
	for i := range calls {
		if _, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)); err != nil {
			refused++
		}
		if i%50 == 0 {
			probes++
			if _, err := d.pool.Probe(t.Context()); err != nil {
				failed++
			}
		}
		clock.Pass(each)
	}
	if refused*1000 >= calls {
		t.Errorf("%d of %d calls failed", refused, calls)
	}
	if failed*100 > probes {
		t.Errorf("%d of %d probes found no head", failed, probes)
	}
}

func TestAnAgreedResponseNeedsTwoNodes(t *testing.T) {
	ask := func(d *Proxy) (string, error) {
		// In a batch, as chainclient sends it.
		got, err := d.AnswerAgreed(t.Context(), []byte(`[{"jsonrpc":"2.0","id":0,"method":"eth_call","params":[{"data":"0x00"},"latest"]}]`))
		return string(got), err
	}
	verdict := func(result string) string { return `[{"jsonrpc":"2.0","id":0,"result":` + result + `}]` }
	for _, order := range []string{"lying a b", "a lying b", "a b lying"} {
		w := &fakeNodes{nodes: map[string]*fakeNode{"lying": {1000, always(`"0x01"`)}, "a": {1000, always(`"0x00"`)}, "b": {1000, always(`"0x00"`)}}}
		d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: strings.Fields(order), BlockTime: time.Second}, w, clocktest.StoppedAt(time.Unix(1, 0)))
		if got, err := ask(d); err != nil || got != verdict(`"0x00"`) {
			t.Errorf("%s: %s, %v", order, got, err)
		}
		w.setHeads(map[string]uint64{"a": 0})
		if got, err := ask(d); err == nil {
			t.Errorf("%s: with one honest node left, it answered %s", order, got)
		}
		d.pool.Close()
	}
	w := &fakeNodes{nodes: map[string]*fakeNode{"only": {1000, always(`"0x01"`)}}}
	d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: []string{"only"}, BlockTime: time.Second}, w, clocktest.StoppedAt(time.Unix(1, 0)))
	defer d.pool.Close()
	if got, err := ask(d); err != nil || got != verdict(`"0x01"`) {
		t.Errorf("a chain's only node: %s, %v", got, err)
	}
}
