package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/rpc"
)

// refusalOf returns the answer to a method that is not allowed.
func refusalOf(method string) string {
	return `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method ` + method + ` does not exist/is not available"}}`
}

func TestMethodsThatAreNotListedAreRefused(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"result":"0x0"}`)}, "a")
	for _, name := range []string{
		"debug_traceCall", "trace_block", "admin_peers", "personal_sign", "miner_start", "txpool_content", "eth_sendTransaction", "eth_accounts",
		"eth_sign", "eth_signTransaction", "eth_newFilter", "eth_getFilterChanges", "eth_subscribe", "anvil_setBalance", "evm_mine", "hardhat_reset", "nope",
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + name + `","params":[]}`
		refused := refusalOf(name)
		if got, err := d.Answer(t.Context(), []byte(body)); err != nil || string(got) != refused {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if got, err := d.Answer(t.Context(), []byte("["+body+"]")); err != nil || string(got) != "["+refused+"]" {
			t.Errorf("%s in a batch: %s, %v", name, got, err)
		}
	}
	d.chain.Dev = true
	for _, name := range []string{"anvil_setBalance", "evm_mine", "hardhat_reset"} {
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+name+`","params":[]}`))
		if err != nil || !strings.Contains(string(got), `"result"`) {
			t.Errorf("%s on a development chain: %s, %v", name, got, err)
		}
	}
}

// logNode is a node with one log in every block. It refuses filters of more than most blocks.
type logNode struct {
	mu    sync.Mutex
	most  uint64
	calls []string
}

func (n *logNode) answer(body string) (int, string, error) {
	var q struct {
		ID     json.RawMessage
		Params []struct{ FromBlock, ToBlock string }
	}
	if err := json.Unmarshal([]byte(body), &q); err != nil {
		return 0, "", err
	}
	from, _ := rpc.ParseQuantity(q.Params[0].FromBlock)
	to, ok := rpc.ParseQuantity(q.Params[0].ToBlock)
	n.mu.Lock()
	defer n.mu.Unlock()
	// A slow call is hedged, so a range is counted once.
	if part := q.Params[0].FromBlock + "-" + q.Params[0].ToBlock; !slices.Contains(n.calls, part) {
		n.calls = append(n.calls, part)
	}
	if !ok {
		to = max(from, 70_000)
	}
	if to-from >= n.most {
		return 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32005,"message":"query returned more than %d results"}}`, q.ID, n.most), nil
	}
	var logs []string
	for n := from; n <= to; n++ {
		logs = append(logs, fmt.Sprintf(`{"blockNumber":"0x%x"}`, n))
	}
	return 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[%s]}`, q.ID, strings.Join(logs, ",")), nil
}

// ranges returns the ranges of the calls.
func (n *logNode) ranges() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.calls)
}

func TestLogsOfAWideRangeAreReadInPartsAndReturnedInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		from, to uint64
		open     bool
		most     uint64
		calls    int
	}{
		"one part":             {from: 1, to: 10_000, most: rpc.LogBlocks, calls: 1},
		"three parts":          {from: 1, to: 20_001, most: rpc.LogBlocks, calls: 3},
		"an open end":          {from: 60_000, to: 70_000, open: true, most: rpc.LogBlocks, calls: 2},
		"halved":               {from: 1, to: 8, most: 4, calls: 3},
		"halved until it fits": {from: 0, to: 99, most: 7, calls: 31},
		"parts, each halved":   {from: 0, to: 19_999, most: 5_000, calls: 6},
		"a single block":       {from: 5, to: 5, most: 1, calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			node := &logNode{most: c.most}
			d := newProxy(chainstest.Script{"a": node.answer, "probe": chainstest.Responds(200, chainstest.BlockAt(70_000))}, "a")
			to := rpc.Quantity(c.to)
			if c.open {
				to = "latest"
			}
			got, err := d.Answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":"%s"}]}`, c.from, to))
			var answer struct {
				ID     int
				Result []struct{ BlockNumber string }
			}
			if err != nil || json.Unmarshal(got, &answer) != nil || answer.ID != 1 {
				t.Fatalf("answered %.200s, %v", got, err)
			}
			if len(answer.Result) != int(c.to-c.from+1) {
				t.Errorf("%d logs of %d", len(answer.Result), c.to-c.from+1)
			}
			for i, log := range answer.Result {
				if log.BlockNumber != rpc.Quantity(c.from+uint64(i)) {
					t.Fatalf("log %d is of block %s", i, log.BlockNumber)
				}
			}
			if calls := node.ranges(); len(calls) != c.calls {
				t.Errorf("the node got %v", calls)
			}
		})
	}
}

func TestAnErrorForOnePartOfTheLogsIsReturnedForTheWhole(t *testing.T) {
	d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(70_000)), "a": func(body string) (int, string, error) {
		if strings.Contains(body, rpc.Quantity(10_001)) {
			return 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"pruned"}}`, nil
		}
		return 200, `{"jsonrpc":"2.0","id":1,"result":[{}]}`, nil
	}}, "a")
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x7000"}]}`))
	if err != nil || string(got) != `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"pruned"}}` {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestAFilterOverTheLimitsReachesNoNode(t *testing.T) {
	d := newProxy(chainstest.Script{}, "a")
	addresses := `"` + strings.Repeat(`0x0000000000000000000000000000000000000000","`, rpc.LogAlternatives) + `0x"`
	for _, filter := range []string{
		`{"fromBlock":"0x0","toBlock":"0x30d40"}`,
		`{"fromBlock":"earliest","toBlock":"0xffffffffffffffff"}`,
		`{"topics":[null,null,null,null,null]}`,
		`{"topics":[[` + addresses + `]]}`,
		`{"address":[` + addresses + `]}`,
	} {
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[`+filter+`]}`))
		if err != nil || !strings.Contains(string(got), `"code":-32602`) {
			t.Errorf("%.60s: %s, %v", filter, got, err)
		}
	}
}

// counted is a node that counts calls, and returns the same result for each.
func counted(calls *int, result string) func(string) (int, string, error) {
	return func(body string) (int, string, error) {
		*calls++
		var q struct{ ID json.RawMessage }
		_ = json.Unmarshal([]byte(body), &q)
		return 200, `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":` + result + `}`, nil
	}
}

func TestFinalResultsAreReadOnce(t *testing.T) {
	const height = 1000
	const hash = "0x00000000000000000000000000000000000000000000000000000000000000ab"
	for name, c := range map[string]struct {
		call, result string
		dev, calls   bool
	}{
		"a deep block by number":      {call: `"eth_getBlockByNumber","params":["0x384",false]`, result: `{"number":"0x384"}`},
		"a young block by number":     {call: `"eth_getBlockByNumber","params":["0x385",false]`, result: `{"number":"0x385"}`, calls: true},
		"the newest block":            {call: `"eth_getBlockByNumber","params":["latest",true]`, result: `{"number":"0x3e8"}`, calls: true},
		"a missing block":             {call: `"eth_getBlockByNumber","params":["0x10",false]`, result: `null`, calls: true},
		"a deep block by hash":        {call: `"eth_getBlockByHash","params":["0xABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB",false]`, result: `{"hash":"0xabababababababababababababababababababababababababababababababab","number":"0x10"}`},
		"a young block by hash":       {call: `"eth_getBlockByHash","params":["0xabababababababababababababababababababababababababababababababab",false]`, result: `{"hash":"0xabababababababababababababababababababababababababababababababab","number":"0x3e8"}`, calls: true},
		"a transaction count by hash": {call: `"eth_getBlockTransactionCountByHash","params":["0xabababababababababababababababababababababababababababababababab"]`, result: `"0x10"`, calls: true},
		"a deep receipt":              {call: `"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"]`, result: `{"transactionHash":"0xabababababababababababababababababababababababababababababababab","blockNumber":"0x10"}`},
		"a young receipt":             {call: `"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"]`, result: `{"transactionHash":"0xabababababababababababababababababababababababababababababababab","blockNumber":"0x3e8"}`, calls: true},
		"no receipt":                  {call: `"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"]`, result: `null`, calls: true},
		"a balance long ago":          {call: `"eth_getBalance","params":["0xab","0x10"]`, result: `"0x1"`},
		"a balance now":               {call: `"eth_getBalance","params":["0xab","latest"]`, result: `"0x1"`, calls: true},
		"a balance without a block":   {call: `"eth_getBalance","params":["0xab"]`, result: `"0x1"`, calls: true},
		"a balance of another member": {call: `"eth_getBalance","params":["0xab",{"BlockNumber":"0x10"}]`, result: `"0x1"`, calls: true},
		"logs of long ago":            {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[{"blockNumber":"0x2"}]`},
		"logs of other blocks":        {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[{"blockNumber":"0x11"}]`, calls: true},
		"no logs of long ago":         {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[]`, calls: true},
		"logs until now":              {call: `"eth_getLogs","params":[{"fromBlock":"0x1"}]`, result: `[{"blockNumber":"0x2"}]`, calls: true},
		"logs of a deep block":        {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[{"blockNumber":"0x10","blockHash":"` + hash + `"}]`},
		"logs of another block":       {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[{"blockNumber":"0x10","blockHash":"0xcd"}]`, calls: true},
		"no logs of a block":          {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[]`, calls: true},
		"a deep block of a devnet":    {call: `"eth_getBlockByNumber","params":["0x384",false]`, result: `{"number":"0x384"}`, dev: true, calls: true},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(height)), "a": counted(&calls, c.result)}, "a")
			// 100 blocks.
			d.chain.Dev, d.chain.BlockTime, d.chain.FinalAfter = c.dev, 2*time.Second, 200*time.Second
			for _, id := range []string{"3", `"two"`} {
				want := `{"jsonrpc":"2.0","id":` + id + `,"result":` + c.result + `}`
				if got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":`+id+`,"method":`+c.call+`}`)); err != nil || string(got) != want {
					t.Errorf("answered %s, %v", got, err)
				}
			}
			if again := calls > 1; again != c.calls {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

// gate is a node that responds when the test lets it.
type gate struct {
	entered chan string
	let     chan string
}

func newGate() *gate { return &gate{entered: make(chan string, 16), let: make(chan string)} }

// gates is the nodes of a chain by URL.
type gates map[string]*gate

func (g gates) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if string(body) == chainstest.ChainIDProbe || string(body) == chainstest.HeadProbe {
		return chainstest.Script{url: nil}.PostJSON(ctx, url, body)
	}
	g[url].entered <- string(body)
	select {
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	case answer := <-g[url].let:
		return 200, []byte(answer), nil
	}
}

func TestConcurrentEqualReadsShareOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		d := newProxy(gates{"a": g}, "a")
		defer d.pool.Close()
		answers := make(chan string, 3)
		for id := range 3 {
			go func() {
				got, err := d.Answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"eth_gasPrice"}`, id))
				answers <- fmt.Sprint(string(got), err)
			}()
		}
		synctest.Wait()
		var q chainstest.Request
		if err := json.Unmarshal([]byte(<-g.entered), &q); err != nil || len(g.entered) > 0 {
			t.Fatalf("the node got %d more calls, %v", len(g.entered), err)
		}
		g.let <- `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":"0x9"}`
		seen := map[string]bool{<-answers: true, <-answers: true, <-answers: true}
		for id := range 3 {
			if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"0x9"}<nil>`, id); !seen[want] {
				t.Errorf("missing %s in %v", want, seen)
			}
		}
	})
}

func TestASlowNodeIsHedgedAndTheFirstResponseWins(t *testing.T) {
	slow, quick := newGate(), newGate()
	d := newProxy(gates{"slow": slow, "quick": quick}, "slow", "quick")
	done := make(chan string)
	go func() {
		got, _ := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`))
		done <- string(got)
	}()
	<-slow.entered
	<-quick.entered
	quick.let <- chainstest.One
	if got := <-done; got != chainstest.One {
		t.Errorf("answered %s", got)
	}
}

func TestNullFromOneNodeDoesNotEndALookup(t *testing.T) {
	null := `{"jsonrpc":"2.0","id":1,"result":null}`
	receipt := `{"jsonrpc":"2.0","id":1,"result":{"transactionHash":"0xabababababababababababababababababababababababababababababababab","blockNumber":"0x1"}}`
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"]}`)
	for want, nodes := range map[string]chainstest.Script{
		receipt: {"a": chainstest.Responds(200, null), "b": chainstest.Responds(200, receipt)},
		null:    {"a": chainstest.Responds(200, null), "b": chainstest.Responds(500, "")},
	} {
		if got, err := newProxy(nodes, "a", "b").Answer(t.Context(), body); err != nil || string(got) != want {
			t.Errorf("answered %s, %v", got, err)
		}
	}
}

func TestTheErrorOfANodeIsReturnedForABlockThatNoNodeHas(t *testing.T) {
	missing := `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`
	d := newProxy(chainstest.Script{"a": chainstest.Responds(200, missing), "b": chainstest.Responds(200, missing)}, "a", "b")
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xab","0xffff"]}`))
	if err != nil || string(got) != missing {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestSendingAKnownTransactionIsNotAnError(t *testing.T) {
	// The example of EIP-155, whose hash is known.
	const raw = "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
	const hash = "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["` + raw + `"]}`)
	refusal := func(message string) string {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"` + message + `"}}`
	}
	for name, c := range map[string]struct {
		said, known string
		accepted    bool
	}{
		"the node holds it":            {said: refusal("already known"), known: `{"hash":"` + hash + `"}`, accepted: true},
		"no node shows it":             {said: refusal("already known"), known: "null"},
		"a node shows another":         {said: refusal("transaction already exists"), known: `{"hash":"0xab"}`},
		"it is on the chain":           {said: refusal("nonce too low"), known: `{"hash":"` + hash + `"}`, accepted: true},
		"another has the same nonce":   {said: refusal("nonce too low"), known: "null"},
		"it can never be on the chain": {said: refusal("insufficient funds"), known: "null"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newProxy(chainstest.Script{"a": func(body string) (int, string, error) {
				if strings.Contains(body, "eth_getTransactionByHash") {
					if !strings.Contains(body, hash) {
						t.Errorf("the node got %s", body)
					}
					return 200, `{"jsonrpc":"2.0","id":1,"result":` + c.known + `}`, nil
				}
				return 200, c.said, nil
			}}, "a")
			want := c.said
			if c.accepted {
				want = `{"jsonrpc":"2.0","id":1,"result":"` + hash + `"}`
			}
			if got, err := d.Answer(t.Context(), body); err != nil || string(got) != want {
				t.Errorf("answered %s, %v", got, err)
			}
		})
	}
}
