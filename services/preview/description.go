package preview

import (
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
