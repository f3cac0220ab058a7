package proxy

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// newProxy returns a proxy to nodes of chain 31337.
func newProxy(nodes pool.Poster, urls ...string) *Proxy {
	return newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: urls}, nodes, clocktest.StoppedAt(time.Unix(1, 0)))
}

func newProxyOf(c pool.Chain, nodes pool.Poster, clk clock.Clock) *Proxy {
	return newLoggedProxy(c, nodes, clk, slog.New(slog.DiscardHandler))
}

func newLoggedProxy(c pool.Chain, nodes pool.Poster, clk clock.Clock, log *slog.Logger) *Proxy {
	return New(pool.New(c, nodes, clk, log), clk, NewResults(), nil, nil)
}

func TestFixedResultsNeedNoNode(t *testing.T) {
	d := newProxy(chainstest.Script{})
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`:      `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`,
		`{"jsonrpc":"2.0","id":"a1","method":"net_version","params":[]}`:   `{"jsonrpc":"2.0","id":"a1","result":"31337"}`,
		`{"jsonrpc":"2.0","id":null,"method":"net_listening","params":[]}`: `{"jsonrpc":"2.0","id":null,"result":true}`,
		` {"jsonrpc":"2.0","id":1.5,"method":"eth_chainId"}`:               `{"jsonrpc":"2.0","id":1.5,"result":"0x7a69"}`,
	} {
		got, err := d.Answer(t.Context(), []byte(body))
		if err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", body, got, err, want)
		}
	}
}

func TestInvalidRequestsAreRefusedInJSONRPC(t *testing.T) {
	d := newProxy(chainstest.Script{})
	big := "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_call"},`, 100) + `{"jsonrpc":"2.0","id":1,"method":"eth_call"}]`
	for body, code := range map[string]int{
		"": jsonrpc.CodeParseError, " ": jsonrpc.CodeParseError, "x": jsonrpc.CodeParseError, "{": jsonrpc.CodeParseError,
		"3": jsonrpc.CodeInvalidRequest, `"x"`: jsonrpc.CodeInvalidRequest, "[]": jsonrpc.CodeInvalidRequest, "{}": jsonrpc.CodeInvalidRequest,
		`{"id":1}`: jsonrpc.CodeInvalidRequest, big: jsonrpc.CodeInvalidRequest,
	} {
		got, err := d.Answer(t.Context(), []byte(body))
		var response struct{ Error jsonrpc.Error }
		if err != nil || json.Unmarshal(got, &response) != nil || response.Error.Code != code {
			t.Errorf("%.40q: got %s, %v", body, got, err)
		}
	}
}

func TestARequestReachesTheFirstNodeThatWorks(t *testing.T) {
	broken := map[string]func(string) (int, string, error){
		"dead":             chainstest.Fails(errors.New("connection refused")),
		"500":              chainstest.Responds(500, "oops"),
		"429":              chainstest.Responds(429, "slow down"),
		"403":              chainstest.Responds(403, "no key"),
		"not JSON":         chainstest.Responds(200, "<html>"),
		"truncated":        chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"resu`),
		"nothing":          chainstest.Responds(200, `{}`),
		"a number":         chainstest.Responds(200, `3`),
		"limit":            chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`),
		"quota in words":   chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Please upgrade plan"}}`),
		"header not found": chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`),
	}
	for name, node := range broken {
		t.Run(name, func(t *testing.T) {
			d := newProxy(chainstest.Script{"bad": node, "good": chainstest.Responds(200, chainstest.One)}, "bad", "good")
			got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`))
			if err != nil || string(got) != chainstest.One {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestResultsAndErrorsOfANodeAreNotChanged(t *testing.T) {
	for answer, want := range map[string]string{
		chainstest.One: `"result":"0x1"`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: a < b","data":"0x08c379a0"}}`: `"error":{"code":3,"message":"execution reverted: a < b","data":"0x08c379a0"}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}`:                            `"error":{"code":-32000,"message":"nonce too low"}`,
		`{ "id" : 1 , "result" : { "a" : [1.0] }, "jsonrpc":"2.0" }`:                                            `"result":{ "a" : [1.0] }`,
		`{"id":1,"result":null}`: `"result":null`,
	} {
		d := newProxy(chainstest.Script{"a": chainstest.Responds(200, answer)}, "a")
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":"<7>","method":"eth_call","params":[]}`))
		if err != nil || string(got) != `{"jsonrpc":"2.0","id":"<7>",`+want+`}` {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

func TestErrNoNodeIsReturnedWhenEveryNodeFails(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Responds(500, ""), "b": chainstest.Fails(errors.New("gone"))}, "a", "b")
	_, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}`))
	if !errors.Is(err, pool.ErrNoNode) {
		t.Errorf("got %v", err)
	}
}

func TestABatchIsAnsweredCompletelyAndInOrder(t *testing.T) {
	var sent string
	d := newProxy(chainstest.Script{"a": func(body string) (int, string, error) {
		sent = body
		return 200, `[{"jsonrpc":"2.0","id":1,"result":"0x2"},{"jsonrpc":"2.0","id":0,"result":"0x1"}]`, nil
	}}, "a")
	got, err := d.Answer(t.Context(), []byte(`[{"id":"x","method":"eth_gasPrice"},{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"id":3},{"id":"x","method":"eth_syncing","params":[]}]`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"jsonrpc":"2.0","id":0,"method":"eth_gasPrice","params":[]},{"jsonrpc":"2.0","id":1,"method":"eth_syncing","params":[]}]`; sent != want {
		t.Errorf("the node was sent %s", sent)
	}
	want := `[{"jsonrpc":"2.0","id":"x","result":"0x1"},{"jsonrpc":"2.0","id":1,"result":"0x7a69"},` +
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Invalid Request: method is missing"}},{"jsonrpc":"2.0","id":"x","result":"0x2"}]`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestAnErrorForAWholeBatchIsReturnedForEachRequest(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Responds(200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are off"}}`)}, "a")
	got, err := d.Answer(t.Context(), []byte(`[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice"}]`))
	if err != nil || !strings.Contains(string(got), `"id":2,"error":{"code":-32600,"message":"batches are off"}`) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestReturningAnOlderBlockOnRequestDoesNotMarkANodeAsBehind(t *testing.T) {
	for _, tag := range []string{"finalized", "safe", "pending", "0x1"} {
		calls := map[string]int{}
		node := func(name string) func(string) (int, string, error) {
			return func(string) (int, string, error) { calls[name]++; return 200, chainstest.BlockAt(1), nil }
		}
		d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(100)), "a": node("a"), "b": node("b")}, "a", "b")
		d.chain.Dev = true
		for range 3 {
			if _, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["`+tag+`",false]}`)); err != nil {
				t.Fatal(err)
			}
		}
		if calls["a"] != 3 || calls["b"] != 0 {
			t.Errorf("%s: the nodes got %v calls", tag, calls)
		}
	}
}

func TestANodeThatFellBehindIsNotTriedForTheNewestBlock(t *testing.T) {
	calls := map[string]int{}
	node := func(name, result string) chainstest.Handler {
		return func(string) (int, string, error) {
			calls[name]++
			return 200, `{"jsonrpc":"2.0","id":1,"result":"` + result + `"}`, nil
		}
	}
	nodes := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(100)), "a": node("a", "0x32"), "b": node("b", "0x64")}
	d := newProxy(nodes, "a", "b")
	for range 3 {
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`))
		if err != nil || string(got) != `{"jsonrpc":"2.0","id":1,"result":"0x64"}` {
			t.Errorf("answered %s, %v", got, err)
		}
	}
	before := calls["a"]
	delete(nodes, "b")
	if got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa","latest"]}`)); err == nil || calls["a"] != before {
		t.Errorf("the node that is behind was tried %d times, and answered %s", calls["a"]-before, got)
	}
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{chainstest.One, `[{"id":1,"method":"eth_chainId"},{"id":1,"method":"eth_gasPrice"}]`, `[[]]`, `{"method":"eth_gasPrice"}`,
		`{"id":1,"method":"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"],"Params":["0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"]}`, `{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"safe"}]}`,
		`[{"id":1,"method":"eth_getBlockByNumber","params":[{"blockNumber":"0x1"},false]}]`, `{"id":{},"method":"net_version"}`, "[", "null"} {
		f.Add([]byte(s), []byte(chainstest.One))
	}
	f.Fuzz(func(t *testing.T, body, answer []byte) {
		d := newProxy(chainstest.Script{"a": chainstest.Responds(200, string(answer))}, "a")
		got, err := d.Answer(t.Context(), body)
		if err == nil && got != nil && !json.Valid(got) {
			t.Errorf("answered something that is not JSON: %q", got)
		}
	})
}

// FuzzRequest checks that every request is answered in JSON-RPC or not at all, and reaches a node in only one form.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa","latest"]}`, `[{"id":1,"method":"eth_gasPrice"},{"method":"eth_gasPrice"},{"id":1,"method":"eth_getLogs","params":[{}]}]`,
		`{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x7000"}]}`, `{"id":1,"method":"eth_sendRawTransaction","params":["0x02"]}`, `{"id":1,"ID":2,"method":"eth_call"}`,
		`{"id":1,"method":"eth_getBlockByNumber","params":[{"blockHash":"0xab"},true]}`, `{"id":1,"method":"eth_getTransactionReceipt","params":["0xabababababababababababababababababababababababababababababababab"]}`, `[]`, `[[]]`, ``,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		node := chainstest.Returns(func(chainstest.Request) string { return "null" })
		d := newProxy(chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(30_000)), "a": func(sent string) (int, string, error) {
			if !json.Valid([]byte(sent)) {
				t.Errorf("a node was sent %q", sent)
			}
			return node(sent)
		}}, "a")
		defer d.pool.Close()
		got, err := d.Answer(t.Context(), body)
		if err != nil && !errors.Is(err, pool.ErrNoNode) {
			t.Fatalf("%q ended with %v", body, err)
		}
		if err == nil && got != nil && !json.Valid(got) {
			t.Errorf("%q was answered with %q", body, got)
		}
	})
}
