package preview

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
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
