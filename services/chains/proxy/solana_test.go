package proxy

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// solanaProxy returns a proxy to scripted nodes a and b.
func solanaProxy(tb testing.TB, a, b chainstest.SolanaNode) (*Proxy, *chainstest.SolanaNodes) {
	tb.Helper()
	nodes := chainstest.NewSolanaNodes(map[string]chainstest.SolanaNode{"a": a, "b": b})
	chain := pool.Chain{ID: chainstest.SolanaChain, Nodes: []string{"a", "b"}, BlockTime: 400 * time.Millisecond}
	d := newProxyOf(chain, nodes, clocktest.StoppedAt(time.Unix(1, 0)))
	tb.Cleanup(d.pool.Close)
	return d, nodes
}

func call(t *testing.T, d *Proxy, method, params string) string {
	t.Helper()
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return string(got)
}

func TestASolanaNodeThatIsBehindGetsNoReadOfTheNewestSlot(t *testing.T) {
	d, nodes := solanaProxy(t, chainstest.SolanaNode{Slot: 100, Answer: `"result":1`}, chainstest.SolanaNode{Slot: 150, Answer: `"result":2`})
	if got := call(t, d, "getBalance", `["x"]`); !strings.Contains(got, `"result":2`) || nodes.Calls("a") != 0 {
		t.Errorf("got %s, after %d calls of the node that is behind", got, nodes.Calls("a"))
	}
}

func TestASolanaNodeOfAnotherChainIsNotUsed(t *testing.T) {
	other := chainstest.SolanaNode{Slot: 150, Genesis: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", Answer: `"result":1`}
	d, nodes := solanaProxy(t, other, chainstest.SolanaNode{Slot: 150, Answer: `"result":2`})
	if got := call(t, d, "getBalance", `["x"]`); !strings.Contains(got, `"result":2`) || nodes.Calls("a") != 0 {
		t.Errorf("got %s, after %d calls of the other chain's node", got, nodes.Calls("a"))
	}
}

func TestAMinimumContextSlotSelectsTheNode(t *testing.T) {
	d, _ := solanaProxy(t, chainstest.SolanaNode{Slot: 148, Answer: `"result":1`}, chainstest.SolanaNode{Slot: 150, Answer: `"result":2`})
	if got := call(t, d, "getBalance", `["x",{"minContextSlot":148}]`); !strings.Contains(got, `"result":1`) {
		t.Errorf("a slot that both have: %s", got)
	}
	// The height is 148, which both nodes report. Nothing is known about the slots above it, so the node itself
	// refuses.
	refusal := `"error":{"code":-32016,"message":"Minimum context slot has not been reached"}`
	d, nodes := solanaProxy(t, chainstest.SolanaNode{Slot: 148, Answer: refusal}, chainstest.SolanaNode{Slot: 150, Answer: `"result":2`})
	if got := call(t, d, "getBalance", `["x",{"minContextSlot":150}]`); !strings.Contains(got, `"result":2`) || nodes.Calls("a") != 1 {
		t.Errorf("a slot that one has: %s", got)
	}
	d, _ = solanaProxy(t, chainstest.SolanaNode{Slot: 148, Answer: refusal}, chainstest.SolanaNode{Slot: 150, Answer: refusal})
	if got := call(t, d, "getBalance", `["x",{"minContextSlot":160}]`); !strings.Contains(got, "-32016") {
		t.Errorf("a slot that none has: %s", got)
	}
}

func TestASolanaTransactionIsNotSentToASecondNode(t *testing.T) {
	d, nodes := solanaProxy(t, chainstest.SolanaNode{Slot: 150, Down: true}, chainstest.SolanaNode{Slot: 150, Answer: `"result":"signature"`})
	_, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["AQ=="]}`))
	if !errors.Is(err, pool.ErrNoNode) || nodes.Calls("a") != 1 || nodes.Calls("b") != 0 {
		t.Errorf("got %v, after %d and %d calls", err, nodes.Calls("a"), nodes.Calls("b"))
	}
}

func TestATransactionThatOneNodeLacksIsReadFromTheOther(t *testing.T) {
	found := `"result":{"slot":149,"transaction":{"signatures":["s"]}}`
	d, _ := solanaProxy(t, chainstest.SolanaNode{Slot: 150, Answer: `"result":null`}, chainstest.SolanaNode{Slot: 150, Answer: found})
	if got := call(t, d, "getTransaction", `["s"]`); !strings.Contains(got, `"slot":149`) {
		t.Errorf("got %s", got)
	}
}

func TestAResultOfAnotherSolanaRequestIsNotUsed(t *testing.T) {
	for method, c := range map[string]struct{ params, wrong, right string }{
		"getTransaction":       {`["s"]`, `{"transaction":{"signatures":["other"]}}`, `{"transaction":{"signatures":["s"]}}`},
		"getMultipleAccounts":  {`[["x","y"]]`, `{"value":[null]}`, `{"value":[null,null]}`},
		"getSignatureStatuses": {`[["s"]]`, `{"value":[]}`, `{"value":[null]}`},
	} {
		d, _ := solanaProxy(t, chainstest.SolanaNode{Slot: 150, Answer: `"result":` + c.wrong}, chainstest.SolanaNode{Slot: 150, Answer: `"result":` + c.right})
		if got := call(t, d, method, c.params); !strings.Contains(got, c.right) {
			t.Errorf("%s: got %s", method, got)
		}
	}
}

func TestTheEncodingOfASolanaTransactionIsNoFailureOfTheNode(t *testing.T) {
	raw := append([]byte{1}, make([]byte, 100)...)
	raw[1] = 7
	signature, text := base58.Encode(raw[1:65]), base58.Encode(raw)
	for encoding, transaction := range map[string]string{
		"binary":  `"` + text + `"`,
		"base58":  `["` + text + `","base58"]`,
		"base64":  `["` + base64.StdEncoding.EncodeToString(raw) + `","base64"]`,
		"a later": `["KLUv","base64+zstd"]`,
		"long":    `"` + strings.Repeat("z", 5000) + `"`,
	} {
		node := chainstest.SolanaNode{Slot: 150, Answer: `"result":{"slot":149,"transaction":` + transaction + `}`}
		d, nodes := solanaProxy(t, node, node)
		if got := call(t, d, "getTransaction", `["`+signature+`",{"encoding":"binary"}]`); !strings.Contains(got, `"slot":149`) || nodes.Calls("b") != 0 {
			t.Errorf("%s: got %s, after %d calls of the second node", encoding, got, nodes.Calls("b"))
		}
	}
	other := chainstest.SolanaNode{Slot: 150, Answer: `"result":{"slot":149,"transaction":"` + base58.Encode(make([]byte, 100)) + `"}`}
	right := chainstest.SolanaNode{Slot: 150, Answer: `"result":{"slot":149,"transaction":"` + text + `"}`}
	d, _ := solanaProxy(t, other, right)
	if got := call(t, d, "getTransaction", `["`+signature+`",{"encoding":"binary"}]`); !strings.Contains(got, text) {
		t.Errorf("another transaction: got %s", got)
	}
}
