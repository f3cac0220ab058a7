package effect

import (
	"math/big"
	"slices"
)

// tolerated is the part of an amount by which two runs may differ: prices and interest change from block to block.
const tolerated = 50

// Alike reports whether two runs have the same effects. Amounts may differ by a fiftieth, and received tokens of a
// collection may have other ids.
func Alike(a, b Effects) bool {
	return within(a, b) && within(b, a)
}

// within reports whether every effect of a is one of b.
func within(a, b Effects) bool {
	amounts := b.amounts()
	for m, amount := range a.amounts() {
		if other, ok := amounts[m]; !ok || !isClose(amount, other) {
			return false
		}
	}
	return !slices.ContainsFunc(a.Approvals, func(k Approval) bool { return !slices.ContainsFunc(b.Approvals, k.isLike) }) &&
		!slices.ContainsFunc(a.Controls, func(k Control) bool { return !slices.Contains(b.Controls, k) })
}

// amounts returns the amounts that move. Ids of received tokens are left out: a contract may choose them by chance.
func (e Effects) amounts() map[movement]*big.Int {
	all := map[movement]*big.Int{}
	for _, c := range e.Changes {
		m := movementOf(c)
		if !c.Outgoing {
			m.id = ""
		}
		if all[m] == nil {
			all[m] = new(big.Int)
		}
		all[m].Add(all[m], c.Amount)
	}
	return all
}

func isClose(a, b *big.Int) bool {
	difference := new(big.Int).Sub(a, b)
	return difference.Abs(difference).Mul(difference, big.NewInt(tolerated)).Cmp(a) <= 0
}

func (a Approval) isLike(b Approval) bool {
	if !a.Asset.Same(b.Asset) || a.Spender != b.Spender || a.Revoked != b.Revoked || a.Permit2 != b.Permit2 || (a.Amount == nil) != (b.Amount == nil) {
		return false
	}
	return a.Amount == nil || isClose(a.Amount, b.Amount)
}
