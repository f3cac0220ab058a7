package preview

import (
	"math/big"
	"testing"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
)

// A batch of a smart account is one transaction of a bundler, in which the account makes the calls.
func TestABatchOfASmartAccountRunsAsItsOperation(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const ether = "1000000000000000000"
	for name, c := range map[string]struct {
		code  string
		calls []*previewv1.Call
	}{
		// It gives where ORIGIN is CALLER, and otherwise keeps the value.
		"the origin is not the account": {bait("33321415").String(), []*previewv1.Call{{Value: ether, Data: "0x4e71d92d"}}},
		// A call without data sets a flag for the time of the transaction, and a later one keeps the value if that is set.
		"the calls are of one transaction": {"0x36600957" + "60015f5d00" + "5b" + "5f5c602157" + gives + "5b00", []*previewv1.Call{{}, {Value: ether, Data: "0x4e71d92d"}}},
	} {
		at := w.of(c.code)
		for _, call := range c.calls {
			call.To = at
		}
		for isAtomic, outgoing := range map[bool]int{true: 1, false: 2} {
			res := w.simulate(&previewv1.SimulateRequest{Calls: c.calls, Atomic: isAtomic, Delegate: w.names["EIP7702StatelessDeleGator"]})
			if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != outgoing {
				t.Errorf("%s, at once %t: %v", name, isAtomic, res)
			}
		}
	}
}

func TestABatchOfASmartAccountRevertsAsAWhole(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	pay := &previewv1.Call{To: friend, Value: "1000"}
	fails := callOf(w.names["tUSD"], "", "transfer(address,uint256)", w.previewer.delegates[0], new(big.Int).Lsh(big.NewInt(1), 200))
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{pay, fails}, Atomic: true})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || res.GetReason() == "" {
		t.Errorf("the preview is %v", res)
	}
	res = w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{pay, pay}, Atomic: true})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAmount() != "2000" {
		t.Errorf("two payments: %v", res)
	}
	res = w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{Data: "0x00"}}, Atomic: true})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_NOT_SIMULATED {
		t.Errorf("a contract that is created: %v", res)
	}
}

// Contracts call an account back, such as before they transfer a token with an id to it.
func TestTheCodeOfASmartAccountAnswersInABatch(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	// It calls its caller, and reverts unless that returns 42.
	at := w.of("0x60205f5f5f335afa505f51602a14601457" + "5f5ffd" + "5b00")
	answers := "0x602a5f5260205ff3"
	for name, c := range map[string]struct {
		code string
		want previewv1.Outcome
	}{
		"a contract":                {answers, previewv1.Outcome_OUTCOME_SUCCEEDS},
		"an account that delegates": {"0xef0100000000000000000000000000000000000000c0de", previewv1.Outcome_OUTCOME_SUCCEEDS},
		"an account without code":   {"0x", previewv1.Outcome_OUTCOME_REVERTS},
	} {
		w.chain.Call(t, "anvil_setCode", "0x000000000000000000000000000000000000c0de", answers)
		w.chain.Call(t, "anvil_setCode", w.names["victim"], c.code)
		res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Data: "0x4e71d92d"}, {To: friend, Value: "1"}}, Atomic: true})
		if res.GetOutcome() != c.want {
			t.Errorf("%s: %s %s", name, res.GetOutcome(), res.GetReason())
		}
	}
}
