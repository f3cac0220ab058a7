package chains

import (
	"bytes"
	"encoding/json"

	"fmt"
	"math"
	"slices"

	"strings"

	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// askedOfNode is one request as a node reads it.
type askedOfNode struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// answering is a node that answers each request, in a batch too, with the result that a test gives it, under the id that it was sent.
func answering(result func(askedOfNode) string) func(string) (int, string, error) {
	return func(body string) (int, string, error) {
		one := func(q askedOfNode) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result(q))
		}
		var list []askedOfNode
		if json.Unmarshal([]byte(body), &list) == nil {
			parts := make([]string, len(list))
			for i, q := range list {
				parts[i] = one(q)
			}
			return 200, "[" + strings.Join(parts, ",") + "]", nil
		}
		var q askedOfNode
		if err := json.Unmarshal([]byte(body), &q); err != nil {
			return 200, "", nil
		}
		if q.ID == nil {
			return 200, "", nil
		}
		return 200, one(q), nil
	}
}

// receiptOf is a deep receipt of the transaction that a node is asked for; nothing is known of 0xpending.
func receiptOf(q askedOfNode) string {
	if q.Method != "eth_getTransactionReceipt" || string(q.Params[0]) == `"0xpending"` {
		return "null"
	}
	return fmt.Sprintf(`{"transactionHash":%s,"blockNumber":"0x10","status":"0x0"}`, q.Params[0])
}

const receiptBody = `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":[%q]}`

func TestAReceiptIsNeverKeptForAnotherTransaction(t *testing.T) {
	for name, body := range map[string]string{
		"by an id that stands twice in a batch": `[` + fmt.Sprintf(receiptBody, "0xold") + `,` + fmt.Sprintf(receiptBody, "0xpending") + `]`,
		"by params that stand twice":            `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xold"],"Params":["0xpending"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var sent []string
			node := answering(receiptOf)
			d := doorOf(script{"look": says(200, blockAt(100_000)), "a": func(body string) (int, string, error) {
				sent = append(sent, body)
				// A reader that knows members by their exact names.
				return node(strings.ReplaceAll(body, `"Params"`, `"other"`))
			}}, "a")
			if _, err := d.answer(t.Context(), []byte(body)); err != nil {
				t.Fatal(err)
			}
			got, err := d.answer(t.Context(), []byte(fmt.Sprintf(receiptBody, "0xpending")))
			if want := `{"jsonrpc":"2.0","id":1,"result":null}`; err != nil || string(got) != want {
				t.Errorf("answered %s, %v, after the node was sent %q", got, err, sent)
			}
		})
	}
}

func TestEqualIDsOfABatchAreAnsweredEachForItself(t *testing.T) {
	d := doorOf(script{"a": answering(func(q askedOfNode) string { return string(q.Params[0]) })}, "a")
	got, err := d.answer(t.Context(), []byte(`[{"id":1,"method":"eth_getBalance","params":["0xa","latest"]},{"id":1,"method":"eth_getBalance","params":["0xb","latest"]}]`))
	if want := `[{"jsonrpc":"2.0","id":1,"result":"0xa"},{"jsonrpc":"2.0","id":1,"result":"0xb"}]`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
}

func TestANodeIsSentWhatWasRead(t *testing.T) {
	var sent []string
	node := answering(func(askedOfNode) string { return `"0x1"` })
	d := doorOf(script{"a": func(body string) (int, string, error) { sent = append(sent, body); return node(body) }}, "a")
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
		got, err := d.answer(t.Context(), []byte(body))
		if err != nil || !bytes.Contains(got, []byte(`"error"`)) {
			t.Errorf("%s: %s, %v", body, got, err)
		}
	}
	if len(sent) > 0 {
		t.Fatalf("the node was sent %q", sent)
	}
	got, err := d.answer(t.Context(), []byte("{ \"method\": \"eth_getB\\u0061lance\",\n\"params\" : [\"0xa\", \"latest\"], \"id\":\"<x>\"}"))
	if want := `{"jsonrpc":"2.0","id":"<x>","result":"0x1"}`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
	if want := `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa", "latest"]}`; len(sent) != 1 || sent[0] != want {
		t.Errorf("the node was sent %q", sent)
	}
}

func TestANotificationReachesNoNodeAndIsNotAnswered(t *testing.T) {
	asked := 0
	d := doorOf(script{"a": func(string) (int, string, error) { asked++; return 200, "", nil }}, "a")
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"eth_gasPrice","params":[]}`,
		`{"jsonrpc":"2.0","method":"eth_chainId"}`,
		`{"jsonrpc":"2.0","method":"debug_traceCall"}`,
		`{"jsonrpc":"2.0","method":"eth_sendRawTransaction","params":["0x01"]}`,
		`[{"jsonrpc":"2.0","method":"eth_gasPrice"},{"jsonrpc":"2.0","method":"eth_blockNumber"}]`,
	} {
		if got, err := d.answer(t.Context(), []byte(body)); err != nil || len(got) != 0 {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	got, err := d.answer(t.Context(), []byte(`[{"jsonrpc":"2.0","method":"eth_gasPrice"},{"jsonrpc":"2.0","id":1,"method":"net_version"}]`))
	if want := `[{"jsonrpc":"2.0","id":1,"result":"31337"}]`; err != nil || string(got) != want {
		t.Errorf("answered %s, %v", got, err)
	}
	if asked > 0 || d.pool.nodes[0].failures > 0 {
		t.Errorf("the node was asked %d times, and failed %d times", asked, d.pool.nodes[0].failures)
	}
}

func TestACallersOwnMistakesCostNoNodeItsRest(t *testing.T) {
	large := `[{"id":1,"method":"eth_getBlockByNumber","params":["0x1",true]},{"id":2,"method":"eth_getBlockByNumber","params":["0x2",true]}]`
	long := `{"id":1,"method":"eth_call","params":[{"data":"0x` + strings.Repeat("00", 1000) + `"},"latest"]}`
	for name, c := range map[string]struct {
		body   string
		node   func(string) (int, string, error)
		answer string
	}{
		"an answer that is too large": {large, fails(fmt.Errorf("host: %w", upstream.ErrTooLarge)), `"code":-32005`},
		"a body that is too large":    {long, says(413, "Request Entity Too Large"), `"code":-32005`},
		"a body that is not taken":    {long, says(422, "no"), `"code":-32602`},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			counting := func(body string) (int, string, error) { asked++; return c.node(body) }
			d := doorOf(script{"look": says(200, blockAt(100)), "a": counting, "b": counting}, "a", "b")
			got, err := d.answer(t.Context(), []byte(c.body))
			if err != nil || !strings.Contains(string(got), c.answer) {
				t.Errorf("answered %s, %v", got, err)
			}
			if asked != 1 || d.pool.nodes[0].failures > 0 {
				t.Errorf("nodes were asked %d times, and the first failed %d times", asked, d.pool.nodes[0].failures)
			}
		})
	}
	t.Run("but a node that says so of a short call is at fault", func(t *testing.T) {
		d := doorOf(script{"a": fails(upstream.ErrTooLarge), "b": says(200, good)}, "a", "b")
		got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`))
		if err != nil || string(got) != good || d.pool.nodes[0].failures != 1 {
			t.Errorf("answered %s, %v", got, err)
		}
	})
}

func TestAFilterUntilATagIsBoundedAndSplitAsUntilTheNewestBlock(t *testing.T) {
	for tag, last := range map[string]string{"safe": "0x3cca8", "finalized": "0x3cca8", "pending": "pending", "latest": "latest"} {
		node := &ledger{most: logBlocks}
		d := doorOf(script{"look": says(200, blockAt(250_000)), "a": func(body string) (int, string, error) {
			if strings.Contains(body, methodBlock) {
				return 200, blockAt(249_000), nil
			}
			return node.answer(body)
		}}, "a")
		ask := func(from int) string {
			got, err := d.answer(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":%q}]}`, from, tag))
			if err != nil {
				t.Fatal(err)
			}
			return string(got)
		}
		if got := ask(0); !strings.Contains(got, `"code":-32602`) || len(node.ranges()) > 0 {
			t.Errorf("%s: over the bound, it answered %.100s after %v", tag, got, node.ranges())
		}
		ask(200_000)
		asked := node.ranges()
		if len(asked) < 5 || !slices.ContainsFunc(asked, func(part string) bool { return strings.HasSuffix(part, "-"+last) }) {
			t.Errorf("%s: the node was asked for %v", tag, asked)
		}
	}
	// The height is learnt before the bound is checked: this is the first request for the chain.
	d := doorOf(script{"look": says(200, blockAt(math.MaxInt32)), "a": answering(func(askedOfNode) string { return "[]" })}, "a")
	got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0"}]}`))
	if err != nil || !strings.Contains(string(got), `"code":-32602`) {
		t.Errorf("answered %.100s, %v", got, err)
	}
}

func TestMethodsAreListedByTheirExactNames(t *testing.T) {
	refused := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`
	for chain, methods := range map[string]map[string]bool{
		"eip155:8217": {"kaia_sendTransaction": false, "klay_sign": false, "klay_newFilter": false, "kaia_getLogs": false, "arb_anything": false, "klay_getAccount": true, "kaia_getBalance": true},
		"solana:x":    {"getBalance": true, "sendTransaction": true, "requestAirdrop": false, "eth_call": false, "setLogFilter": false},
		"bip122:x":    {"getrawtransaction": true, "sendrawtransaction": true, "stop": false, "dumpprivkey": false, "sendtoaddress": false},
		"polkadot:x":  {"state_getStorage": true, "author_submitExtrinsic": true, "author_insertKey": false, "state_getPairs": false, "system_addReservedPeer": false},
		"cosmos:x":    {"status": false},
	} {
		asked := 0
		d := newDoor(Network{ChainID: chain, RPC: []string{"a"}}, &echo{&asked}, &stopwatch{now: time.Unix(1, 0)}, newFinals())
		for name, open := range methods {
			asked = 0
			got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+name+`","params":[]}`))
			if err != nil && open {
				t.Errorf("%s on %s: %v", name, chain, err)
			}
			if (string(got) == refused) == open || (asked > 0) != open {
				t.Errorf("%s on %s: %s, %v, after %d calls", name, chain, got, err, asked)
			}
		}
	}
}

func TestABlockThatAnvilLacksIsAskedOfTheNextNode(t *testing.T) {
	lacks := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"BlockOutOfRangeError: block height is 5 but requested was 9"}}`
	d := doorOf(script{"a": says(200, lacks), "b": says(200, good)}, "a", "b")
	got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa","0x9"]}`))
	if err != nil || string(got) != good || d.pool.nodes[0].failures > 0 {
		t.Errorf("answered %s, %v", got, err)
	}
}
