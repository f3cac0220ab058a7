package preview

import (
	"math/big"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

func TestACallRevokesARightByItsAmount(t *testing.T) {
	account, token, spender := evm.Address{1}, evm.Address{2}, evm.Address{3}
	zero, one := new(big.Int), big.NewInt(1)
	approve, increase := calldata.Parse("approve(address,uint256)"), calldata.Parse("increaseAllowance(address,uint256)")
	permit2 := calldata.Parse("approve(address,address,uint160,uint48)")
	for behaviour, c := range map[string]struct {
		data    []byte
		revoked []bool
	}{
		"an approval":            {approve.Write(spender, one), []bool{false}},
		"an approval of nothing": {approve.Write(spender, zero), []bool{true}},
		"an increase":            {increase.Write(spender, one), []bool{false}},
		"an increase by nothing": {increase.Write(spender, zero), nil},
		"Permit2's":              {permit2.Write(token, spender, one, zero), []bool{false}},
		"Permit2's of nothing":   {permit2.Write(token, spender, zero, zero), []bool{true}},
	} {
		e, stated := effect.OfCall(account, simulation.Call{To: &token, Value: zero, Data: c.data})
		if !stated || len(e.Approvals) != len(c.revoked) {
			t.Errorf("%s: %+v", behaviour, e)
			continue
		}
		for i, a := range e.Approvals {
			if a.Revoked != c.revoked[i] || a.Spender != spender {
				t.Errorf("%s: %+v", behaviour, a)
			}
		}
	}
}

func TestACallOfALenderGivesARight(t *testing.T) {
	account, contract, to := evm.Address{1}, evm.Address{2}, evm.Address{3}
	right := func(kind effect.RightKind, isEnd bool) []effect.Right {
		return []effect.Right{{Kind: kind, Contract: contract, To: to, Revoked: isEnd}}
	}
	for signature, c := range map[string]struct {
		values []any
		want   []effect.Right
	}{
		"allow(address,bool)":                {[]any{to, true}, right(effect.Acts, false)},
		"setAuthorization(address,bool)":     {[]any{to, false}, right(effect.Acts, true)},
		"approveDelegation(address,uint256)": {[]any{to, big.NewInt(1)}, right(effect.Borrows, false)},
	} {
		e, stated := effect.OfCall(account, simulation.Call{To: &contract, Value: new(big.Int), Data: calldata.Parse(signature).Write(c.values...)})
		if !stated || !slices.Equal(e.Rights, c.want) {
			t.Errorf("%s: %+v", signature, e)
		}
	}
}

func TestAnOperatorTakesEveryToken(t *testing.T) {
	account, contract, to := evm.Address{1}, evm.Address{2}, evm.Address{3}
	for signature, c := range map[string]struct {
		values  []any
		kind    effect.Kind
		revoked bool
	}{
		"authorizeOperator(address)":       {[]any{to}, effect.ERC20, false},
		"revokeOperator(address)":          {[]any{to}, effect.ERC20, true},
		"setOperator(address,bool)":        {[]any{to, true}, effect.ERC721, false},
		"approve(address,uint256,uint256)": {[]any{to, big.NewInt(7), new(big.Int).Lsh(big.NewInt(1), 255)}, effect.ERC1155, false},
	} {
		e, stated := effect.OfCall(account, simulation.Call{To: &contract, Value: new(big.Int), Data: calldata.Parse(signature).Write(c.values...)})
		if !stated || len(e.Approvals) != 1 || e.Approvals[0].Asset.Kind != c.kind || e.Approvals[0].Amount != nil || e.Approvals[0].Revoked != c.revoked || e.Approvals[0].Spender != to {
			t.Errorf("%s: %+v", signature, e)
		}
	}
}

func TestWhatNoEventShowsIsTakenFromTheArguments(t *testing.T) {
	token, thief := evm.Address{2}, evm.Address{3}
	stated := effect.Effects{Approvals: []effect.Approval{{Asset: effect.Asset{Kind: effect.ERC20, Contract: token}, Spender: thief, Amount: big.NewInt(7)}}}
	shown := effect.Effects{Approvals: []effect.Approval{{Asset: effect.Asset{Kind: effect.ERC721, Contract: token, ID: big.NewInt(7)}, Spender: thief, Amount: big.NewInt(1)}}}
	shown.Complete(stated)
	if len(shown.Approvals) != 1 || shown.Approvals[0].Asset.Kind != effect.ERC721 {
		t.Errorf("of a token with an id: %+v", shown)
	}
	var silent effect.Effects
	if silent.Complete(stated); len(silent.Approvals) != 1 || silent.Approvals[0].Spender != thief {
		t.Errorf("of a token without events: %+v", silent)
	}
}
