package preview

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// maxDescribed bounds the rows of the descriptions of one request.
const maxDescribed = 200

// permit2Contract is the address of Uniswap's Permit2 on every chain.
var permit2Contract = evm.MustAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")

// Description is what one call of a request asks, or its typed data, in the words of a descriptor.
type Description struct {
	clearsign.Description

	// Call is the index of the call.
	Call int
	// Contract is the one whose descriptor it is.
	Contract evm.Address
}

// descriptions are those of a request.
type descriptions struct {
	list []Description
	// isWhole is set if every call that has data is described.
	isWhole bool
}

// describe describes the calls or the typed data of a request by descriptors. e are its effects, which say of what standard a token is.
func (p *Previewer) describe(r Request, e effect.Effects) descriptions {
	is := func(role clearsign.Role, contract evm.Address) bool { return p.hasRole(r.ChainID, e, role, contract) }
	all := descriptions{isWhole: true}
	left := maxDescribed
	for i, c := range r.Calls {
		if len(c.Data) == 0 && c.To != nil {
			continue
		}
		var text clearsign.Description
		var ok bool
		if c.To != nil {
			text, ok = p.descriptors.Call(clearsign.Call{Chain: r.Number, Account: r.Account, To: *c.To, Value: c.Value, Data: c.Data}, is)
		}
		if left -= text.Size(); !ok || left < 0 {
			all.isWhole = false
			continue
		}
		all.list = append(all.list, Description{text, i, *c.To})
	}
	if s := r.Statement; s != nil && s.Typed != nil && s.Contract != nil {
		m := clearsign.Message{
			Chain: r.Number, Account: r.Account, PrimaryType: s.PrimaryType, Types: s.Typed.Types, Domain: s.Typed.Domain, Values: s.Typed.Values,
		}
		if text, ok := p.descriptors.Message(m, is); ok {
			all.list = append(all.list, Description{Description: text, Contract: *s.Contract})
		}
	}
	return all
}

// hasRole reports whether a contract is what a bundled descriptor is for: by the tables of this repository, and a token by the effects that are shown.
func (p *Previewer) hasRole(chainID string, e effect.Effects, role clearsign.Role, contract evm.Address) bool {
	switch role {
	case clearsign.ERC20:
		_, isListed := p.lists.Find(chainID, contract)
		return isListed || isOnly(e, contract, effect.ERC20)
	case clearsign.ERC721:
		return isOnly(e, contract, effect.ERC721)
	case clearsign.ERC1155:
		return isOnly(e, contract, effect.ERC1155)
	case clearsign.Collection:
		return isOnly(e, contract, effect.ERC721, effect.ERC1155)
	case clearsign.Wrapped:
		return p.names.IsWrapped(chainID, contract)
	case clearsign.Permit2:
		return contract == permit2Contract
	case clearsign.DelegationManager:
		chain, ok := p.local.Describe().Chain(chainID)
		return contract == delegation.Public.Manager || ok && chain.SmartAccounts != nil && chain.SmartAccounts.DelegationManager == contract
	}
	chain, _ := p.exchanges.On(chainID)
	if role == clearsign.UniversalRouter {
		return chain.Universal != nil && chain.Universal.Router == contract
	}
	for _, v := range chain.Venues {
		if v.Router == contract {
			return string(v.Kind) == string(role)
		}
	}
	return false
}

// isOnly reports whether effects are of a token, and all of these of some standards: arguments alone may be those of several.
func isOnly(e effect.Effects, contract evm.Address, kinds ...effect.Kind) bool {
	var found []effect.Kind
	for _, c := range e.Changes {
		if c.Asset.Contract == contract && c.Asset.Kind != effect.Native {
			found = append(found, c.Asset.Kind)
		}
	}
	for _, a := range e.Approvals {
		if a.Asset.Contract == contract && !a.Permit2 {
			found = append(found, a.Asset.Kind)
		}
	}
	return len(found) > 0 && !slices.ContainsFunc(found, func(k effect.Kind) bool { return !slices.Contains(kinds, k) })
}

// tokens lists the contracts of the tokens that descriptions name.
func (d descriptions) tokens() (list []evm.Address) {
	for row := range d.rows() {
		if a := row.Asset; a.Kind != 0 && a.Kind != effect.Native && !slices.Contains(list, a.Contract) {
			list = append(list, a.Contract)
		}
	}
	return list
}

// rows iterates over the rows of all descriptions, with those of the calls within them.
func (d descriptions) rows() func(yield func(clearsign.Row) bool) {
	return func(yield func(clearsign.Row) bool) {
		for _, text := range d.list {
			for row := range text.All() {
				if !yield(row) {
					return
				}
			}
		}
	}
}

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

// isMisdescribed reports whether descriptions name another token or another amount than the effects have. Of a request that is described in part, nothing
// can be said.
func (p *Previewer) isMisdescribed(r Request, d descriptions, e effect.Effects) bool {
	if len(d.list) == 0 || !d.isWhole || e.IsCut {
		return false
	}
	a := p.asked(r, d)
	// moved are the increases of the balances, left what went out at all, and taken what others may take.
	moved, left, taken := map[evm.Address]*big.Int{}, map[evm.Address]bool{}, map[evm.Address]bool{}
	for _, c := range e.Changes {
		if c.Asset.ID != nil {
			if ids := a.ids[c.Asset.Contract]; c.Outgoing && len(ids) > 0 && !slices.ContainsFunc(ids, func(id *big.Int) bool { return id.Cmp(c.Asset.ID) == 0 }) {
				return true
			}
			continue
		}
		token := p.fungible(r.ChainID, c.Asset)
		if moved[token] == nil {
			moved[token] = new(big.Int)
		}
		if c.Outgoing {
			moved[token].Sub(moved[token], c.Amount)
			left[token] = true
		} else {
			moved[token].Add(moved[token], c.Amount)
		}
	}
	for _, g := range e.Approvals {
		if g.Revoked || g.Asset.Kind != effect.ERC20 {
			continue
		}
		token := p.fungible(r.ChainID, g.Asset)
		taken[token] = true
		if moved[token] == nil && a.isLess(token, g.Amount) {
			return true
		}
	}
	for token, by := range moved {
		isPaid := by.Sign() > 0 && !left[token] && !taken[token]
		if by.Sign() < 0 {
			taken[token] = true
		}
		if by.Sign() < 0 && a.isLess(token, new(big.Int).Neg(by)) || isPaid && a.isMore(token, by) {
			return true
		}
	}
	return a.isOther(moved, taken)
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
func (a asked) isOther(moved map[evm.Address]*big.Int, taken map[evm.Address]bool) bool {
	isNamed := func(token evm.Address) bool { return a.sum[token] != nil }
	for token := range a.sum {
		if moved[token] != nil || taken[token] {
			continue
		}
		for other, isTaken := range taken {
			if isTaken && !isNamed(other) {
				return true
			}
		}
	}
	return false
}
