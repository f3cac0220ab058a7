package traces_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/traces"
)

var block = traces.Block{Number: 7, Hash: common.HexToHash("0xb1")}

func addr(n int64) common.Address { return common.BigToAddress(big.NewInt(n)) }

func hash(n int64) common.Hash { return common.BigToHash(big.NewInt(n)) }

// flat returns an element of the answer to trace_block.
func flat(transaction int64, address, action string, more string) string {
	return fmt.Sprintf(`{"action":%s,"blockHash":"%s","blockNumber":7,"traceAddress":%s,"transactionHash":"%s"%s}`, action, block.Hash, address, hash(transaction), more)
}

func call(kind string, from, to, value int64) string {
	return fmt.Sprintf(`{"callType":"%s","from":"%s","to":"%s","value":"0x%x","input":"0x"}`, kind, addr(from), addr(to), value)
}

// nested returns a frame of callTracer.
func nested(kind string, from, to, value int64, more string) string {
	return fmt.Sprintf(`{"type":"%s","from":"%s","to":"%s","value":"0x%x","input":"0x"%s}`, kind, addr(from), addr(to), value, more)
}

func TestReadReturnsWhatCallsMoved(t *testing.T) {
	const ofCall, failed = `,"type":"call"`, `,"type":"call","error":"Reverted"`
	answers := map[string]string{
		traces.TraceBlock: "[" + strings.Join([]string{
			flat(1, `[]`, call("call", 1, 2, 100), ofCall),
			flat(1, `[0]`, call("call", 2, 3, 60), ofCall),
			flat(1, `[0,0]`, call("delegatecall", 3, 4, 60), ofCall),
			flat(1, `[0,1]`, call("staticcall", 3, 4, 0), ofCall),
			// A call that was reverted takes those inside it along.
			flat(1, `[1]`, call("call", 2, 5, 7), failed),
			flat(1, `[1,0]`, call("call", 5, 6, 7), ofCall),
			flat(1, `[10]`, fmt.Sprintf(`{"from":"%s","value":"0x8","init":"0x"}`, addr(2)), fmt.Sprintf(`,"type":"create","result":{"address":"%s"}`, addr(7))),
			flat(1, `[11]`, fmt.Sprintf(`{"address":"%s","refundAddress":"%s","balance":"0x9"}`, addr(7), addr(8)), `,"type":"suicide"`),
			flat(2, `[]`, call("call", 1, 2, 100), failed),
			flat(2, `[0]`, call("call", 2, 9, 100), ofCall),
			flat(3, `[]`, call("call", 1, 2, 0), ofCall),
			flat(3, `[0]`, call("call", 2, 1, 5), ofCall),
			fmt.Sprintf(`{"action":{"author":"%s","rewardType":"block","value":"0x1"},"blockHash":"%s","traceAddress":[],"type":"reward"}`, addr(1), block.Hash),
		}, ",") + "]",
		traces.DebugTrace: "[" + strings.Join([]string{
			fmt.Sprintf(`{"txHash":"%s","result":%s}`, hash(1), nested("CALL", 1, 2, 100, `,"calls":[`+strings.Join([]string{
				nested("CALL", 2, 3, 60, `,"calls":[`+nested("DELEGATECALL", 3, 4, 60, "")+","+nested("STATICCALL", 3, 4, 0, "")+`]`),
				nested("CALL", 2, 5, 7, `,"error":"execution reverted","calls":[`+nested("CALL", 5, 6, 7, "")+`]`),
				nested("CREATE2", 2, 7, 8, ""),
				nested("SELFDESTRUCT", 7, 8, 9, ""),
			}, ",")+`]`)),
			fmt.Sprintf(`{"txHash":"%s","result":%s}`, hash(2), nested("CALL", 1, 2, 100, `,"error":"out of gas","calls":[`+nested("CALL", 2, 9, 100, "")+`]`)),
			fmt.Sprintf(`{"txHash":"%s","result":%s}`, hash(3), nested("CALL", 1, 2, 0, `,"calls":[`+nested("CALL", 2, 1, 5, "")+`]`)),
		}, ",") + "]",
	}
	want := fmt.Sprint([]traces.Transfer{
		{hash(1), addr(2), addr(3), big.NewInt(60)},
		{hash(1), addr(2), addr(7), big.NewInt(8)},
		{hash(1), addr(7), addr(8), big.NewInt(9)},
		{hash(3), addr(2), addr(1), big.NewInt(5)},
	})
	for method, answer := range answers {
		t.Run(method, func(t *testing.T) {
			trace, err := traces.Read(method, block, json.RawMessage(answer))
			if err != nil || len(trace.Skipped) != 0 {
				t.Fatal(trace.Skipped, err)
			}
			if got := fmt.Sprint(trace.Transfers); got != want {
				t.Errorf("transfers\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestReadRefusesWhatIsNotTheTraceOfTheBlock(t *testing.T) {
	for name, c := range map[string]struct{ method, answer string }{
		"no block":        {traces.DebugTrace, `null`},
		"no list":         {traces.TraceBlock, `{}`},
		"another block":   {traces.TraceBlock, `[{"action":{},"blockHash":"` + hash(9).String() + `","traceAddress":[],"type":"call"}]`},
		"no transaction":  {traces.DebugTrace, `[{"result":{"type":"CALL"}}]`},
		"an untraced one": {traces.DebugTrace, `[{"txHash":"` + hash(1).String() + `","error":"timeout"}]`},
		"a negative amount": {traces.DebugTrace, `[{"txHash":"` + hash(1).String() + `","result":` +
			nested("CALL", 1, 2, 0, `,"calls":[`+nested("CALL", 1, 2, -1, "")+`]`) + `}]`},
		"no JSON": {traces.DebugTrace, `[{"txHash":"` + hash(1).String() + `","result":{"type":"CALL"`},
		"no call": {traces.DebugTrace, `[{"txHash":"` + hash(1).String() + `","result":{"calls":[0]}}]`},
	} {
		t.Run(name, func(t *testing.T) {
			if list, err := traces.Read(c.method, block, json.RawMessage(c.answer)); !errors.Is(err, traces.ErrUntraced) && !errors.Is(err, traces.ErrMoved) {
				t.Errorf("%v, %v, want ErrUntraced or ErrMoved", list, err)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(true, []byte("["+flat(1, `[0]`, call("call", 2, 3, 60), `,"type":"call"`)+"]"))
	f.Add(false, []byte(fmt.Sprintf(`[{"txHash":"%s","result":%s}]`, hash(1), nested("CALL", 1, 2, 0, `,"calls":[`+nested("CALL", 2, 1, 5, "")+`]`))))
	f.Fuzz(func(t *testing.T, isFlat bool, answer []byte) {
		method := traces.DebugTrace
		if isFlat {
			method = traces.TraceBlock
		}
		trace, err := traces.Read(method, block, answer)
		if err != nil && !errors.Is(err, traces.ErrUntraced) && !errors.Is(err, traces.ErrMoved) {
			t.Fatal(err)
		}
		for _, m := range trace.Transfers {
			if m.Value.Sign() <= 0 || m.Value.BitLen() > 256 {
				t.Fatalf("a transfer of %s", m.Value)
			}
		}
	})
}
