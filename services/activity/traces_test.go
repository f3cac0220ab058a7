package activity

import (
	"testing"

	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// payer is the code of a contract that sends what it receives to the account in its calldata: PUSH0 four times, CALLVALUE, PUSH0, CALLDATALOAD, GAS, CALL.
const payer = "0x5f5f5f5f345f355af100"

// payOut has a contract pay 7 wei to the account, in a transaction of another one.
func (w *world) payOut(tb testing.TB, to string) {
	tb.Helper()
	contract := w.fresh(tb)
	w.chain.Call(tb, "anvil_setCode", contract, payer)
	w.send(tb, map[string]any{"from": w.fresh(tb), "to": contract, "value": "0x7", "data": "0x" + hexWord(to)})
}

func TestAContractsPaymentIsInTheHistoryWhereNodesTrace(t *testing.T) {
	for _, method := range []string{traces.TraceBlock, traces.DebugTrace} {
		t.Run(method, func(t *testing.T) {
			w := open(t)
			w.nodes.traces = method
			backfilled, followed := w.fresh(t), w.fresh(t)
			w.payOut(t, backfilled)
			w.wantRow(t, backfilled, "receive, in "+wei+"7 ETH")
			w.request(t, followed, "")
			w.payOut(t, followed)
			w.head(t)
			w.wantRow(t, followed, "receive, in "+wei+"7 ETH")
		})
	}
}

func TestAContractsPaymentIsMissingWithoutTraces(t *testing.T) {
	w := open(t)
	account := w.fresh(t)
	w.payOut(t, account)
	if rows := w.request(t, account, "").GetData(); len(rows) > 0 {
		t.Errorf("rows %v", rows)
	}
	if balance := text(t, w.chain.Call(t, "eth_getBalance", account, "latest")); balance != "0xde0b6b3a7640000007" {
		t.Errorf("%s has %s", evm.MustAddress(account), balance)
	}
}
