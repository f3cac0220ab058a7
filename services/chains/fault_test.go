package chains

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/faultnode"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	rich     = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	// wrongChain is a well node of another chain.
	wrongChain faultnode.Fault = "wrong chain id"
)

// world is a real chain with a past, and what its node says to every kind of read.
type world struct {
	chain devnettest.Chain
	other devnettest.Chain
	reads []read
}

// read is one body, and the node's own answer to it.
type read struct {
	name, body string
	want       []byte
}

// startWorld makes a past of some depth: a transfer of native coin and one of tokens at its start, another of each at its end.
func startWorld(tb testing.TB) *world {
	tb.Helper()
	net := devnettest.Start(tb)
	w := &world{chain: net.Chain(tb, "eip155:31337"), other: net.Chain(tb, "eip155:31338")}
	token := w.chain.Tokens[0].Address
	pay := func() string {
		w.transact(tb, map[string]string{"from": rich, "to": receiver, "value": "0x1"})
		// transfer(receiver, 1)
		data := "0xa9059cbb" + strings.Repeat("0", 24) + strings.ToLower(receiver[2:]) + strings.Repeat("0", 63) + "1"
		return w.transact(tb, map[string]string{"from": rich, "to": token, "data": data})
	}
	pay()
	// Ten seconds apart: a node that stands still is known by the age of its newest block.
	w.chain.Call(tb, "anvil_mine", "0x80", "0xa")
	hash := pay()
	receipt := w.receipt(tb, hash)
	balanceOf := `{"to":"` + token + `","data":"0x70a08231` + strings.Repeat("0", 24) + strings.ToLower(receiver[2:]) + `"}`
	for name, call := range map[string]string{
		"blockNumber":    `"method":"eth_blockNumber","params":[]`,
		"getBalance":     `"method":"eth_getBalance","params":["` + receiver + `","latest"]`,
		"call":           `"method":"eth_call","params":[` + balanceOf + `,"latest"]`,
		"getLogs":        `"method":"eth_getLogs","params":[{"address":"` + token + `","fromBlock":"0x0","toBlock":"latest"}]`,
		"getLogs closed": `"method":"eth_getLogs","params":[{"address":"` + token + `","fromBlock":"0x0","toBlock":"` + receipt.BlockNumber + `"}]`,
		"block by hash":  `"method":"eth_getBlockByHash","params":["` + receipt.BlockHash + `",true]`,
		"newest block":   `"method":"eth_getBlockByNumber","params":["latest",false]`,
		"block":          `"method":"eth_getBlockByNumber","params":["` + receipt.BlockNumber + `",false]`,
		"receipt":        `"method":"eth_getTransactionReceipt","params":["` + hash + `"]`,
	} {
		w.reads = append(w.reads, read{name: name, body: `{"jsonrpc":"2.0","id":1,` + call + `}`})
	}
	slices.SortFunc(w.reads, func(a, b read) int { return strings.Compare(a.name, b.name) })
	w.reads = append(w.reads, read{name: "batch", body: `[{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["` + receiver +
		`","latest"]},{"jsonrpc":"2.0","id":"b","method":"eth_getTransactionReceipt","params":["` + hash + `"]}]`})
	for i := range w.reads {
		answer, err := w.chain.Forward(tb.Context(), []byte(w.reads[i].body))
		if err != nil {
			tb.Fatal(err)
		}
		w.reads[i].want = answer
	}
	return w
}

type minedAt struct{ BlockHash, BlockNumber string }

func (w *world) transact(tb testing.TB, tx map[string]string) (hash string) {
	tb.Helper()
	if err := json.Unmarshal(w.chain.Call(tb, "eth_sendTransaction", tx), &hash); err != nil {
		tb.Fatal(err)
	}
	return hash
}

func (w *world) receipt(tb testing.TB, hash string) (r minedAt) {
	tb.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if raw := w.chain.Call(tb, "eth_getTransactionReceipt", hash); string(raw) != "null" {
			if err := json.Unmarshal(raw, &r); err != nil {
				tb.Fatal(err)
			}
			return r
		}
	}
	tb.Fatal("the transaction was not mined")
	return r
}

// node starts a node of the chain with a fault.
func (w *world) node(tb testing.TB, fault faultnode.Fault) *faultnode.Node {
	if fault == wrongChain {
		return faultnode.Start(tb, w.other.RPCURL, faultnode.None)
	}
	return faultnode.Start(tb, w.chain.RPCURL, fault)
}

// door opens a door on nodes, in that order.
func (w *world) door(tb testing.TB, nodes ...*faultnode.Node) *door {
	tb.Helper()
	n := Network{ChainID: "eip155:31337", BlockTime: time.Second}
	for _, node := range nodes {
		n.RPC = append(n.RPC, node.URL)
	}
	poster := upstream.New(nodeTimeout, answerLimit)
	d := newDoor(n, poster, clock.System{}, newFinals())
	tb.Cleanup(func() {
		d.pool.looks.end()
		poster.Close()
	})
	return d
}

// asked answers how long a read took, and fails when it was not answered as the node itself would.
func asked(tb testing.TB, d *door, r read) time.Duration {
	tb.Helper()
	started := time.Now()
	got, err := d.answer(tb.Context(), []byte(r.body))
	if err != nil {
		tb.Errorf("%s: %v", r.name, err)
	} else if !sameJSON(got, r.want) {
		tb.Errorf("%s:\ngot  %.300s\nwant %.300s", r.name, got, r.want)
	}
	return time.Since(started)
}

func sameJSON(a, b []byte) bool {
	var one, two bytes.Buffer
	return json.Compact(&one, a) == nil && json.Compact(&two, b) == nil && bytes.Equal(one.Bytes(), two.Bytes())
}

// row is one line of a printed matrix.
func row(d *door, tb testing.TB, reads []read) string {
	var cells strings.Builder
	for _, r := range reads {
		fmt.Fprintf(&cells, " %15s", asked(tb, d, r).Round(100*time.Microsecond))
	}
	return cells.String()
}

func heading(reads []read) string {
	var cells strings.Builder
	for _, r := range reads {
		fmt.Fprintf(&cells, " %15s", r.name)
	}
	return cells.String()
}

func TestOneNodeOfTwoMisbehavesAndEveryReadIsRight(t *testing.T) {
	w := startWorld(t)
	faults := append(slices.Clone(faultnode.Faults), wrongChain)
	matrix := []string{fmt.Sprintf("%-32s", "") + heading(w.reads)}
	for _, fault := range faults {
		t.Run(string(fault)+" from the start", func(t *testing.T) {
			d := w.door(t, w.node(t, fault), w.node(t, faultnode.None))
			matrix = append(matrix, fmt.Sprintf("%-32s", t.Name()[strings.Index(t.Name(), "/")+1:])+row(d, t, w.reads))
		})
		if fault == wrongChain {
			continue
		}
		t.Run(string(fault)+" suddenly", func(t *testing.T) {
			bad := w.node(t, faultnode.None)
			d := w.door(t, bad, w.node(t, faultnode.None))
			for _, r := range w.reads {
				asked(t, d, r)
			}
			bad.Set(fault)
			d.finals = newFinals()
			matrix = append(matrix, fmt.Sprintf("%-32s", t.Name()[strings.Index(t.Name(), "/")+1:])+row(d, t, w.reads))
		})
	}
	t.Log("\n" + strings.Join(matrix, "\n"))
}

func TestSevenNodesOfEightMisbehaveAndEveryReadIsRight(t *testing.T) {
	w := startWorld(t)
	faults := []faultnode.Fault{
		faultnode.Dead, faultnode.Hung, faultnode.TooMany, faultnode.Broken, wrongChain, faultnode.LimitExceeded, faultnode.Lagging, faultnode.None,
	}
	matrix := []string{fmt.Sprintf("%-32s", "first asked") + heading(w.reads)}
	for turn := range faults {
		for _, mirrored := range []bool{false, true} {
			order := slices.Concat(faults[turn:], faults[:turn])
			if mirrored {
				slices.Reverse(order)
			}
			var nodes []*faultnode.Node
			for _, fault := range order {
				nodes = append(nodes, w.node(t, fault))
			}
			matrix = append(matrix, fmt.Sprintf("%-32s", order[0]+", "+order[1])+row(w.door(t, nodes...), t, w.reads))
		}
	}
	t.Log("\n" + strings.Join(matrix, "\n"))
}

func TestANodeOfAnotherChainIsNeverAskedForAnythingElse(t *testing.T) {
	w := startWorld(t)
	stranger, good := w.node(t, wrongChain), w.node(t, faultnode.None)
	d := w.door(t, stranger, good)
	for range 50 {
		for _, r := range w.reads {
			asked(t, d, r)
		}
	}
	if n := stranger.Asked(); n != 1 {
		t.Errorf("the node was asked %d times", n)
	}
	good.Set(faultnode.Broken)
	d.finals = newFinals()
	if _, err := d.answer(t.Context(), []byte(w.reads[0].body)); !errors.Is(err, errNoNode) {
		t.Errorf("alone, it was asked: %v", err)
	}
}

func TestTheBlockNumberDoesNotGoBackWhenTheFirstNodeDies(t *testing.T) {
	w := startWorld(t)
	for _, rest := range []faultnode.Fault{faultnode.None, faultnode.Lagging} {
		first, second := w.node(t, faultnode.None), w.node(t, rest)
		d := w.door(t, first, second)
		ask := func() uint64 {
			o, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`))
			var r response
			_ = json.Unmarshal(o, &r)
			number, ok := shownBlock(r.Result)
			if err == nil && !ok {
				t.Errorf("answered %s", o)
			}
			return number
		}
		before := ask()
		first.Set(faultnode.Dead)
		for range 10 {
			if after := ask(); after != 0 && after < before {
				t.Errorf("it was %d, then %d", before, after)
			}
		}
	}
}

func TestAnOutageIsNotAmplified(t *testing.T) {
	w := startWorld(t)
	nodes := []*faultnode.Node{w.node(t, faultnode.None), w.node(t, faultnode.None), w.node(t, faultnode.None)}
	d := w.door(t, nodes...)
	calls := func() (sum int64) {
		for _, n := range nodes {
			sum += n.Asked()
		}
		return sum
	}
	gas := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}`)
	if _, err := d.answer(t.Context(), gas); err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		n.Set(faultnode.Broken)
	}
	const requests = 1000
	before := calls()
	for range requests {
		if _, err := d.answer(t.Context(), gas); !errors.Is(err, errNoNode) {
			t.Fatalf("answered with %v", err)
		}
	}
	if made := calls() - before; made > requests*11/10+retriesSaved+20 {
		t.Errorf("%d requests became %d calls", requests, made)
	}
}

func TestAReorgLeavesNothingOfTheOldFork(t *testing.T) {
	w := startWorld(t)
	d := w.door(t, w.node(t, faultnode.None))
	for _, r := range w.reads {
		asked(t, d, r)
	}
	w.chain.Call(t, "anvil_reorg", 5, []any{})
	for _, r := range w.reads {
		want, err := w.chain.Forward(t.Context(), []byte(r.body))
		if err != nil {
			t.Fatal(err)
		}
		asked(t, d, read{name: r.name, body: r.body, want: want})
	}
}

func TestATransactionSentTwiceIsNoError(t *testing.T) {
	w := startWorld(t)
	var nonce, raw string
	if err := json.Unmarshal(w.chain.Call(t, "eth_getTransactionCount", rich, "latest"), &nonce); err != nil {
		t.Fatal(err)
	}
	signed := w.chain.Call(t, "eth_signTransaction", map[string]string{
		"from": rich, "to": receiver, "value": "0x1", "nonce": nonce, "gas": "0x5208", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "chainId": "0x7a69",
	})
	if err := json.Unmarshal(signed, &raw); err != nil {
		t.Fatal(err)
	}
	d := w.door(t, w.node(t, faultnode.None))
	body := `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["` + raw + `"]}`
	first, err := d.answer(t.Context(), []byte(body))
	if err != nil || !bytes.Contains(first, []byte(`"result":"0x`)) {
		t.Fatalf("answered %s, %v", first, err)
	}
	again, err := d.answer(t.Context(), []byte(body))
	if err != nil || !sameJSON(again, first) {
		t.Errorf("answered %s, then %s, %v", first, again, err)
	}
	var hash struct{ Result string }
	if err := json.Unmarshal(first, &hash); err != nil {
		t.Fatal(err)
	}
	w.receipt(t, hash.Result)
	mined, err := d.answer(t.Context(), []byte(body))
	if err != nil || !sameJSON(mined, first) {
		t.Errorf("answered %s, then, once it was mined, %s, %v", first, mined, err)
	}
	// Another transaction of the same nonce is another matter.
	other := w.chain.Call(t, "eth_signTransaction", map[string]string{
		"from": rich, "to": receiver, "value": "0x2", "nonce": nonce, "gas": "0x5208", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "chainId": "0x7a69",
	})
	refused, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":[`+string(other)+`]}`))
	if err != nil || !bytes.Contains(refused, []byte("nonce too low")) {
		t.Errorf("answered %s, %v", refused, err)
	}
}
