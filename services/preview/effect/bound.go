package effect

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// most bounds the changes and the approvals of a request that are told apart: contracts can log as many as they like, to hide one among them.
const most = 100

// Bound leaves out what exceeds a bound: what is listed last, that which arrives before it. Of listed assets the rest is added up, with an unknown other account.
func (e *Effects) Bound(isListed func(contract evm.Address) bool) {
	if len(e.Changes) > most {
		e.IsCut = true
		rank := func(c Change) int {
			r := 0
			if c.Asset.Kind != Native && !isListed(c.Asset.Contract) {
				r = 2
			}
			if !c.Outgoing {
				r++
			}
			return r
		}
		slices.SortStableFunc(e.Changes, func(a, b Change) int { return rank(a) - rank(b) })
		rest := e.Changes[most:]
		e.Changes = e.Changes[:most:most]
		for _, c := range rest {
			if rank(c) < 2 {
				e.addUp(c)
			}
		}
	}
	if len(e.Controls) > most {
		e.IsCut, e.Controls = true, e.Controls[:most:most]
	}
	if len(e.Approvals) > most {
		e.IsCut = true
		slices.SortStableFunc(e.Approvals, func(a, b Approval) int { return order(isListed(a.Asset.Contract)) - order(isListed(b.Asset.Contract)) })
		e.Approvals = e.Approvals[:most:most]
	}
}

func order(isListed bool) int {
	if isListed {
		return 0
	}
	return 1
}

// addUp adds a change to the one of its asset that has no other account.
func (e *Effects) addUp(c Change) {
	c.Other = evm.Address{}
	i := slices.IndexFunc(e.Changes, func(k Change) bool { return k.Other == c.Other && k.Outgoing == c.Outgoing && k.Asset.Same(c.Asset) })
	if i < 0 {
		e.Changes = append(e.Changes, c)
		return
	}
	e.Changes[i].Amount = new(big.Int).Add(e.Changes[i].Amount, c.Amount)
}
