package preview

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// asked are the amounts that a request asks for, in base units. The wrapped native token counts as the native one, which is the zero address.
type asked struct {
	sum, largest map[evm.Address]*big.Int
	isUnlimited  map[evm.Address]bool
	// ids are those of the tokens of a collection.
	ids map[evm.Address][]*big.Int
}

// tolerance is how much an amount may differ from the one that moves, in base units: tokens that grow are rounded.
const tolerance = 2

// asked returns the amounts that descriptions name, with the native token that calls without data send.
func (p *Previewer) asked(r Request, d descriptions) asked {
	a := asked{map[evm.Address]*big.Int{}, map[evm.Address]*big.Int{}, map[evm.Address]bool{}, map[evm.Address][]*big.Int{}}
	for row := range d.rows() {
		switch row.Kind {
		case clearsign.Amount:
			token := p.fungible(r.ChainID, row.Asset)
			a.add(token, row.Number)
			a.isUnlimited[token] = a.isUnlimited[token] || row.IsOver
		case clearsign.Collectible:
			a.ids[row.Asset.Contract] = append(a.ids[row.Asset.Contract], row.Asset.ID)
		}
	}
	for _, c := range r.Calls {
		if len(c.Data) == 0 {
			a.add(evm.Address{}, c.Value)
		}
	}
	return a
}

func (a asked) add(token evm.Address, amount *big.Int) {
	if amount.Sign() == 0 {
		return
	}
	if a.sum[token] == nil {
		a.sum[token], a.largest[token] = new(big.Int), amount
	}
	a.sum[token].Add(a.sum[token], amount)
	if amount.Cmp(a.largest[token]) > 0 {
		a.largest[token] = amount
	}
}

// fungible returns the address of a token; the zero address for the native one, and for its wrapper.
func (p *Previewer) fungible(chainID string, a effect.Asset) evm.Address {
	if a.Kind == effect.Native || p.names.IsWrapped(chainID, a.Contract) {
		return evm.Address{}
	}
	return a.Contract
}

// done is what a request does with fungible tokens.
type done struct {
	// moved are the increases of the balances, in base units.
	moved map[evm.Address]*big.Int
	// left are the tokens of which anything went out, and taken those that leave on balance or that others may take.
	left, taken map[evm.Address]bool
}

// done returns what the changes of a request do.
func (p *Previewer) done(chainID string, changes []effect.Change) done {
	d := done{map[evm.Address]*big.Int{}, map[evm.Address]bool{}, map[evm.Address]bool{}}
	for _, c := range changes {
		if c.Asset.ID != nil {
			continue
		}
		token := p.fungible(chainID, c.Asset)
		if d.moved[token] == nil {
			d.moved[token] = new(big.Int)
		}
		if c.Outgoing {
			d.moved[token].Sub(d.moved[token], c.Amount)
			d.left[token] = true
		} else {
			d.moved[token].Add(d.moved[token], c.Amount)
		}
	}
	return d
}

// isMisdescribed reports whether descriptions name another token or another amount than the effects have. Of a request that is described in part, nothing
// can be said.
func (p *Previewer) isMisdescribed(r Request, described descriptions, e effect.Effects) bool {
	if len(described.list) == 0 || !described.isWhole || e.IsCut {
		return false
	}
	a, d := p.asked(r, described), p.done(r.ChainID, e.Changes)
	if slices.ContainsFunc(e.Changes, a.isOtherID) {
		return true
	}
	for _, g := range e.Approvals {
		if g.Revoked || g.Asset.Kind != effect.ERC20 {
			continue
		}
		token := p.fungible(r.ChainID, g.Asset)
		d.taken[token] = true
		if d.moved[token] == nil && a.isLess(token, g.Amount) {
			return true
		}
	}
	for token, by := range d.moved {
		isPaid := by.Sign() > 0 && !d.left[token] && !d.taken[token]
		if isPaid && a.isMore(token, by) || by.Sign() < 0 && a.isLess(token, new(big.Int).Neg(by)) {
			return true
		}
		d.taken[token] = d.taken[token] || by.Sign() < 0
	}
	return a.isOther(d)
}

// isOtherID reports whether a token with an id leaves while others of its contract are named.
func (a asked) isOtherID(c effect.Change) bool {
	ids := a.ids[c.Asset.Contract]
	return c.Asset.ID != nil && c.Outgoing && len(ids) > 0 && !slices.ContainsFunc(ids, func(id *big.Int) bool { return id.Cmp(c.Asset.ID) == 0 })
}

// isLess reports whether the amounts of a token that are named, together, are less than an amount that leaves or may be taken; nil is no limit.
func (a asked) isLess(token evm.Address, amount *big.Int) bool {
	sum := a.sum[token]
	if sum == nil || a.isUnlimited[token] {
		return false
	}
	return amount == nil || new(big.Int).Add(sum, big.NewInt(tolerance)).Cmp(amount) < 0
}

// isMore reports whether an amount of a token is named that is more than what arrives.
func (a asked) isMore(token evm.Address, arrives *big.Int) bool {
	largest := a.largest[token]
	return largest != nil && !a.isUnlimited[token] && new(big.Int).Add(arrives, big.NewInt(tolerance)).Cmp(largest) < 0
}

// isOther reports whether a token is named that does not move, while one that is not named leaves or may be taken.
func (a asked) isOther(d done) bool {
	isIdle, isUnnamed := false, false
	for token := range a.sum {
		isIdle = isIdle || d.moved[token] == nil && !d.taken[token]
	}
	for token, isTaken := range d.taken {
		isUnnamed = isUnnamed || isTaken && a.sum[token] == nil
	}
	return isIdle && isUnnamed
}
