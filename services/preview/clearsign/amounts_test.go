package clearsign

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
	"testing/quick"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

// amounts returns the first amount or collectible of rows.
func amounts(rows []Row) *Row {
	for i := range rows {
		if rows[i].Kind == Amount || rows[i].Kind == Collectible {
			return &rows[i]
		}
	}
	return nil
}

// agrees reports whether a row has an amount of an asset; a nil amount is one without a limit.
func agrees(row *Row, contract evm.Address, amount *big.Int) bool {
	return row != nil && row.Asset.Contract == contract && row.IsOver == (amount == nil) && (amount == nil || row.Number.Cmp(amount) == 0)
}

// TestTheAmountsOfTokensAreThoseThatDecodingFinds: for random calls of ERC-20 and ERC-721, and for random permits.
func TestTheAmountsOfTokensAreThoseThatDecodingFinds(t *testing.T) {
	d := mustRead(t, nil)
	describe := func(role Role, function string, arguments ...any) (*Row, effect.Effects) {
		c := Call{Chain: mainnet, Account: account, To: vault, Value: new(big.Int), Data: calldata.Parse(function).Write(arguments...)}
		got, _ := d.Call(c, only(role))
		e, _ := effect.OfCall(account, simulation.Call{To: &vault, Value: c.Value, Data: c.Data})
		return amounts(got.Rows), e
	}
	check := func(other evm.Address, bytes [32]byte, shift uint8) bool {
		value := new(big.Int).Rsh(new(big.Int).SetBytes(bytes[:]), uint(shift))
		if other == account || other == (evm.Address{}) || value.Sign() == 0 {
			return true
		}
		sent, e := describe(ERC20, "transfer(address,uint256)", other, value)
		ok := agrees(sent, e.Changes[0].Asset.Contract, e.Changes[0].Amount)
		moved, e := describe(ERC20, "transferFrom(address,address,uint256)", account, other, value)
		ok = ok && agrees(moved, e.Changes[0].Asset.Contract, e.Changes[0].Amount)
		allowed, e := describe(ERC20, "approve(address,uint256)", other, value)
		ok = ok && agrees(allowed, e.Approvals[0].Asset.Contract, e.Approvals[0].Amount)
		given, e := describe(ERC721, "safeTransferFrom(address,address,uint256)", account, other, value)
		ok = ok && given != nil && given.Asset.Same(e.Changes[1].Asset)
		permit, s := permitOf(t, d, other, value)
		return ok && agrees(permit, s.Approvals[0].Asset.Contract, s.Approvals[0].Amount)
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// permitOf returns the amount of a permit (EIP-2612), and the permit as it is decoded without a descriptor.
func permitOf(t *testing.T, d *Descriptors, spender evm.Address, value *big.Int) (*Row, statement.Statement) {
	t.Helper()
	const members = `[{"name": "owner", "type": "address"}, {"name": "spender", "type": "address"}, {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"}, {"name": "deadline", "type": "uint256"}]`
	values := fmt.Sprintf(`{"owner": %q, "spender": %q, "value": "%d", "nonce": 0, "deadline": "1700000000"}`, account, spender, value)
	m := typedData(t, "Dollar", vault, `{"Permit": `+members+`}`, values)
	m.PrimaryType = "Permit"
	text, err := json.Marshal(map[string]any{"types": m.Types, "primaryType": "Permit", "domain": m.Domain, "message": m.Values})
	if err != nil {
		t.Fatal(err)
	}
	s, err := statement.ParseTypedData(account, string(text))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := d.Message(m, only(ERC20))
	return amounts(got.Rows), s
}
