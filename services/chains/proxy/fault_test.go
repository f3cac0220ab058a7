package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	rich     = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	// wrongChain is a healthy node of another chain.
	wrongChain chainstest.Fault = "wrong chain id"
)

// world is a real chain with some history, and its node's responses to every kind of read.
type world struct {
	chain devnettest.Chain
	other devnettest.Chain
	reads []read
}

// read is one body, and the node's response to it.
type read struct {
	name, body string
	want       []byte
}

// startWorld starts a chain that begins with a transfer of the native token and one of an ERC-20 token, and ends with
// another transfer of each.
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
	// Ten seconds apart: a stalled node is recognized by the age of its newest block.
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
func (w *world) node(tb testing.TB, fault chainstest.Fault) *chainstest.Node {
	if fault == wrongChain {
		return chainstest.Start(tb, w.other.RPCURL, chainstest.None)
	}
	return chainstest.Start(tb, w.chain.RPCURL, fault)
}

// proxy returns a proxy to nodes, in that order.
func (w *world) proxy(tb testing.TB, nodes ...*chainstest.Node) *Proxy {
	tb.Helper()
	n := pool.Chain{ID: "eip155:31337", BlockTime: time.Second}
	for _, node := range nodes {
		n.Nodes = append(n.Nodes, node.URL)
	}
	poster := upstream.New(pool.NodeTimeout, 10<<20)
	d := newProxyOf(n, poster, clock.System{})
	tb.Cleanup(func() {
		d.pool.Close()
		poster.Close()
	})
	return d
}

// timed returns how long a read took, and fails the test if the response differs from that of the node itself.
func timed(tb testing.TB, d *Proxy, r read) time.Duration {
	tb.Helper()
	started := time.Now()
	got, err := d.Answer(tb.Context(), []byte(r.body))
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

// row is one line of a printed table.
func row(d *Proxy, tb testing.TB, reads []read) string {
	var cells strings.Builder
	for _, r := range reads {
		fmt.Fprintf(&cells, " %15s", timed(tb, d, r).Round(100*time.Microsecond))
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

func TestEveryReadIsRightWhileOneNodeOfTwoMisbehaves(t *testing.T) {
	w := startWorld(t)
	faults := append(slices.Clone(chainstest.Faults), wrongChain)
	matrix := []string{fmt.Sprintf("%-32s", "") + heading(w.reads)}
	for _, fault := range faults {
		t.Run(string(fault)+" from the start", func(t *testing.T) {
			d := w.proxy(t, w.node(t, fault), w.node(t, chainstest.None))
			matrix = append(matrix, fmt.Sprintf("%-32s", t.Name()[strings.Index(t.Name(), "/")+1:])+row(d, t, w.reads))
		})
		if fault == wrongChain {
			continue
		}
		t.Run(string(fault)+" suddenly", func(t *testing.T) {
			bad := w.node(t, chainstest.None)
			d := w.proxy(t, bad, w.node(t, chainstest.None))
			for _, r := range w.reads {
				timed(t, d, r)
			}
			bad.Set(fault)
			d.results = NewResults()
			matrix = append(matrix, fmt.Sprintf("%-32s", t.Name()[strings.Index(t.Name(), "/")+1:])+row(d, t, w.reads))
		})
	}
	t.Log("\n" + strings.Join(matrix, "\n"))
}

func TestEveryReadIsRightWhileSevenNodesOfEightMisbehave(t *testing.T) {
	w := startWorld(t)
	faults := []chainstest.Fault{
		chainstest.Dead, chainstest.Hung, chainstest.TooMany, chainstest.Broken, wrongChain, chainstest.LimitExceeded, chainstest.Lagging, chainstest.None,
	}
	matrix := []string{fmt.Sprintf("%-32s", "first node") + heading(w.reads)}
	for turn := range faults {
		for _, mirrored := range []bool{false, true} {
			order := slices.Concat(faults[turn:], faults[:turn])
			if mirrored {
				slices.Reverse(order)
			}
			var nodes []*chainstest.Node
			for _, fault := range order {
				nodes = append(nodes, w.node(t, fault))
			}
			matrix = append(matrix, fmt.Sprintf("%-32s", order[0]+", "+order[1])+row(w.proxy(t, nodes...), t, w.reads))
		}
	}
	t.Log("\n" + strings.Join(matrix, "\n"))
}

func TestANodeOfAnotherChainGetsOnlyTheProbe(t *testing.T) {
	w := startWorld(t)
	other, working := w.node(t, wrongChain), w.node(t, chainstest.None)
	d := w.proxy(t, other, working)
	for range 50 {
		for _, r := range w.reads {
			timed(t, d, r)
		}
	}
	if n := other.Calls(); n != 1 {
		t.Errorf("the node got %d calls", n)
	}
	working.Set(chainstest.Broken)
	d.results = NewResults()
	if _, err := d.Answer(t.Context(), []byte(w.reads[0].body)); !errors.Is(err, pool.ErrNoNode) {
		t.Errorf("without the other node, the error is %v", err)
	}
}

func TestTheBlockNumberDoesNotGoBackWhenTheFirstNodeDies(t *testing.T) {
	w := startWorld(t)
	for _, rest := range []chainstest.Fault{chainstest.None, chainstest.Lagging} {
		first, second := w.node(t, chainstest.None), w.node(t, rest)
		d := w.proxy(t, first, second)
		ask := func() uint64 {
			o, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`))
			var r rpc.Response
			_ = json.Unmarshal(o, &r)
			number, ok := rpc.BlockNumber(r.Result)
			if err == nil && !ok {
				t.Errorf("answered %s", o)
			}
			return number
		}
		before := ask()
		first.Set(chainstest.Dead)
		for range 10 {
			if after := ask(); after != 0 && after < before {
				t.Errorf("it was %d, then %d", before, after)
			}
		}
	}
}

func TestAnOutageDoesNotMultiplyCalls(t *testing.T) {
	w := startWorld(t)
	nodes := []*chainstest.Node{w.node(t, chainstest.None), w.node(t, chainstest.None), w.node(t, chainstest.None)}
	d := w.proxy(t, nodes...)
	calls := func() (sum int64) {
		for _, n := range nodes {
			sum += n.Calls()
		}
		return sum
	}
	gas := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}`)
	if _, err := d.Answer(t.Context(), gas); err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		n.Set(chainstest.Broken)
	}
	const requests = 1000
	// The pool saves up that many retries.
	const savedRetries = 40
	before := calls()
	for range requests {
		if _, err := d.Answer(t.Context(), gas); !errors.Is(err, pool.ErrNoNode) {
			t.Fatalf("answered with %v", err)
		}
	}
	if made := calls() - before; made > requests*11/10+savedRetries+20 {
		t.Errorf("%d requests became %d calls", requests, made)
	}
}

func TestAReorgLeavesNoResultOfTheOldFork(t *testing.T) {
	w := startWorld(t)
	d := w.proxy(t, w.node(t, chainstest.None))
	for _, r := range w.reads {
		timed(t, d, r)
	}
	w.chain.Call(t, "anvil_reorg", 5, []any{})
	for _, r := range w.reads {
		want, err := w.chain.Forward(t.Context(), []byte(r.body))
		if err != nil {
			t.Fatal(err)
		}
		timed(t, d, read{name: r.name, body: r.body, want: want})
	}
}

func TestSendingATransactionTwiceIsNotAnError(t *testing.T) {
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
	d := w.proxy(t, w.node(t, chainstest.None))
	body := `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["` + raw + `"]}`
	first, err := d.Answer(t.Context(), []byte(body))
	if err != nil || !bytes.Contains(first, []byte(`"result":"0x`)) {
		t.Fatalf("answered %s, %v", first, err)
	}
	again, err := d.Answer(t.Context(), []byte(body))
	if err != nil || !sameJSON(again, first) {
		t.Errorf("answered %s, then %s, %v", first, again, err)
	}
	var hash struct{ Result string }
	if err := json.Unmarshal(first, &hash); err != nil {
		t.Fatal(err)
	}
	w.receipt(t, hash.Result)
	mined, err := d.Answer(t.Context(), []byte(body))
	if err != nil || !sameJSON(mined, first) {
		t.Errorf("answered %s, then, once it was mined, %s, %v", first, mined, err)
	}
	// Another transaction with the same nonce is an error.
	other := w.chain.Call(t, "eth_signTransaction", map[string]string{
		"from": rich, "to": receiver, "value": "0x2", "nonce": nonce, "gas": "0x5208", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "chainId": "0x7a69",
	})
	refused, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":[`+string(other)+`]}`))
	if err != nil || !bytes.Contains(refused, []byte("nonce too low")) {
		t.Errorf("answered %s, %v", refused, err)
	}
}
