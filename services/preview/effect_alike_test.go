package preview

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

func TestTwoRunsAreAlikeUpToPrices(t *testing.T) {
	usd, pool := effect.Asset{Kind: effect.ERC20, Contract: evm.Address{1}}, evm.Address{2}
	pays := func(amount int64) effect.Change {
		return effect.Change{Asset: usd, Outgoing: true, Amount: big.NewInt(amount), Other: pool}
	}
	gets := func(id int64) effect.Change {
		return effect.Change{Asset: effect.Asset{Kind: effect.ERC721, Contract: evm.Address{3}, ID: big.NewInt(id)}, Amount: big.NewInt(1), Other: pool}
	}
	of := func(list ...effect.Change) effect.Effects { return effect.Effects{Changes: list} }
	allows := func(amount *big.Int) effect.Effects {
		return effect.Effects{Approvals: []effect.Approval{{Asset: usd, Spender: pool, Amount: amount}}}
	}
	gives := func(to evm.Address) effect.Effects {
		return effect.Effects{Controls: []effect.Control{{Contract: pool, To: to}}}
	}
	for name, c := range map[string]struct {
		a, b effect.Effects
		want bool
	}{
		"the same":                    {of(pays(1000), gets(1)), of(gets(1), pays(1000)), true},
		"a price that moved a bit":    {of(pays(1000)), of(pays(1015)), true},
		"a price that moved a lot":    {of(pays(1000)), of(pays(1100)), false},
		"another collectible arrives": {of(gets(1)), of(gets(2)), true},
		"nothing arrives":             {of(pays(1000), gets(1)), of(pays(1000)), false},
		"another right":               {allows(big.NewInt(5)), allows(nil), false},
		"the same right":              {allows(nil), allows(nil), true},
		"another owner":               {gives(pool), gives(evm.Address{9}), false},
	} {
		if effect.Alike(c.a, c.b) != c.want || effect.Alike(c.b, c.a) != c.want {
			t.Errorf("%s: alike is not %t", name, c.want)
		}
	}
}
