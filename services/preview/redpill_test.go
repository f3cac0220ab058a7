package preview

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/previewtest"
)

func bait(condition string) hexutil.Bytes { return previewtest.Bait(condition) }

func TestAContractThatSeesThatItIsSimulatedIsSeen(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at, gas = "0x000000000000000000000000000000000000beef", 200_000
	for name, condition := range previewtest.Conditions() {
		w.chain.Call(t, "anvil_setCode", at, bait(condition))
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

func TestAContractThatSeesMoreGasThanAWalletSetsIsSeen(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", at, bait(previewtest.Conditions()["a lot of gas"]))
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000", Data: "0x4e71d92d"}}})
	if severityOf(res, "BEHAVES_DIFFERENTLY") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the preview is %v", res)
	}
}

func TestAContractThatDoesTheSameInEveryBlockHasNoDanger(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", at, bait("6001"))
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
	w.chain.Call(t, "anvil_setCode", at, bait("6000"))
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0xde0b6b3a7640000")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "950000000000000000", Data: "0x4e71d92d"}}})
	if len(res.GetChanges()) != 2 || severityOf(res, "DRAINS") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the preview is %v", res)
	}
}

// Routers run contracts that their caller names: these may pay only where they are simulated. What a router of a list enforces is the minimum in its arguments.
func TestAGainOfARouterCountsUpToTheMinimumInItsArguments(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	market, ok := w.previewer.local.Describe().Chain(local)
	if !ok || len(market.Venues) == 0 {
		t.Fatal("the chain has no exchange")
	}
	at := market.Venues[0].Router.Hex()
	ether, _ := new(big.Int).SetString("1000000000000000000", 10)
	deadline := big.NewInt(9_999_999_999)
	path := []common.Address{common.HexToAddress(w.names["tUSD"]), *market.Wrapped}
	swap := func(least int64, to string) *previewv1.Call {
		minimum := new(big.Int).Quo(new(big.Int).Mul(ether, big.NewInt(least)), big.NewInt(100))
		return callOf(at, "950000000000000000", "swapExactTokensForETH(uint256,uint256,address[],address,uint256)", big.NewInt(1), minimum, path, common.HexToAddress(to), deadline)
	}
	for name, c := range map[string]struct {
		call *previewv1.Call
		want previewv1.Severity
	}{
		"a function that is not known": {&previewv1.Call{To: at, Value: "950000000000000000", Data: "0x4e71d92d"}, previewv1.Severity_SEVERITY_DANGER},
		"no minimum":                   {swap(0, w.names["victim"]), previewv1.Severity_SEVERITY_DANGER},
		"a minimum of less than half":  {swap(40, w.names["victim"]), previewv1.Severity_SEVERITY_DANGER},
		"a minimum for another":        {swap(90, w.names["thief"]), previewv1.Severity_SEVERITY_DANGER},
		"a minimum of nearly all":      {swap(90, w.names["victim"]), previewv1.Severity_SEVERITY_UNSPECIFIED},
	} {
		w.chain.Call(t, "anvil_setCode", at, bait("6000")) // gives back more than it gets
		w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
		w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0xde0b6b3a7640000")
		res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{c.call}})
		if len(res.GetChanges()) != 2 || severityOf(res, "DRAINS") != c.want {
			t.Errorf("%s: %v", name, res)
		}
		i := slices.IndexFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return w.GetPhrase() == previewv1.Phrase_PHRASE_NOT_GUARANTEED })
		if name == "no minimum" && i < 0 {
			t.Errorf("%s: it is not said that nothing is guaranteed: %v", name, res.GetWarnings())
		}
	}
}

// The gas of a call of a router is what a wallet sets in the second run too.
func TestAContractThatARouterRunsSeesTheGasThatAWalletSets(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	market, _ := w.previewer.local.Describe().Chain(local)
	at := market.Venues[0].Router.Hex()
	w.chain.Call(t, "anvil_setCode", at, bait(previewtest.Conditions()["a lot of gas"]))
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000", Data: "0x4e71d92d"}}})
	if severityOf(res, "BEHAVES_DIFFERENTLY") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the preview is %v", res)
	}
}

// A person's account that delegates (EIP-7702) runs code, which may give back more than it gets only where it is simulated.
func TestADelegatedAccountIsAContractInNoList(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const code, at = "0x000000000000000000000000000000000000c0de", "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", code, bait("6000"))
	w.chain.Call(t, "anvil_setCode", at, "0xef0100"+code[2:])
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0xde0b6b3a7640000")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "950000000000000000", Data: "0x4e71d92d"}}})
	if severityOf(res, "DRAINS") != previewv1.Severity_SEVERITY_DANGER || severityOf(res, "VALUE_AT_RISK") != previewv1.Severity_SEVERITY_CAUTION {
		t.Errorf("the preview is %v", res)
	}
}

// A call of a contract in no list before the request is a sign of a simulation, which the contract can store.
func TestAContractThatIsAskedForABalanceIsNotWarned(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at, gas = "0x000000000000000000000000000000000000beef", 200_000
	// balanceOf stores the number of the block and returns 1000; anything else takes the stored number of this block for a simulation.
	w.chain.Call(t, "anvil_setCode", at, append(bait("5f3560e01c6370a0823114602a57"+"5f54431415"), common.FromHex("5b435f556103e85f5260205ff3")...))
	for _, account := range []string{at, w.names["victim"]} {
		w.chain.Call(t, "anvil_setBalance", account, "0x8ac7230489e80000")
	}
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000000000000000000", Data: "0x4e71d92d", Gas: gas}}})
	if real := w.send(at, gas); len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAmount() != new(big.Int).Neg(real).String() {
		t.Errorf("on the chain it is %s: %v", real, res)
	}
}

// The account of the page's visitor is public: a contract can be told what it has.
func TestAContractThatComparesTheBalanceIsSeen(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	// CALLER BALANCE > 0.02 of the native token: ISZERO of it.
	w.chain.Call(t, "anvil_setCode", at, bait("66470de4df82000033311115"))
	w.chain.Call(t, "anvil_setBalance", at, "0x8ac7230489e80000")
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0x470de4df820000")
	res := w.simulate(&previewv1.SimulateRequest{MaxFeePerGas: "10000000000", Calls: []*previewv1.Call{{To: at, Value: "1000000000000000", Data: "0x4e71d92d"}}})
	if severityOf(res, "BEHAVES_DIFFERENTLY") != previewv1.Severity_SEVERITY_DANGER {
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

func TestWhatIsLeftCoversListedTokensThatOnlyArrive(t *testing.T) {
	listed, unlisted := effect.Asset{Kind: effect.ERC20, Contract: evm.Address{1}}, effect.Asset{Kind: effect.ERC20, Contract: evm.Address{2}}
	f := facts{native: big.NewInt(1000), tokens: map[evm.Address]Token{
		listed.Contract:   {Listed: true, Balance: big.NewInt(5)},
		unlisted.Contract: {Balance: big.NewInt(5)},
	}}
	left := f.left([]effect.Change{
		{Asset: listed, Amount: big.NewInt(7)},
		{Asset: unlisted, Amount: big.NewInt(9)},
		{Asset: effect.Asset{Kind: effect.Native}, Outgoing: true, Amount: big.NewInt(400)},
		{Asset: listed, Amount: big.NewInt(1)},
	})
	if len(left) != 2 || left[0].Asset.Kind != effect.Native || left[0].Amount.Int64() != 600 || !left[1].Asset.Same(listed) || left[1].Amount.Int64() != 13 {
		t.Errorf("what is left: %v", left)
	}
}
