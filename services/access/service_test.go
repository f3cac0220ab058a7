package access

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	accessv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// farAway is a time at which no test runs, in seconds since 1970.
const farAway = 4_000_000_000

func TestEveryKindOfApprovalIsListedWithWhatIsAtRisk(t *testing.T) {
	w := open(t)
	me, key := w.fresh(t), w.fresh(t)
	usd, dai, permit2 := w.token(t, "tUSD"), w.token(t, "tDAI"), exchangetest.Permit2(t, w.chain)
	anchor, moor := w.collection(t, "ANCHOR"), w.collection(t, "MOOR")
	w.prices[w.chain.CAIP2+":"+usd] = 2
	exchangetest.Give(t, w.chain, usd, me, big.NewInt(9_000_000))
	exchangetest.Give(t, w.chain, dai, me, big.NewInt(50))
	zero := w.devnet.Accounts[0].Address
	w.call(t, zero, anchor, takeCall.Write(address(zero), address(me), 2))
	w.call(t, zero, moor, giveEditionCall.Write(address(zero), address(me), 1, 2, []byte{}))

	first := w.call(t, me, usd, approveCall.Write(address(key), 5_000_000))
	w.call(t, me, dai, approveCall.Write(address(permit2), 40))
	w.call(t, me, permit2, permit2Approve.Write(address(dai), address(key), unlimitedPermit2, farAway))
	w.call(t, me, anchor, approveCall.Write(address(key), 2))
	w.call(t, me, anchor, setOperatorCall.Write(address(key), true))
	w.call(t, me, moor, setOperatorCall.Write(address(key), true))

	res := w.list(t, me)
	var got []string
	for _, a := range res.GetApprovals() {
		got = append(got, w.line(a))
	}
	want := []string{
		"erc20 tUSD " + key + " 5000000 at risk 5000000",
		"operator MOOR " + key + " unlimited at risk 2",
		"operator ANCHOR " + key + " unlimited at risk 1",
		"nft ANCHOR#2 " + key + " 1 at risk 1",
		"permit2 tDAI " + key + " unlimited at risk 40",
		"erc20 tDAI " + permit2 + " 40 at risk 40",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	usdApproval, ofPermit2, operator := res.GetApprovals()[0], res.GetApprovals()[4], res.GetApprovals()[1]
	if usdApproval.GetValue() != 10 || usdApproval.GetChangedBy() != first || usdApproval.GetToken().GetDecimals() != 6 ||
		usdApproval.GetToken().GetAddress() != w.chain.CAIP2+":"+usd || !usdApproval.GetSpender().GetHasNoCode() {
		t.Errorf("%v", usdApproval)
	}
	if at, err := time.Parse(time.RFC3339, usdApproval.GetChangedAt()); err != nil || at.Location() != time.UTC || time.Since(at).Abs() > 24*365*time.Hour {
		t.Errorf("changed at %q, %v", usdApproval.GetChangedAt(), err)
	}
	if ofPermit2.GetExpiresAt() != farAway || ofPermit2.GetAllowance() != unlimitedPermit2.String() || ofPermit2.Value != nil {
		t.Errorf("%v", ofPermit2)
	}
	if operator.GetAllowance() != "" || operator.Value != nil {
		t.Errorf("%v", operator)
	}
	if named := res.GetApprovals()[5].GetSpender(); named.GetName() != "Permit2" || named.GetHasNoCode() {
		t.Errorf("%v", named)
	}
	if res.GetFromBlock() != "0" || res.GetTruncated() || res.GetDelegation() != nil {
		t.Errorf("from block %q, truncated %t, delegation %v", res.GetFromBlock(), res.GetTruncated(), res.GetDelegation())
	}
}

func TestAnApprovalThatNoLongerHoldsIsNotListed(t *testing.T) {
	w := open(t)
	me, spender := w.fresh(t), w.fresh(t)
	usd, permit2, anchor := w.token(t, "tUSD"), exchangetest.Permit2(t, w.chain), w.collection(t, "ANCHOR")
	exchangetest.Give(t, w.chain, usd, me, big.NewInt(100))
	zero := w.devnet.Accounts[0].Address
	w.call(t, zero, anchor, takeCall.Write(address(zero), address(me), 1))
	var held []string
	for _, step := range []struct {
		behaviour string
		given     func()
		want      string
		ended     func()
	}{
		{
			"taken back", func() { w.call(t, me, usd, approveCall.Write(address(spender), 7)) },
			"erc20 tUSD " + spender + " 7 at risk 7", func() { w.call(t, me, usd, approveCall.Write(address(spender), 0)) },
		},
		{
			"used up", func() { w.call(t, me, usd, approveCall.Write(address(spender), 7)) },
			"erc20 tUSD " + spender + " 7 at risk 7", func() { w.call(t, spender, usd, takeCall.Write(address(me), address(spender), 7)) },
		},
		{
			"locked down", func() { w.call(t, me, permit2, permit2Approve.Write(address(usd), address(spender), 8, farAway)) },
			"permit2 tUSD " + spender + " 8 at risk 0", func() {
				w.call(t, me, permit2, permit2Lockdown.Write([]any{[]any{address(usd), address(spender)}}))
			},
		},
		{
			"expired", func() { w.call(t, me, permit2, permit2Approve.Write(address(usd), address(spender), 8, farAway)) },
			"permit2 tUSD " + spender + " 8 at risk 0", func() { w.call(t, me, permit2, permit2Approve.Write(address(usd), address(spender), 8, 1)) },
		},
		{
			"an NFT that was sent away and came back", func() { w.call(t, me, anchor, approveCall.Write(address(spender), 1)) },
			"nft ANCHOR#1 " + spender + " 1 at risk 1", func() {
				w.call(t, me, anchor, takeCall.Write(address(me), address(zero), 1))
				w.call(t, zero, anchor, takeCall.Write(address(zero), address(me), 1))
			},
		},
		{
			"an operator that was dismissed", func() { w.call(t, me, anchor, setOperatorCall.Write(address(spender), true)) },
			"operator ANCHOR " + spender + " unlimited at risk 1", func() { w.call(t, me, anchor, setOperatorCall.Write(address(spender), false)) },
		},
	} {
		step.given()
		if got := w.lines(t, me); !slices.Equal(got, append(slices.Clone(held), step.want)) {
			t.Errorf("%s, before: %q, want %q", step.behaviour, got, step.want)
		}
		step.ended()
		if got := w.lines(t, me); !slices.Equal(got, held) {
			t.Errorf("%s: %q", step.behaviour, got)
		}
	}
}

func TestAtMostTheBalanceIsAtRisk(t *testing.T) {
	w := open(t)
	me, spender := w.fresh(t), w.fresh(t)
	dai, gold, permit2 := w.token(t, "tDAI"), w.token(t, "tGOLD"), exchangetest.Permit2(t, w.chain)
	exchangetest.Give(t, w.chain, dai, me, big.NewInt(30))
	exchangetest.Give(t, w.chain, gold, me, big.NewInt(9))
	w.call(t, me, gold, approveCall.Write(address(permit2), 4))
	w.call(t, me, permit2, permit2Approve.Write(address(gold), address(spender), 6, farAway))
	w.call(t, me, dai, approveCall.Write(address(spender), unlimitedAmount))
	want := []string{
		"erc20 tDAI " + spender + " unlimited at risk 30", "permit2 tGOLD " + spender + " 6 at risk 4", "erc20 tGOLD " + permit2 + " 4 at risk 4",
	}
	if got := w.lines(t, me); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAContractCostsOnlyItsOwnApprovals(t *testing.T) {
	w := open(t)
	me, spender := w.fresh(t), w.fresh(t)
	usd, broken := w.token(t, "tUSD"), w.fresh(t)
	w.chain.Call(t, "anvil_setCode", broken, emitter)
	w.call(t, me, broken, approvalEvent(me, spender))
	w.call(t, me, usd, approveCall.Write(address(spender), 1))
	want := []string{"erc20 tUSD " + spender + " 1 at risk 0"}
	for behaviour, code := range map[string]string{
		"it returns nothing":                     emitter,
		"it reverts":                             "0x60006000fd",
		"it uses all its gas":                    "0x5b600056",
		"it has no code any more":                "0x",
		"it allows everything, and has one byte": "0x600160005260016000f3",
	} {
		w.chain.Call(t, "anvil_setCode", broken, code)
		if got := w.lines(t, me); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", behaviour, got, want)
		}
	}
}

func TestAnUnlistedTokenNeedsATransactionOfTheAccount(t *testing.T) {
	w := open(t)
	me, other, spender := w.fresh(t), w.fresh(t), w.fresh(t)
	claimed := exchangetest.Token(t, w.chain, "Tether USD", "tUSD")
	claims := w.fresh(t)
	w.chain.Call(t, "anvil_setCode", claims, emitter)
	w.call(t, other, claims, approvalEvent(me, spender))
	// From now on it returns a word for every call, as if everything were allowed.
	w.chain.Call(t, "anvil_setCode", claims, "0x7f"+strings.Repeat("ff", 32)+"60005260206000f3")
	if got := w.lines(t, me); len(got) != 0 {
		t.Errorf("claimed by a token: %q", got)
	}
	w.call(t, me, claimed, approveCall.Write(address(spender), 5))
	res := w.list(t, me).GetApprovals()
	if len(res) != 1 || res[0].GetToken().GetAddress() != w.chain.CAIP2+":"+claimed || res[0].GetToken().GetWarning() != "look_alike" {
		t.Errorf("%v", res)
	}
	w.prices[w.chain.CAIP2+":"+claimed] = 1_000_000
	exchangetest.Give(t, w.chain, claimed, me, big.NewInt(1_000))
	if res := w.list(t, me).GetApprovals(); len(res) != 1 || res[0].Value != nil {
		t.Errorf("a token that imitates another one has a value: %v", res)
	}
}

func TestTheCodeThatAnAccountDelegatesToIsNamed(t *testing.T) {
	w := open(t)
	for target, name := range map[string]string{
		"0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B": "MetaMask smart account", "0x00000000000000000000000000000000000000FE": "",
	} {
		me := w.fresh(t)
		w.chain.Call(t, "anvil_setCode", me, "0xef0100"+strings.TrimPrefix(target, "0x"))
		got := w.list(t, me).GetDelegation()
		if got.GetAddress() != w.chain.CAIP2+":"+address(target).String() || got.GetName() != name {
			t.Errorf("%v, want %s %q", got, target, name)
		}
	}
	contract := w.fresh(t)
	w.chain.Call(t, "anvil_setCode", contract, emitter)
	if got := w.list(t, contract).GetDelegation(); got != nil {
		t.Errorf("a contract delegates: %v", got)
	}
}

func TestASpenderThatDelegatesIsStillAKey(t *testing.T) {
	w := open(t)
	me := w.fresh(t)
	want := map[string]bool{}
	for code, bare := range map[string]bool{"0x": true, "0xef010000000000000000000000000000000000000000fe": true, emitter: false} {
		spender := w.fresh(t)
		w.chain.Call(t, "anvil_setCode", spender, code)
		w.call(t, me, w.token(t, "tUSD"), approveCall.Write(address(spender), 1))
		want[w.chain.CAIP2+":"+spender] = bare
	}
	list := w.list(t, me).GetApprovals()
	if len(list) != len(want) {
		t.Errorf("%d approvals", len(list))
	}
	for _, a := range list {
		if got := a.GetSpender().GetHasNoCode(); got != want[a.GetSpender().GetAddress()] {
			t.Errorf("%s has no code: %t", a.GetSpender().GetAddress(), got)
		}
	}
}

func TestAnApprovalIsListedOnceItsBlockIsTheNewest(t *testing.T) {
	w := open(t)
	me, usd := w.fresh(t), w.token(t, "tUSD")
	w.list(t, me)
	for n := range 5 {
		spender := w.fresh(t)
		w.call(t, me, usd, approveCall.Write(address(spender), 1))
		if got := w.lines(t, me); len(got) != n+1 || !strings.Contains(got[0], spender) {
			t.Errorf("after approval %d: %q", n+1, got)
		}
	}
}

func TestRequestsThatCannotBeAnsweredAreRefused(t *testing.T) {
	w := open(t)
	me := w.fresh(t)
	for _, tt := range []struct {
		behaviour string
		request   *accessv1.ListApprovalsRequest
		reason    string
		field     string
	}{
		{"no chain", &accessv1.ListApprovalsRequest{Address: me}, "PARAMETER_INVALID", "chainId"},
		{"no address", &accessv1.ListApprovalsRequest{Address: "0x12", ChainId: w.chain.CAIP2}, "ADDRESS_INVALID", "address"},
		{"an address of another namespace", &accessv1.ListApprovalsRequest{Address: me, ChainId: "solana:x"}, "ADDRESS_INVALID", "address"},
		{"another namespace", &accessv1.ListApprovalsRequest{Address: me, ChainId: "bip122:000000000019d6689c085ae165831e93"}, "NAMESPACE_UNSUPPORTED", "chainId"},
		{"an unknown chain", &accessv1.ListApprovalsRequest{Address: me, ChainId: "eip155:999"}, "CHAIN_UNSUPPORTED", "chainId"},
		{"a currency that is not there", &accessv1.ListApprovalsRequest{Address: me, ChainId: w.chain.CAIP2, Currency: "irn"}, "CURRENCY_UNSUPPORTED", "currency"},
	} {
		_, err := w.ListApprovals(t.Context(), tt.request)
		if f := fault.From(err); fault.ReasonName(f.Reason) != tt.reason || f.Field != tt.field {
			t.Errorf("%s: %v, want %s of %s", tt.behaviour, err, tt.reason, tt.field)
		}
	}
	w.nodes.down.Store(true)
	for _, address := range []string{me, stranger()} {
		_, err := w.ListApprovals(t.Context(), &accessv1.ListApprovalsRequest{Address: address, ChainId: w.chain.CAIP2})
		if f := fault.From(err); fault.ReasonName(f.Reason) != "CHAIN_UNAVAILABLE" || f.Code.String() != "Unavailable" {
			t.Errorf("without a node: %v", err)
		}
	}
}

// stranger returns an address that the index does not have.
func stranger() string { return fmt.Sprintf("0x%040x", freshAddresses.Add(1)) }
