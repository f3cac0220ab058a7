package proxy

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

var traced = traces.Block{Number: 1, Hash: common.HexToHash("0xb1")}

func TestCallersCannotTrace(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Returns(func(q chainstest.Request) string {
		t.Errorf("the node was sent %s", q.Method)
		return "null"
	})}, "a")
	for _, method := range []string{traces.TraceBlock, traces.DebugTrace} {
		got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":["0x1"]}`))
		want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method ` + method + ` does not exist/is not available"}}`
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", method, got, err)
		}
	}
}

func TestTraceReadsTheAnswerOfANode(t *testing.T) {
	answers := map[string]string{
		traces.TraceBlock: `[{"type":"call","blockHash":"` + traced.Hash.String() + `","transactionHash":"` + signedHash +
			`","traceAddress":[0],"action":{"callType":"call","from":"` + rich + `","to":"` + receiver + `","value":"0x7"}}]`,
		traces.DebugTrace: `[{"txHash":"` + signedHash + `","result":{"type":"CALL","calls":[{"type":"CALL","from":"` + rich + `","to":"` + receiver + `","value":"0x7"}]}}]`,
	}
	d := newProxy(chainstest.Script{"a": chainstest.Returns(func(q chainstest.Request) string { return answers[q.Method] })}, "a")
	for method := range answers {
		trace, err := d.Trace(t.Context(), method, traced)
		list := trace.Transfers
		if err != nil || len(list) != 1 || list[0].Value.Int64() != 7 || list[0].To != common.HexToAddress(receiver) {
			t.Errorf("%s: %v, %v", method, list, err)
		}
	}
}

// tracesAre are the answers of a node that answers its probes.
func tracesAre(answer chainstest.Handler) chainstest.Handler {
	return func(body string) (int, string, error) {
		switch body {
		case chainstest.ChainIDProbe:
			return 200, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`, nil
		case chainstest.HeadProbe:
			return 200, chainstest.BlockAt(300_000), nil
		}
		return answer(body)
	}
}

// traceOf is the answer to trace_block for a block with this hash.
func traceOf(hash common.Hash) chainstest.Handler {
	return chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"result":[{"type":"call","blockHash":"`+hash.String()+`","transactionHash":"`+signedHash+
		`","traceAddress":[0],"action":{"callType":"call","from":"`+rich+`","to":"`+receiver+`","value":"0x7"}}]}`)
}

var refusals = map[string]chainstest.Handler{
	"null":           chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"result":null}`),
	"no such method": chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method does not exist"}}`),
	"another plan":   chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"trace_block is not available on your current plan"}}`),
	"forbidden":      chainstest.Responds(403, ``),
	"no connection":  chainstest.Fails(errors.New("connection reset")),
}

func TestABlockThatNoNodeTracesSaysNothingAboutTheNodes(t *testing.T) {
	for name, answer := range refusals {
		t.Run(name, func(t *testing.T) {
			d := newProxy(chainstest.Script{"a": tracesAre(answer)}, "a")
			for range 5 {
				if _, err := d.Trace(t.Context(), traces.TraceBlock, traced); !errors.Is(err, traces.ErrUntraced) {
					t.Fatalf("%v, want ErrUntraced", err)
				}
			}
			if n := d.pool.Status().GetNodes()[0]; n.GetLastError() != "" {
				t.Errorf("the node counts as failed: %v", n)
			}
		})
	}
}

func TestABlockIsTracedByTheNodeThatCan(t *testing.T) {
	cases := maps.Clone(refusals)
	cases["another fork"] = traceOf(common.HexToHash("0xb2"))
	cases["no trace"] = chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"result":[7]}`)
	for name, answer := range cases {
		t.Run(name, func(t *testing.T) {
			d := newProxy(chainstest.Script{"a": tracesAre(answer), "b": tracesAre(traceOf(traced.Hash))}, "a", "b")
			if list, err := d.Trace(t.Context(), traces.TraceBlock, traced); err != nil || len(list.Transfers) != 1 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

func TestATraceOfAnotherBlockRepeatsTheReadOnce(t *testing.T) {
	d := newProxy(chainstest.Script{"a": tracesAre(traceOf(common.HexToHash("0xb2")))}, "a")
	if _, err := d.Trace(t.Context(), traces.TraceBlock, traced); !errors.Is(err, traces.ErrMoved) || errors.Is(err, traces.ErrUntraced) {
		t.Errorf("at first: %v, want ErrMoved", err)
	}
	if _, err := d.Trace(t.Context(), traces.TraceBlock, traced); !errors.Is(err, traces.ErrUntraced) {
		t.Errorf("from a node that never has the block: %v, want ErrUntraced", err)
	}
}

func TestASlowTraceIsNotRepeatedForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		d := newProxyOf(pool.Chain{ID: "eip155:31337", Nodes: []string{"a"}}, posterFunc(func(ctx context.Context, url string, body []byte) (int, []byte, error) {
			return chainstest.Script{"a": tracesAre(func(string) (int, string, error) {
				calls++
				<-ctx.Done()
				return 0, "", ctx.Err()
			})}.PostJSON(ctx, url, body)
		}), clock.System{})
		defer d.pool.Close()
		for range 3 {
			if _, err := d.Trace(t.Context(), traces.TraceBlock, traced); !errors.Is(err, traces.ErrUntraced) {
				t.Errorf("%v, want ErrUntraced", err)
			}
		}
		if calls != 1 {
			t.Errorf("the node was called %d times", calls)
		}
		if n := d.pool.Status().GetNodes()[0]; n.GetLastError() != "" {
			t.Errorf("the node counts as failed: %v", n)
		}
		time.Sleep(tracePause)
		_, _ = d.Trace(t.Context(), traces.TraceBlock, traced)
		if calls != 2 {
			t.Errorf("the node was called %d times after a pause", calls)
		}
	})
}

func TestATraceTakesItsBytesFromTheMemory(t *testing.T) {
	d, _ := newBudgetProxy(t, 3<<20, 4<<20)
	if _, err := d.Trace(calledFrom(t.Context(), "192.0.2.1"), traces.TraceBlock, traced); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("%v, want ErrMemory", err)
	}
	waitForNothingHeld(t, d.memory)
}
