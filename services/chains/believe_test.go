package chains

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// witness is one node: the head that it shows, and what it says to everything else.
type witness struct {
	head uint64
	says func(askedOfNode) string
}

// witnesses are the nodes of one chain, by URL.
type witnesses struct {
	mu    sync.Mutex
	nodes map[string]*witness
}

func (w *witnesses) PostJSON(_ context.Context, url string, body []byte) (int, []byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.nodes[url]
	switch {
	case n == nil:
		return 0, nil, errors.New("connection refused")
	case bytes.Equal(body, askChainID):
		return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`), nil
	case bytes.Equal(body, askHead):
		return 200, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"number":"0x%x","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x5"}}`,
			n.head, n.head, n.head-1), nil
	}
	status, answer, err := answering(func(q askedOfNode) string {
		if q.Method == methodBlockNumber {
			return fmt.Sprintf(`"0x%x"`, n.head)
		}
		return n.says(q)
	})(string(body))
	return status, []byte(answer), err
}

// show sets the heads of nodes; 0 takes a node away.
func (w *witnesses) show(heads map[string]uint64) {
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

// word is a node that says the same to everything.
func word(result string) func(askedOfNode) string { return func(askedOfNode) string { return result } }

// liarAndTwo is a door on a liar and two honest nodes at block 1000, in that order.
func liarAndTwo(t *testing.T, liarsHead uint64) (*door, *witnesses, *stopwatch) {
	t.Helper()
	w := &witnesses{nodes: map[string]*witness{"liar": {liarsHead, word(`"0xbad"`)}, "a": {1000, word(`"0x1"`)}, "b": {1000, word(`"0x1"`)}}}
	clock := &stopwatch{now: time.Unix(1, 0)}
	d := newDoor(Network{ChainID: "eip155:31337", RPC: []string{"liar", "a", "b"}, BlockTime: time.Second}, w, clock, newFinals())
	t.Cleanup(d.pool.looks.end)
	return d, w, clock
}

func ask(t *testing.T, d *door, method, params string) string {
	t.Helper()
	got, err := d.answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(got), `{"jsonrpc":"2.0","id":1,"result":`), "}")
}

func TestALiarBesideTwoHonestNodesChangesNoHeight(t *testing.T) {
	for _, lie := range []uint64{math.MaxUint64, math.MaxUint64 - 5, 1 << 40, 2000, 1005, 900, 1} {
		t.Run(fmt.Sprint(lie), func(t *testing.T) {
			d, w, clock := liarAndTwo(t, lie)
			for head := uint64(1000); head < 1010; head++ {
				if got, want := ask(t, d, methodBlockNumber, `[]`), fmt.Sprintf(`"0x%x"`, head); got != want {
					t.Fatalf("the chain is at %s, want %s", got, want)
				}
				if lie > 1005 || lie < 1000 {
					if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
						t.Errorf("the newest balance is %s", got)
					}
				}
				clock.pass(lookHolds)
				w.show(map[string]uint64{"a": head + 1, "b": head + 1})
			}
		})
	}
}

func TestANodeAtTheEndOfNumbersTakesNobodyDown(t *testing.T) {
	w := &witnesses{nodes: map[string]*witness{"liar": {math.MaxUint64, word(`"0xbad"`)}, "honest": {1000, word(`"0x1"`)}}}
	d := newDoor(Network{ChainID: "eip155:31337", RPC: []string{"liar", "honest"}, BlockTime: time.Second}, w, &stopwatch{now: time.Unix(1, 0)}, newFinals())
	defer d.pool.looks.end()
	if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
		t.Errorf("the newest balance is %s", got)
	}
	if got := ask(t, d, methodBlockNumber, `[]`); got != `"0x3e8"` {
		t.Errorf("the chain is at %s", got)
	}
}

func TestANodeThatIsLeftAloneRaisesAChainOnlyAsFarAsBlocksWereDue(t *testing.T) {
	d, w, clock := liarAndTwo(t, 1000)
	ask(t, d, methodBlockNumber, `[]`)
	w.show(map[string]uint64{"a": 0, "b": 0, "liar": 3000})
	for range 3 {
		clock.pass(lookHolds)
		_, _ = d.pool.look(t.Context())
		if got := d.pool.height.get(); got != 1000 {
			t.Fatalf("the chain is at %d", got)
		}
	}
	w.show(map[string]uint64{"liar": 1090})
	if h, err := d.pool.look(t.Context()); err != nil || h.number != 1090 {
		t.Errorf("the chain is at %d, %v", h.number, err)
	}
}

func TestAReceiptRaisesNoHeight(t *testing.T) {
	d, w, _ := liarAndTwo(t, 1000)
	ask(t, d, methodBlockNumber, `[]`)
	w.nodes["liar"].says = func(q askedOfNode) string {
		return fmt.Sprintf(`{"transactionHash":%s,"blockNumber":"0xffffffffffffffff"}`, q.Params[0])
	}
	ask(t, d, "eth_getTransactionReceipt", `["0xab"]`)
	if got := d.pool.height.get(); got != 1000 {
		t.Errorf("the chain is at %d", got)
	}
	if got := ask(t, d, "eth_getBalance", `["0xa","latest"]`); got != `"0x1"` {
		t.Errorf("the newest balance is %s", got)
	}
}

func TestWhatIsKeptWasSaidByTwoNodes(t *testing.T) {
	for _, order := range []string{"liar a b", "a liar b", "a b liar"} {
		w := &witnesses{nodes: map[string]*witness{"liar": {100_000, word(`"0xbad"`)}, "a": {100_000, word(`"0x1"`)}, "b": {100_000, word(`"0x1"`)}}}
		clock := &stopwatch{now: time.Unix(1, 0)}
		d := newDoor(Network{ChainID: "eip155:31337", RPC: strings.Fields(order), BlockTime: time.Second}, w, clock, newFinals())
		for range 3 {
			ask(t, d, "eth_getBalance", `["0xa","0x10"]`)
		}
		// What is kept is answered without a node.
		w.show(map[string]uint64{"liar": 0, "a": 0, "b": 0})
		if got := ask(t, d, "eth_getBalance", `["0xa","0x10"]`); got != `"0x1"` {
			t.Errorf("%s: %s was kept", order, got)
		}
		clock.pass(10 * time.Minute)
		if got, err := d.answer(t.Context(), []byte(`{"id":1,"method":"eth_getBalance","params":["0xa","0x10"]}`)); err == nil {
			t.Errorf("%s: ten minutes later, %s is still kept", order, got)
		}
		d.pool.looks.end()
	}
}

// flaky is nodes that fail a share of what they are asked.
type flaky struct {
	witnesses
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
	return f.witnesses.PostJSON(ctx, url, body)
}

func TestEightNodesThatFailOfTenThriceAnswerAlmostAll(t *testing.T) {
	nodes := &flaky{share: 0.3, luck: rand.New(rand.NewPCG(1, 2)), witnesses: witnesses{nodes: map[string]*witness{}}}
	n := Network{ChainID: "eip155:31337", BlockTime: time.Second}
	for i := range 8 {
		url := fmt.Sprint("node ", i)
		n.RPC = append(n.RPC, url)
		nodes.nodes[url] = &witness{1000, word(`"0x1"`)}
	}
	const calls, each = 20_000, 5 * time.Millisecond
	clock := &stopwatch{now: time.Unix(1, 0)}
	d := newDoor(n, nodes, clock, newFinals())
	defer d.pool.looks.end()
	refused, looks, blind := 0, 0, 0
	for i := range calls {
		if _, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`)); err != nil {
			refused++
		}
		if i%50 == 0 {
			looks++
			if _, err := d.pool.look(t.Context()); err != nil {
				blind++
			}
		}
		clock.pass(each)
	}
	if refused*1000 >= calls {
		t.Errorf("%d of %d calls were refused", refused, calls)
	}
	if blind*100 > looks {
		t.Errorf("%d of %d looks saw no head", blind, looks)
	}
}

func TestANodeOnTrialHasTheTimeThatACallNeeds(t *testing.T) {
	d, _, clock := liarAndTwo(t, 1000)
	ask(t, d, methodBlockNumber, `[]`)
	n := d.pool.nodes[0]
	n.failed(clock.Now())
	if _, timeout := n.patience(true); timeout != nodeTimeout {
		t.Errorf("a heavy call on trial has %s", timeout)
	}
	clock.pass(firstRest)
	d.pool.lookAtAll(t.Context())
	n.begin(clock.Now())
	if resting := n.standing(clock.Now()).resting; resting > 0 {
		t.Errorf("after a look, a call keeps the node for itself for %s", resting)
	}
}

func TestAVerdictThatTwoMustGiveIsNotALiarsNorOneNodes(t *testing.T) {
	ask := func(d *door) (string, error) {
		// In a batch, as the services of this house ask.
		got, err := d.respond(t.Context(), []byte(`[{"jsonrpc":"2.0","id":0,"method":"eth_call","params":[{"data":"0x00"},"latest"]}]`), true)
		return string(got), err
	}
	verdict := func(result string) string { return `[{"jsonrpc":"2.0","id":0,"result":` + result + `}]` }
	for _, order := range []string{"liar a b", "a liar b", "a b liar"} {
		w := &witnesses{nodes: map[string]*witness{"liar": {1000, word(`"0x01"`)}, "a": {1000, word(`"0x00"`)}, "b": {1000, word(`"0x00"`)}}}
		d := newDoor(Network{ChainID: "eip155:31337", RPC: strings.Fields(order), BlockTime: time.Second}, w, &stopwatch{now: time.Unix(1, 0)}, newFinals())
		if got, err := ask(d); err != nil || got != verdict(`"0x00"`) {
			t.Errorf("%s: %s, %v", order, got, err)
		}
		w.show(map[string]uint64{"a": 0})
		if got, err := ask(d); err == nil {
			t.Errorf("%s: with one honest node left, it answered %s", order, got)
		}
		d.pool.looks.end()
	}
	w := &witnesses{nodes: map[string]*witness{"only": {1000, word(`"0x01"`)}}}
	d := newDoor(Network{ChainID: "eip155:31337", RPC: []string{"only"}, BlockTime: time.Second}, w, &stopwatch{now: time.Unix(1, 0)}, newFinals())
	defer d.pool.looks.end()
	if got, err := ask(d); err != nil || got != verdict(`"0x01"`) {
		t.Errorf("a chain's only node: %s, %v", got, err)
	}
}
