package execution

import (
	"fmt"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// hiding are token contracts that store balances in unusual places, or not at all.
var hiding = map[string]struct {
	code  string
	found bool
}{
	"at the owner's own address":    {"0x6004355460005260206000f3", true},
	"with a quarter of interest":    {"0x600435548060021c0160005260206000f3", true},
	"nowhere":                       {"0x600060005260206000f3", false},
	"behind what does not tell any": {"0x60006000fd", false},
}

func TestTheStorageSlotOfABalanceIsFoundOrUnknown(t *testing.T) {
	w := newWorld(t)
	owner := evm.MustAddress(w.accounts[3].Address)
	ordinary := map[string]evm.Address{
		"Solidity, slot 3":    w.token(t, "AAA"),
		"Solidity, slot 1":    w.contract(t, "ERC20"),
		"no return values":    evm.MustAddress(w.chain.Token(t, "tUSDT").Address),
		"thirty-six decimals": evm.MustAddress(w.chain.Token(t, "WIDE").Address),
	}
	l := newSlotFinder()
	for name, token := range ordinary {
		w.finds(t, l, name, token, owner, true)
	}
	n := 0
	for name, token := range hiding {
		n++
		at := evm.MustAddress(fmt.Sprintf("0x%040x", 0x51deb00c00+n))
		w.chain.Call(t, "anvil_setCode", at.String(), token.code)
		w.finds(t, l, name, at, owner, token.found)
	}
}

// finds searches for the place of a balance, and checks the result.
func (w *world) finds(t *testing.T, l *slotFinder, name string, token, owner evm.Address, want bool) {
	t.Helper()
	at, err := l.find(t.Context(), w.connect(""), w.chain.CAIP2, token, owner, 0)
	if err != nil || (at != nil) != want {
		t.Fatalf("%s: found %v %v, want %v", name, at, err, want)
	}
	if at == nil {
		return
	}
	units := uint256.MustFromDecimal("123456789123456789")
	results, err := w.connect("").Batch(t.Context(), balanceWith(token, owner, 0, at.holding(units)))
	if err != nil {
		t.Fatal(err)
	}
	if balance, ok := balanceOf(results[0]); !ok || balance.Lt(units) {
		t.Errorf("%s: the balance is %v, want %s at least", name, balance, units)
	}
}
