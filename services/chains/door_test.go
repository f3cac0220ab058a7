package chains

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// script is a chain's nodes that answer by their URL. A look at one finds chain 31337 at block 1, unless there is an answer to "look".
type script map[string]func(body string) (int, string, error)

func (s script) PostJSON(_ context.Context, url string, body []byte) (int, []byte, error) {
	answer, ok := s[url]
	if ok && bytes.Equal(body, askChainID) {
		return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`), nil
	}
	if ok && bytes.Equal(body, askHead) {
		answer = says(200, blockAt(1))
		if look, ok := s["look"]; ok {
			answer = look
		}
	}
	if !ok {
		return 0, nil, errors.New("no such host")
	}
	status, text, err := answer(string(body))
	return status, []byte(text), err
}

func says(status int, text string) func(string) (int, string, error) {
	return func(string) (int, string, error) { return status, text, nil }
}

func fails(err error) func(string) (int, string, error) {
	return func(string) (int, string, error) { return 0, "", err }
}

// stopwatch is a clock that a test moves.
type stopwatch struct {
	mu  sync.Mutex
	now time.Time
}

func (s *stopwatch) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stopwatch) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func doorOf(nodes Poster, urls ...string) *door {
	return newDoor(Network{ChainID: "eip155:31337", RPC: urls}, nodes, &stopwatch{now: time.Unix(1, 0)}, newFinals())
}

func blockAt(number int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"number":"0x%x","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x5"}}`,
		number, number, max(0, number-1))
}

const good = `{"jsonrpc":"2.0","id":1,"result":"0x1"}`

func TestWhatEveryNodeWouldSayIsAnsweredHere(t *testing.T) {
	d := doorOf(script{})
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`:      `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`,
		`{"jsonrpc":"2.0","id":"a1","method":"net_version","params":[]}`:   `{"jsonrpc":"2.0","id":"a1","result":"31337"}`,
		`{"jsonrpc":"2.0","id":null,"method":"net_listening","params":[]}`: `{"jsonrpc":"2.0","id":null,"result":true}`,
		` {"jsonrpc":"2.0","id":1.5,"method":"eth_chainId"}`:               `{"jsonrpc":"2.0","id":1.5,"result":"0x7a69"}`,
	} {
		got, err := d.answer(t.Context(), []byte(body))
		if err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", body, got, err, want)
		}
	}
}

func TestWhatIsNoRequestIsRefusedInJSONRPC(t *testing.T) {
	d := doorOf(script{})
	big := "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_call"},`, 100) + `{"jsonrpc":"2.0","id":1,"method":"eth_call"}]`
	for _, body := range []string{"", " ", "x", "{", "3", `"x"`, "[]", "{}", `{"id":1}`, big} {
		got, err := d.answer(t.Context(), []byte(body))
		var response struct{ Error jsonrpc.Error }
		if err != nil || json.Unmarshal(got, &response) != nil || response.Error.Code != jsonrpc.CodeInvalidRequest {
			t.Errorf("%.40q: got %s, %v", body, got, err)
		}
	}
}

func TestARequestReachesTheFirstNodeThatWorks(t *testing.T) {
	broken := map[string]func(string) (int, string, error){
		"dead":             fails(errors.New("connection refused")),
		"500":              says(500, "oops"),
		"429":              says(429, "slow down"),
		"403":              says(403, "no key"),
		"not JSON":         says(200, "<html>"),
		"truncated":        says(200, `{"jsonrpc":"2.0","id":1,"resu`),
		"nothing":          says(200, `{}`),
		"a number":         says(200, `3`),
		"limit":            says(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`),
		"quota in words":   says(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Please upgrade plan"}}`),
		"header not found": says(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`),
	}
	for name, node := range broken {
		t.Run(name, func(t *testing.T) {
			d := doorOf(script{"bad": node, "good": says(200, good)}, "bad", "good")
			got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`))
			if err != nil || string(got) != good {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestWhatANodeSaysPassesUntouched(t *testing.T) {
	for answer, want := range map[string]string{
		good: `"result":"0x1"`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: a < b","data":"0x08c379a0"}}`: `"error":{"code":3,"message":"execution reverted: a < b","data":"0x08c379a0"}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}`:                            `"error":{"code":-32000,"message":"nonce too low"}`,
		`{ "id" : 1 , "result" : { "a" : [1.0] }, "jsonrpc":"2.0" }`:                                            `"result":{ "a" : [1.0] }`,
		`{"id":1,"result":null}`: `"result":null`,
	} {
		d := doorOf(script{"a": says(200, answer)}, "a")
		got, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":"<7>","method":"eth_call","params":[]}`))
		if err != nil || string(got) != `{"jsonrpc":"2.0","id":"<7>",`+want+`}` {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

func TestWhenEveryNodeFailsTheErrorSaysSo(t *testing.T) {
	d := doorOf(script{"a": says(500, ""), "b": fails(errors.New("gone"))}, "a", "b")
	_, err := d.answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}`))
	if !errors.Is(err, errNoNode) {
		t.Errorf("got %v", err)
	}
}

func TestANodeThatFailedIsAskedLastUntilItRested(t *testing.T) {
	clock := &stopwatch{now: time.Unix(1, 0)}
	var asked []string
	node := func(name string, ok *bool) func(string) (int, string, error) {
		return func(string) (int, string, error) {
			asked = append(asked, name)
			if *ok {
				return 200, good, nil
			}
			return 500, "", nil
		}
	}
	up, down := true, false
	p := newPool(Network{ChainID: "eip155:31337", RPC: []string{"a", "b"}}, script{"a": node("a", &down), "b": node("b", &up)}, clock)
	ask := func() string {
		asked = nil
		_, _ = p.ask(t.Context(), call{})
		return strings.Join(asked, " ")
	}
	if got := ask(); got != "a b" {
		t.Errorf("first call asked %s", got)
	}
	if got := ask(); got != "b" {
		t.Errorf("while a rests, the call asked %s", got)
	}
	clock.pass(firstRest)
	down = true
	if got := ask(); got != "a" {
		t.Errorf("after its rest, the call asked %s", got)
	}
}

func TestACallerWhoLeavesCostsNoNodeItsName(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := doorOf(script{"a": func(string) (int, string, error) { cancel(); return 0, "", ctx.Err() }}, "a").pool
	if _, err := p.ask(ctx, call{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if p.nodes[0].failures != 0 {
		t.Error("the node was blamed")
	}
}

func TestABatchIsAnsweredWholeAndInOrder(t *testing.T) {
	var sent string
	d := doorOf(script{"a": func(body string) (int, string, error) {
		sent = body
		return 200, `[{"jsonrpc":"2.0","id":1,"result":"0x2"},{"jsonrpc":"2.0","id":0,"result":"0x1"}]`, nil
	}}, "a")
	got, err := d.answer(t.Context(), []byte(`[{"id":"x","method":"eth_gasPrice"},{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"id":3},{"id":"x","method":"eth_syncing","params":[]}]`))
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

func TestANodesRefusalOfABatchIsSaidOfEachPart(t *testing.T) {
	d := doorOf(script{"a": says(200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are off"}}`)}, "a")
	got, err := d.answer(t.Context(), []byte(`[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice"}]`))
	if err != nil || !strings.Contains(string(got), `"id":2,"error":{"code":-32600,"message":"batches are off"}`) {
		t.Errorf("got %s, %v", got, err)
	}
}

func FuzzDoor(f *testing.F) {
	for _, s := range []string{good, `[{"id":1,"method":"eth_chainId"},{"id":1,"method":"eth_gasPrice"}]`, `[[]]`, `{"method":"eth_gasPrice"}`,
		`{"id":1,"method":"eth_getTransactionReceipt","params":["0xab"],"Params":["0xcd"]}`, `{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"safe"}]}`,
		`[{"id":1,"method":"eth_getBlockByNumber","params":[{"blockNumber":"0x1"},false]}]`, `{"id":{},"method":"net_version"}`, "[", "null"} {
		f.Add([]byte(s), []byte(good))
	}
	f.Fuzz(func(t *testing.T, body, answer []byte) {
		d := doorOf(script{"a": says(200, string(answer))}, "a")
		got, err := d.answer(t.Context(), body)
		if err == nil && got != nil && !json.Valid(got) {
			t.Errorf("answered something that is not JSON: %q", got)
		}
	})
}

func FuzzHead(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(`{"result":{"number":"0x1","hash":"0x%064d","parentHash":"0x%064d","timestamp":"0x2"}}`, 1, 0)))
	f.Add([]byte(`{"result":{}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if h, err := parseHead(answer); err == nil && len(h.hash) != 66 {
			t.Errorf("a head without a hash: %+v", h)
		}
	})
}
