package activity

import (
	"slices"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestListTouchedListsTheContractsOfAnAccount(t *testing.T) {
	w := open(t)
	four, me, other := w.install(t, 4), w.fresh(t), w.fresh(t)
	usd := w.chain.Token(t, "tUSD").Address
	w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": usd, "data": callData("transfer(address,uint256)", me, 1)})
	for id := range 2 {
		w.send(t, map[string]any{"from": other, "to": four, "data": words(node.Transfer, other, me, id+5)})
	}
	private := holdings{server: w.server}
	var res *activityv1.ListTouchedResponse
	var err error
	eventually(t, "the chain is read", func() bool {
		res, err = private.ListTouched(t.Context(), &activityv1.ListTouchedRequest{Account: w.chain.CAIP2 + ":" + me})
		return err != nil || !res.GetBackfilling()
	})
	if err != nil || res.GetBackfilling() || len(res.GetContracts()) != 2 {
		t.Fatalf("%v, %v", res, err)
	}
	nft, token := res.GetContracts()[0], res.GetContracts()[1]
	if nft.GetAddress() != four || nft.GetStandard() != "erc721" || !slices.Equal(nft.GetTokenIds(), []string{"6", "5"}) {
		t.Errorf("%v", nft)
	}
	if token.GetAddress() != usd || token.GetStandard() != "erc20" || len(token.GetTokenIds()) != 0 {
		t.Errorf("%v", token)
	}
	_, err = private.ListTouched(t.Context(), &activityv1.ListTouchedRequest{Account: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:x"})
	if f := fault.From(err); fault.ReasonName(f.Reason) != "NAMESPACE_UNSUPPORTED" {
		t.Errorf("%v", err)
	}
}

func TestListApprovedListsTheApprovalsOfAnAccount(t *testing.T) {
	w := open(t)
	me, spender, usd := w.fresh(t), w.fresh(t), w.chain.Token(t, "tUSD").Address
	private := holdings{server: w.server}
	request := &activityv1.ListApprovedRequest{Account: w.chain.CAIP2 + ":" + me}
	w.send(t, map[string]any{"from": me, "to": usd, "data": callData("approve(address,uint256)", spender, 7)})
	var res *activityv1.ListApprovedResponse
	eventually(t, "the chain is read", func() bool {
		var err error
		if res, err = private.ListApproved(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		return !res.GetBackfilling()
	})
	if len(res.GetApprovals()) != 1 || res.GetMore() || res.FromBlock == nil || res.GetFromBlock() != 0 {
		t.Fatalf("%v", res)
	}
	a := res.GetApprovals()[0]
	if a.GetKind() != "erc20" || a.GetContract() != usd || a.GetSpender() != spender || a.GetUnits() != "7" || a.GetTokenId() != "" {
		t.Errorf("%v", a)
	}
	hash := w.send(t, map[string]any{"from": me, "to": usd, "data": callData("approve(address,uint256)", spender, 0)})
	w.clock.Pass(2 * freshFor)
	eventually(t, "the approval ends after "+hash, func() bool {
		res, err := private.ListApproved(t.Context(), request)
		return err == nil && len(res.GetApprovals()) == 0
	})
	_, err := private.ListApproved(t.Context(), &activityv1.ListApprovedRequest{Account: "eip155:999:" + me})
	if f := fault.From(err); fault.ReasonName(f.Reason) != "CHAIN_UNSUPPORTED" {
		t.Errorf("%v", err)
	}
}
