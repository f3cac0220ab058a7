package chains

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
)

func TestMethodsThatADoorDoesNotOpenFor(t *testing.T) {
	refused := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`
	d := doorOf(script{"a": says(200, `{"jsonrpc":"2.0","id":1,"result":"0x0"}`)}, "a")
	for _, name := range []string{
		"debug_traceCall", "trace_block", "admin_peers", "personal_sign", "miner_start", "txpool_content", "eth_sendTransaction", "eth_accounts",
		"eth_sign", "eth_signTransaction", "eth_newFilter", "eth_getFilterChanges", "eth_subscribe", "anvil_setBalance", "evm_mine", "hardhat_reset", "nope",
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + name + `","params":[]}`
		if got, err := d.answer(t.Context(), []byte(body)); err != nil || string(got) != refused {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if got, err := d.answer(t.Context(), []byte("["+body+"]")); err != nil || string(got) != "["+refused+"]" {
			t.Errorf("%s in a batch: %s, %v", name, got, err)
		}
	}
	d.network.Dev = true
	for _, name := range []string{"anvil_setBalance", "evm_mine", "hardhat_reset"} {
		got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+name+`","params":[]}`))
		if err != nil || !strings.Contains(string(got), `"result"`) {
			t.Errorf("%s on a development chain: %s, %v", name, got, err)
		}
	}
}

// ledger is a node that has one log in every block of a filter's range, up to most blocks at once.
type ledger struct {
	mu    sync.Mutex
	most  uint64
	asked []string
}

func (l *ledger) answer(body string) (int, string, error) {
	var q struct {
		ID     json.RawMessage
		Params []struct{ FromBlock, ToBlock string }
	}
	if err := json.Unmarshal([]byte(body), &q); err != nil {
		return 0, "", err
	}
	from, _ := parseQuantity(q.Params[0].FromBlock)
	to, ok := parseQuantity(q.Params[0].ToBlock)
	l.mu.Lock()
	defer l.mu.Unlock()
	// A call that takes long is made twice: what counts is which ranges were asked for.
	if part := q.Params[0].FromBlock + "-" + q.Params[0].ToBlock; !slices.Contains(l.asked, part) {
		l.asked = append(l.asked, part)
	}
	if !ok {
		to = 70_000
	}
	if to-from >= l.most {
		return 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32005,"message":"query returned more than %d results"}}`, q.ID, l.most), nil
	}
	var logs []string
	for n := from; n <= to; n++ {
		logs = append(logs, fmt.Sprintf(`{"blockNumber":"0x%x"}`, n))
	}
	return 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[%s]}`, q.ID, strings.Join(logs, ",")), nil
}

// ranges are those that the node was asked for.
func (l *ledger) ranges() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

func TestLogsOfAWideRangeComeInPartsWholeAndInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		from, to uint64
		open     bool
		most     uint64
		calls    int
	}{
		"one part":                      {from: 1, to: 10_000, most: logBlocks, calls: 1},
		"three parts":                   {from: 1, to: 20_001, most: logBlocks, calls: 3},
		"an open end":                   {from: 60_000, to: 70_000, open: true, most: logBlocks, calls: 2},
		"halved":                        {from: 1, to: 8, most: 4, calls: 3},
		"halved until it fits":          {from: 0, to: 99, most: 7, calls: 31},
		"parts, each halved":            {from: 0, to: 19_999, most: 5_000, calls: 6},
		"a part a node takes with ease": {from: 5, to: 5, most: 1, calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			node := &ledger{most: c.most}
			d := doorOf(script{"a": node.answer, "look": says(200, blockAt(70_000))}, "a")
			to := quantity(c.to)
			if c.open {
				to = "latest"
			}
			got, err := d.answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":"%s"}]}`, c.from, to))
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
				if log.BlockNumber != quantity(c.from+uint64(i)) {
					t.Fatalf("log %d is of block %s", i, log.BlockNumber)
				}
			}
			if asked := node.ranges(); len(asked) != c.calls {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

func TestLogsAreRefusedWholeWhenAPartIs(t *testing.T) {
	d := doorOf(script{"look": says(200, blockAt(70_000)), "a": func(body string) (int, string, error) {
		if strings.Contains(body, quantity(10_001)) {
			return 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"pruned"}}`, nil
		}
		return 200, `{"jsonrpc":"2.0","id":1,"result":[{}]}`, nil
	}}, "a")
	got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x7000"}]}`))
	if err != nil || string(got) != `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"pruned"}}` {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestAFilterOverTheLimitsReachesNoNode(t *testing.T) {
	d := doorOf(script{}, "a")
	addresses := `"` + strings.Repeat(`0x0000000000000000000000000000000000000000","`, logAlternatives) + `0x"`
	for _, filter := range []string{
		`{"fromBlock":"0x0","toBlock":"0x30d40"}`,
		`{"fromBlock":"earliest","toBlock":"0xffffffffffffffff"}`,
		`{"topics":[null,null,null,null,null]}`,
		`{"topics":[[` + addresses + `]]}`,
		`{"address":[` + addresses + `]}`,
	} {
		got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[`+filter+`]}`))
		if err != nil || !strings.Contains(string(got), `"code":-32602`) {
			t.Errorf("%.60s: %s, %v", filter, got, err)
		}
	}
}

// counted is a node that counts, and answers each body with the same result.
func counted(asked *int, result string) func(string) (int, string, error) {
	return func(body string) (int, string, error) {
		*asked++
		var q struct{ ID json.RawMessage }
		_ = json.Unmarshal([]byte(body), &q)
		return 200, `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":` + result + `}`, nil
	}
}

func TestWhatCannotChangeIsAskedOnce(t *testing.T) {
	const height = 1000
	const hash = "0x00000000000000000000000000000000000000000000000000000000000000ab"
	for name, c := range map[string]struct {
		call, result string
		dev, asked   bool
	}{
		"a deep block by number":       {call: `"eth_getBlockByNumber","params":["0x384",false]`, result: `{"number":"0x384"}`},
		"a young block by number":      {call: `"eth_getBlockByNumber","params":["0x385",false]`, result: `{"number":"0x385"}`, asked: true},
		"the newest block":             {call: `"eth_getBlockByNumber","params":["latest",true]`, result: `{"number":"0x3e8"}`, asked: true},
		"a block nobody has":           {call: `"eth_getBlockByNumber","params":["0x10",false]`, result: `null`, asked: true},
		"a deep block by hash":         {call: `"eth_getBlockByHash","params":["0xAB",false]`, result: `{"hash":"0xab","number":"0x10"}`},
		"a young block by hash":        {call: `"eth_getBlockByHash","params":["0xab",false]`, result: `{"hash":"0xab","number":"0x3e8"}`, asked: true},
		"how much is in a block":       {call: `"eth_getBlockTransactionCountByHash","params":["0xab"]`, result: `"0x10"`, asked: true},
		"a deep receipt":               {call: `"eth_getTransactionReceipt","params":["0xab"]`, result: `{"transactionHash":"0xab","blockNumber":"0x10"}`},
		"a young receipt":              {call: `"eth_getTransactionReceipt","params":["0xab"]`, result: `{"transactionHash":"0xab","blockNumber":"0x3e8"}`, asked: true},
		"no receipt":                   {call: `"eth_getTransactionReceipt","params":["0xab"]`, result: `null`, asked: true},
		"a balance long ago":           {call: `"eth_getBalance","params":["0xab","0x10"]`, result: `"0x1"`},
		"a balance now":                {call: `"eth_getBalance","params":["0xab","latest"]`, result: `"0x1"`, asked: true},
		"a balance without a block":    {call: `"eth_getBalance","params":["0xab"]`, result: `"0x1"`, asked: true},
		"a balance of another member":  {call: `"eth_getBalance","params":["0xab",{"BlockNumber":"0x10"}]`, result: `"0x1"`, asked: true},
		"logs of long ago":             {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[{"blockNumber":"0x2"}]`},
		"logs of other blocks":         {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[{"blockNumber":"0x11"}]`, asked: true},
		"no logs of long ago":          {call: `"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10"}]`, result: `[]`, asked: true},
		"logs until now":               {call: `"eth_getLogs","params":[{"fromBlock":"0x1"}]`, result: `[{"blockNumber":"0x2"}]`, asked: true},
		"logs of a deep block":         {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[{"blockNumber":"0x10","blockHash":"` + hash + `"}]`},
		"logs of another block":        {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[{"blockNumber":"0x10","blockHash":"0xcd"}]`, asked: true},
		"no logs of a block":           {call: `"eth_getLogs","params":[{"blockHash":"` + hash + `"}]`, result: `[]`, asked: true},
		"anything on a changeable one": {call: `"eth_getBlockByNumber","params":["0x384",false]`, result: `{"number":"0x384"}`, dev: true, asked: true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			d := doorOf(script{"look": says(200, blockAt(height)), "a": counted(&asked, c.result)}, "a")
			// 100 blocks.
			d.network.Dev, d.network.BlockTime, d.network.FinalAfter = c.dev, 2*time.Second, 200*time.Second
			for _, id := range []string{"3", `"two"`} {
				want := `{"jsonrpc":"2.0","id":` + id + `,"result":` + c.result + `}`
				if got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":`+id+`,"method":`+c.call+`}`)); err != nil || string(got) != want {
					t.Errorf("answered %s, %v", got, err)
				}
			}
			if again := asked > 1; again != c.asked {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// gate is a node that answers when the test lets it.
type gate struct {
	entered chan string
	let     chan string
}

func newGate() *gate { return &gate{entered: make(chan string, 16), let: make(chan string)} }

// gates is a chain's nodes by URL, each with a gate.
type gates map[string]*gate

func (g gates) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if string(body) == string(askChainID) || string(body) == string(askHead) {
		return script{url: nil}.PostJSON(ctx, url, body)
	}
	g[url].entered <- string(body)
	select {
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	case answer := <-g[url].let:
		return 200, []byte(answer), nil
	}
}

func TestEqualReadsOfOneMomentAreAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		d := doorOf(gates{"a": g}, "a")
		defer d.pool.looks.end()
		answers := make(chan string, 3)
		for id := range 3 {
			go func() {
				got, err := d.answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"eth_gasPrice"}`, id))
				answers <- fmt.Sprint(string(got), err)
			}()
		}
		synctest.Wait()
		var q request
		if err := json.Unmarshal([]byte(<-g.entered), &q); err != nil || len(g.entered) > 0 {
			t.Fatalf("the node was asked %d times more, %v", len(g.entered), err)
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

func TestASilentNodeIsJoinedByTheNextAndTheFirstAnswerWins(t *testing.T) {
	slow, quick := newGate(), newGate()
	d := doorOf(gates{"slow": slow, "quick": quick}, "slow", "quick")
	done := make(chan string)
	go func() {
		got, _ := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`))
		done <- string(got)
	}()
	<-slow.entered
	<-quick.entered
	quick.let <- good
	if got := <-done; got != good {
		t.Errorf("answered %s", got)
	}
}

func TestANullDoesNotEndALookUp(t *testing.T) {
	null := `{"jsonrpc":"2.0","id":1,"result":null}`
	receipt := `{"jsonrpc":"2.0","id":1,"result":{"transactionHash":"0xab","blockNumber":"0x1"}}`
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xab"]}`)
	for want, nodes := range map[string]script{
		receipt: {"a": says(200, null), "b": says(200, receipt)},
		null:    {"a": says(200, null), "b": says(500, "")},
	} {
		if got, err := doorOf(nodes, "a", "b").answer(t.Context(), body); err != nil || string(got) != want {
			t.Errorf("answered %s, %v", got, err)
		}
	}
}

func TestABlockThatNoNodeHasIsSaidInTheirWords(t *testing.T) {
	missing := `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`
	d := doorOf(script{"a": says(200, missing), "b": says(200, missing)}, "a", "b")
	got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xab","0xffff"]}`))
	if err != nil || string(got) != missing {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestASendThatTheChainHasAlreadyIsNoError(t *testing.T) {
	// The example of EIP-155, whose hash is known.
	const raw = "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
	const hash = "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["` + raw + `"]}`)
	refusal := func(message string) string {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"` + message + `"}}`
	}
	for name, c := range map[string]struct {
		said, known string
		taken       bool
	}{
		"the node holds it":             {said: refusal("already known"), known: `{"hash":"` + hash + `"}`, taken: true},
		"no node shows it":              {said: refusal("already known"), known: "null"},
		"a node shows another":          {said: refusal("transaction already exists"), known: `{"hash":"0xab"}`},
		"it is on the chain":            {said: refusal("nonce too low"), known: `{"hash":"` + hash + `"}`, taken: true},
		"another is, of the same nonce": {said: refusal("nonce too low"), known: "null"},
		"it can never be on the chain":  {said: refusal("insufficient funds"), known: "null"},
	} {
		t.Run(name, func(t *testing.T) {
			d := doorOf(script{"a": func(body string) (int, string, error) {
				if strings.Contains(body, "eth_getTransactionByHash") {
					if !strings.Contains(body, hash) {
						t.Errorf("asked for %s", body)
					}
					return 200, `{"jsonrpc":"2.0","id":1,"result":` + c.known + `}`, nil
				}
				return 200, c.said, nil
			}}, "a")
			want := c.said
			if c.taken {
				want = `{"jsonrpc":"2.0","id":1,"result":"` + hash + `"}`
			}
			if got, err := d.answer(t.Context(), body); err != nil || string(got) != want {
				t.Errorf("answered %s, %v", got, err)
			}
		})
	}
}
