package preview

import (
	"math/big"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

func TestOnlyMoreThanDustIsATrade(t *testing.T) {
	token, usd := evm.MustAddress("0x00000000000000000000000000000000000000a1"), evm.MustAddress("0x00000000000000000000000000000000000000a2")
	f := facts{tokens: map[evm.Address]Token{
		token: {Facts: &evm.TokenFact{Decimals: 18}, Balance: big.NewInt(100)}, usd: {Facts: &evm.TokenFact{Decimals: 6}, Listed: true},
	}}
	leaves := effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: token}, Outgoing: true, Amount: big.NewInt(100)}
	kinds := func(kind effect.Kind, contract evm.Address, amount int64) (found []warning.Kind) {
		var l list
		arrives := effect.Change{Asset: effect.Asset{Kind: kind, Contract: contract}, Amount: big.NewInt(amount)}
		l.changes(Preview{Effects: effect.Effects{Changes: []effect.Change{leaves, arrives}}}, effect.Effects{}, f)
		for _, w := range l.List {
			found = append(found, w.Kind)
			if w.Severity == warning.Danger && !slices.Contains(found, warning.Drains) {
				t.Errorf("%v is a danger in a trade", w)
			}
		}
		return found
	}
	drained, traded := []warning.Kind{warning.Drains, warning.HiddenTransfer}, []warning.Kind{warning.HiddenTransfer}
	for name, c := range map[string]struct{ got, want []warning.Kind }{
		"for one wei":           {kinds(effect.Native, evm.Address{}, 1), drained},
		"for a tenth":           {kinds(effect.Native, evm.Address{}, 1e17), traded},
		"for a unit of a token": {kinds(effect.ERC20, usd, 1), drained},
		"for a listed token":    {kinds(effect.ERC20, usd, 5_000_000), traded},
		"for an unlisted token": {kinds(effect.ERC20, token, 5_000_000), drained},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
}
