package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// receiptOf returns a final receipt of the requested transaction, and null for 0x0202….
func receiptOf(q chainstest.Request) string {
	if q.Method != "eth_getTransactionReceipt" || string(q.Params[0]) == `"0x0202020202020202020202020202020202020202020202020202020202020202"` {
		return "null"
	}
	return fmt.Sprintf(`{"transactionHash":%s,"blockNumber":"0x10","status":"0x0"}`, q.Params[0])
}

const receiptBody = `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":[%q]}`

func TestAReceiptIsNeverCachedForAnotherTransaction(t *testing.T) {
	for name, body := range map[string]string{
		"by the same id twice in a batch": `[` + fmt.Sprintf(receiptBody, "0x0101010101010101010101010101010101010101010101010101010101010101") + `,` + fmt.Sprintf(receiptBody, "0x0202020202020202020202020202020202020202020202020202020202020202") + `]`,
		"by params twice":                 `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x0101010101010101010101010101010101010101010101010101010101010101"],"Params":["0x0202020202020202020202020202020202020202020202020202020202020202"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var sent []string
			node := chainstest.Returns(receiptOf)
			d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(100_000)), "a": func(body string) (int, string, error) {
				sent = append(sent, body)
				// This node reads members by their exact names.
				return node(strings.ReplaceAll(body, `"Params"`, `"other"`))
			}}, "a")
			if _, err := d.Answer(t.Context(), []byte(body)); err != nil {
				t.Fatal(err)
			}
			got, err := d.Answer(t.Context(), []byte(fmt.Sprintf(receiptBody, "0x0202020202020202020202020202020202020202020202020202020202020202")))
			if want := `{"jsonrpc":"2.0","id":1,"result":null}`; err != nil || string(got) != want {
				t.Errorf("answered %s, %v, after the node was sent %q", got, err, sent)
			}
		})
	}
}

func TestRequestsWithEqualIDsInABatchAreAnsweredSeparately(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Returns(func(q chainstest.Request) string { return string(q.Params[0]) })}, "a")
	got, err := d.Answer(t.Context(), []byte(`[{"id":1,"method":"eth_getBalance","params":["0xa","latest"]},{"id":1,"method":"eth_getBalance","params":["0xb","latest"]}]`))
	if want := `[{"jsonrpc":"2.0","id":1,"result":"0xa"},{"jsonrpc":"2.0","id":1,"result":"0xb"}]`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestNodesGetOnlyTheParsedRequest(t *testing.T) {
	var sent []string
	node := chainstest.Returns(func(chainstest.Request) string { return `"0x1"` })
	d := newProxy(chainstest.Script{"a": func(body string) (int, string, error) { sent = append(sent, body); return node(body) }}, "a")
	for _, body := range []string{
		`{"id":1,"method":"debug_traceBlockByNumber","params":["latest"],"Method":"eth_call"}`,
		`{"id":1,"method":"eth_getBalance","params":["0xa","latest"],"Params":["0xb","latest"]}`,
		`{"id":1,"ID":7,"method":"eth_gasPrice","params":[]}`,
		`{"id":1,"method":"eth_gasPrice","params":[],"auth":"key"}`,
		`{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x1","ToBlock":"latest"}]}`,
		`{"id":1,"method":"eth_getLogs","params":[{"FromBlock":"0x0"}]}`,
		`{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x1"},{}]}`,
		`{"id":1,"method":"eth_getLogs","params":[{"fromBlock":0}]}`,
	} {
		got, err := d.Answer(t.Context(), []byte(body))
		if err != nil || !bytes.Contains(got, []byte(`"error"`)) {
			t.Errorf("%s: %s, %v", body, got, err)
		}
	}
	if len(sent) > 0 {
		t.Fatalf("the node was sent %q", sent)
	}
	got, err := d.Answer(t.Context(), []byte("{ \"method\": \"eth_getB\\u0061lance\",\n\"params\" : [\"0xa\", \"latest\"], \"id\":\"<x>\"}"))
	if want := `{"jsonrpc":"2.0","id":"<x>","result":"0x1"}`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
	if want := `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa", "latest"]}`; len(sent) != 1 || sent[0] != want {
		t.Errorf("the node was sent %q", sent)
	}
}

func TestNotificationsReachNoNodeAndGetNoResponse(t *testing.T) {
	calls := 0
	warnings := chainstest.NewWarnings()
	node := chainstest.Script{"a": func(string) (int, string, error) { calls++; return 200, "", nil }}
	d := newLoggedProxy(pool.Chain{ID: "eip155:31337", Nodes: []string{"a"}}, node, clocktest.StoppedAt(time.Unix(1, 0)), warnings.Log())
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"eth_gasPrice","params":[]}`,
		`{"jsonrpc":"2.0","method":"eth_chainId"}`,
		`{"jsonrpc":"2.0","method":"debug_traceCall"}`,
		`{"jsonrpc":"2.0","method":"eth_sendRawTransaction","params":["0x01"]}`,
		`[{"jsonrpc":"2.0","method":"eth_gasPrice"},{"jsonrpc":"2.0","method":"eth_blockNumber"}]`,
	} {
		if got, err := d.Answer(t.Context(), []byte(body)); err != nil || len(got) != 0 {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	got, err := d.Answer(t.Context(), []byte(`[{"jsonrpc":"2.0","method":"eth_gasPrice"},{"jsonrpc":"2.0","id":1,"method":"net_version"}]`))
	if want := `[{"jsonrpc":"2.0","id":1,"result":"31337"}]`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
	if calls > 0 || warnings.Count() > 0 {
		t.Errorf("the node got %d calls, and failed %d times", calls, warnings.Count())
	}
}

func TestErrorsOfTheCallerDoNotCountAgainstANode(t *testing.T) {
	large := `[{"id":1,"method":"eth_getBlockByNumber","params":["0x1",true]},{"id":2,"method":"eth_getBlockByNumber","params":["0x2",true]}]`
	long := `{"id":1,"method":"eth_call","params":[{"data":"0x` + strings.Repeat("00", 1000) + `"},"latest"]}`
	for name, c := range map[string]struct {
		body   string
		node   func(string) (int, string, error)
		answer string
	}{
		"an answer that is too large": {large, chainstest.Fails(fmt.Errorf("host: %w", upstream.ErrTooLarge)), `"code":-32005`},
		"a body that is too large":    {long, chainstest.Responds(413, "Request Entity Too Large"), `"code":-32005`},
		"a body that is not accepted": {long, chainstest.Responds(422, "no"), `"code":-32602`},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			counting := func(body string) (int, string, error) { calls++; return c.node(body) }
			warnings := chainstest.NewWarnings()
			nodes := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(100)), "a": counting, "b": counting}
			d := newLoggedProxy(pool.Chain{ID: "eip155:31337", Nodes: []string{"a", "b"}}, nodes, clocktest.StoppedAt(time.Unix(1, 0)), warnings.Log())
			got, err := d.Answer(t.Context(), []byte(c.body))
			if err != nil || !strings.Contains(string(got), c.answer) {
				t.Errorf("answered %s, %v", got, err)
			}
			if calls != 1 || warnings.Count() > 0 {
				t.Errorf("nodes got %d calls, and failed %d times", calls, warnings.Count())
			}
		})
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x0000000000000000000000000000000000000001","data":"0x"},"latest"]}`
	for name, c := range map[string]struct{ body, node, answer string }{
		"a hash without 0x": {
			`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":["` + strings.Repeat("ab", 32) + `",false]}`,
			`{"jsonrpc":"2.0","id":1,"result":{"number":"0x5","hash":"0x` + strings.Repeat("ab", 32) + `"}}`, `"code":-32602`,
		},
		"a revert with the words of a quota": {call, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Execution reverted (rate limit)"}}`, "rate limit"},
		"a revert of another client": {
			call, `{"jsonrpc":"2.0","id":1,"error":{"code":-32015,"message":"VM Exception while processing transaction: revert too many requests"}}`, "too many requests",
		},
		"the data of a revert":                       {call, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"quota exceeded","data":"0x08c379a0"}}`, "quota exceeded"},
		"a revert with the words of a missing block": {call, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted: header not found"}}`, "header"},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			node := func(string) (int, string, error) { calls++; return 200, c.node, nil }
			warnings := chainstest.NewWarnings()
			nodes := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(100)), "a": node, "b": node}
			d := newLoggedProxy(pool.Chain{ID: "eip155:31337", Nodes: []string{"a", "b"}}, nodes, clocktest.StoppedAt(time.Unix(1, 0)), warnings.Log())
			got, err := d.Answer(t.Context(), []byte(c.body))
			if err != nil || !strings.Contains(string(got), c.answer) {
				t.Errorf("answered %s, %v", got, err)
			}
			if calls > 1 || warnings.Count() > 0 {
				t.Errorf("nodes got %d calls, and failed %d times", calls, warnings.Count())
			}
		})
	}
	t.Run("but a node that refuses a short call is at fault", func(t *testing.T) {
		warnings := chainstest.NewWarnings()
		nodes := chainstest.Script{"a": chainstest.Fails(upstream.ErrTooLarge), "b": chainstest.Responds(200, chainstest.One)}
		d := newLoggedProxy(pool.Chain{ID: "eip155:31337", Nodes: []string{"a", "b"}}, nodes, clocktest.StoppedAt(time.Unix(1, 0)), warnings.Log())
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`))
		if err != nil || string(got) != chainstest.One || warnings.Count() != 1 {
			t.Errorf("answered %s, %v, after %d failures", got, err, warnings.Count())
		}
	})
}

func TestAFilterUpToATagHasTheLimitsOfTheNewestBlock(t *testing.T) {
	for tag, last := range map[string]string{"safe": "0x3cca8", "finalized": "0x3cca8", "pending": "pending", "latest": "latest"} {
		node := &logNode{most: rpc.LogBlocks}
		d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(250_000)), "a": func(body string) (int, string, error) {
			if strings.Contains(body, rpc.MethodBlock) {
				return 200, chainstest.BlockAt(249_000), nil
			}
			return node.answer(body)
		}}, "a")
		ask := func(from int) string {
			got, err := d.Answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":%q}]}`, from, tag))
			if err != nil {
				t.Fatal(err)
			}
			return string(got)
		}
		if got := ask(0); !strings.Contains(got, `"code":-32602`) || len(node.ranges()) > 0 {
			t.Errorf("%s: over the limit, it answered %.100s after %v", tag, got, node.ranges())
		}
		ask(200_000)
		calls := node.ranges()
		if len(calls) < 5 || !slices.ContainsFunc(calls, func(part string) bool { return strings.HasSuffix(part, "-"+last) }) {
			t.Errorf("%s: the node got %v", tag, calls)
		}
	}
	// The height is probed before the limit is checked, because this is the first request for the chain.
	d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(math.MaxInt32)), "a": chainstest.Returns(func(chainstest.Request) string { return "[]" })}, "a")
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0"}]}`))
	if err != nil || !strings.Contains(string(got), `"code":-32602`) {
		t.Errorf("answered %.100s, %v", got, err)
	}
}

func TestMethodsAreMatchedByTheirExactNames(t *testing.T) {
	for chain, methods := range map[string]map[string]bool{
		"eip155:8217": {"kaia_sendTransaction": false, "klay_sign": false, "klay_newFilter": false, "kaia_getLogs": false, "arb_anything": false, "klay_getAccount": true, "kaia_getBalance": true},
		"solana:x":    {"getBalance": true, "sendTransaction": true, "requestAirdrop": false, "eth_call": false, "setLogFilter": false},
		"polkadot:x":  {"state_getStorage": true, "author_submitExtrinsic": true, "author_insertKey": false, "state_getPairs": false, "system_addReservedPeer": false},
		"cosmos:x":    {"status": false},
	} {
		calls := 0
		d := newProxyOf(pool.Chain{ID: chain, Nodes: []string{"a"}}, &echo{&calls}, clocktest.StoppedAt(time.Unix(1, 0)))
		for name, open := range methods {
			calls = 0
			got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+name+`","params":[]}`))
			if err != nil && open {
				t.Errorf("%s on %s: %v", name, chain, err)
			}
			if (string(got) == refusalOf(name)) == open || (calls > 0) != open {
				t.Errorf("%s on %s: %s, %v, after %d calls", name, chain, got, err, calls)
			}
		}
	}
}

func TestABlockThatAnvilLacksIsReadFromTheNextNode(t *testing.T) {
	lacks := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"BlockOutOfRangeError: block height is 5 but requested was 9"}}`
	warnings := chainstest.NewWarnings()
	nodes := chainstest.Script{"a": chainstest.Responds(200, lacks), "b": chainstest.Responds(200, chainstest.One)}
	d := newLoggedProxy(pool.Chain{ID: "eip155:31337", Nodes: []string{"a", "b"}}, nodes, clocktest.StoppedAt(time.Unix(1, 0)), warnings.Log())
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa","0x9"]}`))
	if err != nil || string(got) != chainstest.One || warnings.Count() > 0 {
		t.Errorf("answered %s, %v, after %d failures", got, err, warnings.Count())
	}
}

// echo is a node that responds to everything with 0x1, and counts the calls that are not probes.
type echo struct{ calls *int }

func (e *echo) PostJSON(_ context.Context, _ string, body []byte) (int, []byte, error) {
	switch {
	case string(body) == chainstest.ChainIDProbe:
		return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x2019"}`), nil
	case string(body) == chainstest.HeadProbe:
		return 200, []byte(chainstest.BlockAt(1)), nil
	}
	for method, result := range map[string]string{
		"getGenesisHash":     `"x"`,
		"getLatestBlockhash": `{"context":{"slot":1},"value":{"blockhash":"x"}}`,
		"chain_getBlockHash": `"0xx"`,
		"chain_getHeader":    `{"number":"0x1","parentHash":"0x` + strings.Repeat("0", 64) + `"}`,
	} {
		if strings.Contains(string(body), `"`+method+`"`) {
			return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`), nil
		}
	}
	*e.calls++
	var q struct{ ID json.RawMessage }
	_ = json.Unmarshal(body, &q)
	return 200, []byte(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":"0x1"}`), nil
}
