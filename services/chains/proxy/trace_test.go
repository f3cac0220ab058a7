package proxy

import (
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/traces"
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
		list, err := d.Trace(t.Context(), method, traced)
		if err != nil || len(list) != 1 || list[0].Value.Int64() != 7 || list[0].To != common.HexToAddress(receiver) {
			t.Errorf("%s: %v, %v", method, list, err)
		}
	}
}

func TestARefusalToTraceIsNoFaultOfTheNode(t *testing.T) {
	d := newProxy(chainstest.Script{"a": chainstest.Returns(func(chainstest.Request) string { return "null" })}, "a")
	for range 5 {
		if _, err := d.Trace(t.Context(), traces.TraceBlock, traced); !errors.Is(err, traces.ErrUntraced) {
			t.Fatalf("%v, want ErrUntraced", err)
		}
	}
}
