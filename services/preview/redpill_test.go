package preview

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/chainclient"
)

// pills are conditions that a contract can use to find out whether it is simulated: code that leaves 0 on the stack where the contract then gives back
// more than it got. Otherwise it keeps all.
var pills = map[string]string{
	"no gas price": "3a", "no base fee": "48", "no coinbase": "41", "no randomness": "44", "no number": "43", "no time": "42",
	"an even gas price": "3a600116", "an even base fee": "48600116", "an even coinbase": "41600116", "an even randomness": "44600116",
	"an even number": "43600116", "an even time": "42600116",
	"an odd gas price": "3a60011615", "an odd base fee": "4860011615", "an odd coinbase": "4160011615", "an odd randomness": "4460011615",
	"an odd number": "4360011615", "an odd time": "4260011615",
	"a lot of gas": "620f42405a1115",
}

// baitCode returns the value and 0.01 of the native token if the condition leaves 0, and keeps the value otherwise.
func baitCode(condition string) hexutil.Bytes {
	code := common.FromHex(condition)
	const give = "5f5f5f5f662386f26fc1000034013" + "35af100"
	start := byte(len(code) + 3 + len(common.FromHex(give)))
	return slices.Concat(code, []byte{0x60, start, 0x57}, common.FromHex(give), []byte{0x5b, 0x00})
}

func TestAContractThatSeesThatItIsSimulatedIsSeen(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at, gas = "0x000000000000000000000000000000000000beef", 200_000
	for name, condition := range pills {
		w.chain.Call(t, "anvil_setCode", at, baitCode(condition))
		for _, account := range []string{at, w.names["victim"]} {
			w.chain.Call(t, "anvil_setBalance", account, "0x8ac7230489e80000")
		}
		res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000000000000000000", Data: "0x4e71d92d", Gas: gas}}})
		shown := new(big.Int)
		for _, c := range res.GetChanges() {
			amount, _ := new(big.Int).SetString(c.GetAmount(), 10)
			if c.GetOutgoing() {
				amount.Neg(amount)
			}
			shown.Add(shown, amount)
		}
		isSeen := severityOf(res, "BEHAVES_DIFFERENTLY") == previewv1.Severity_SEVERITY_DANGER
		if real := w.send(at, gas); !isSeen && shown.Cmp(real) != 0 {
			t.Errorf("%s: %s is shown, on the chain it is %s: %v", name, shown, real, res.GetWarnings())
		}
		if i := slices.IndexFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == "VALUE_AT_RISK" }); i < 0 || res.GetWarnings()[i].GetValue() != "1 ETH" {
			t.Errorf("%s: the most that can be lost is missing: %v", name, res.GetWarnings())
		}
	}
}

// send sends the native token to a contract, and returns the change of the sender's balance without the fee.
func (w *world) send(to string, gas uint64) *big.Int {
	w.t.Helper()
	balance := func() *big.Int {
		var b hexutil.Big
		if err := json.Unmarshal(w.chain.Call(w.t, "eth_getBalance", w.names["victim"], "latest"), &b); err != nil {
			w.t.Fatal(err)
		}
		return b.ToInt()
	}
	before := balance()
	var receipt struct {
		Used  chainclient.Amount `json:"gasUsed"`
		Price chainclient.Amount `json:"effectiveGasPrice"`
	}
	raw := w.chain.Send(w.t, map[string]any{"from": w.names["victim"], "to": to, "value": "0xde0b6b3a7640000", "data": "0x4e71d92d", "gas": hexutil.Uint64(gas)})
	if err := json.Unmarshal(raw, &receipt); err != nil {
		w.t.Fatal(err)
	}
	change := new(big.Int).Sub(balance(), before)
	return change.Add(change, new(big.Int).Mul(receipt.Used.OrZero(), receipt.Price.OrZero()))
}

func TestAContractThatDoesTheSameInEveryBlockHasNoDanger(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", at, baitCode("6001"))
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000", Data: "0x4e71d92d"}}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) != 1 || severityOf(res, "VALUE_AT_RISK") != previewv1.Severity_SEVERITY_CAUTION {
		t.Errorf("%s: the warnings are %v", res.GetOutcome(), res.GetWarnings())
	}
}

// A gain that a contract in no list shows is no reason to send it nearly everything.
func TestAGainFromAContractThatIsInNoListCalmsNothing(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", at, baitCode("6000"))
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0xde0b6b3a7640000")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "950000000000000000", Data: "0x4e71d92d"}}})
	if len(res.GetChanges()) != 2 || severityOf(res, "DRAINS") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the preview is %v", res)
	}
}

func TestTheFeesOfATransactionDoNotMakeItFail(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0x3e8")
	to := "0x00000000000000000000000000000000000000A2"
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: to, Value: "1000"}}, MaxFeePerGas: "1000000000000", MaxPriorityFeePerGas: "5"})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAmount() != "1000" {
		t.Errorf("all that there is: %v", res)
	}
	res = w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: to, Value: "1001"}}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || res.GetCause() != previewv1.Cause_CAUSE_NATIVE_LOW {
		t.Errorf("more than there is: %v", res)
	}
}

func TestWhatIsLeftOfWhatLeavesIsTold(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0x3e8")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: "0x00000000000000000000000000000000000000A2", Value: "400"}}})
	if len(res.GetMinimumBalances()) != 1 || res.GetMinimumBalances()[0].GetAmount() != "600" || res.GetMinimumBalances()[0].GetAsset().GetKind() != previewv1.AssetKind_ASSET_KIND_NATIVE {
		t.Errorf("the balances are %v", res.GetMinimumBalances())
	}
}
