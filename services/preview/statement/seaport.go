package statement

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// Kinds of items in orders of Seaport. Higher ones are criteria for tokens of a collection.
const (
	seaportNative  = 0
	seaportERC20   = 1
	seaportERC1155 = 3
	seaportAny1155 = 5
)

// maxOrders bounds the orders of one signature that are read.
const maxOrders = 64

// seaport reads an order of Seaport: what it offers leaves, and of its consideration what the account receives arrives. Of amounts that change over
// time the worse one counts.
func (s *Statement) seaport(account evm.Address, order object) {
	s.Kind, s.Proceeds = Order, proceeds(account, order)
	for _, o := range order.objects("offer") {
		s.item(o, account, true)
	}
	for _, o := range order.objects("consideration") {
		if to := o.address("recipient"); to != nil && *to == account {
			s.item(o, account, false)
		}
	}
}

// seaportTree reads every order in nested lists.
func (s *Statement) seaportTree(account evm.Address, tree any) {
	list, ok := tree.([]any)
	for _, branch := range list[:min(len(list), maxOrders)] {
		s.seaportTree(account, branch)
	}
	if order, isOrder := tree.(map[string]any); !ok && isOrder && len(s.Changes) < maxOrders {
		gives := s.Proceeds
		s.seaport(account, order)
		s.Proceeds = gives
	}
}

func (s *Statement) item(o object, account evm.Address, outgoing bool) {
	kind, first, last := o.number("itemType"), o.number("startAmount"), o.number("endAmount")
	if first == nil {
		return
	}
	amount := first
	if last != nil && (last.Cmp(first) > 0) == outgoing {
		amount = last
	}
	c := effect.Change{Asset: effect.Asset{Kind: effect.ERC721}, Outgoing: outgoing, Amount: amount}
	if token := o.address("token"); token != nil {
		c.Asset.Contract = *token
	}
	switch {
	case kind == nil || !kind.IsInt64():
	case kind.Int64() == seaportNative:
		c.Asset = effect.Asset{Kind: effect.Native}
	case kind.Int64() == seaportERC20:
		c.Asset.Kind = effect.ERC20
	case kind.Int64() == seaportERC1155 || kind.Int64() == seaportAny1155:
		c.Asset.Kind = effect.ERC1155
	}
	if id := o.number("identifierOrCriteria"); c.Asset.Kind == effect.ERC721 || c.Asset.Kind == effect.ERC1155 {
		c.Asset.ID = id
	}
	if s.Contract != nil {
		c.Other = *s.Contract
	}
	if amount.Sign() > 0 && c.Other != account {
		s.Changes = append(s.Changes, c)
	}
}

// proceeds reports whether an account would receive anything for an order of Seaport: a token with an id, or more than a unit.
func proceeds(account evm.Address, order object) bool {
	return slices.ContainsFunc(order.objects("consideration"), func(o object) bool {
		to, amount, kind := o.address("recipient"), o.number("startAmount"), o.number("itemType")
		isUnique := kind != nil && kind.Cmp(big.NewInt(seaportERC20)) > 0
		return to != nil && *to == account && amount != nil && (amount.Cmp(big.NewInt(1)) > 0 || isUnique && amount.Sign() > 0)
	})
}

// proceedsOfEach is [proceeds] for every order in nested lists. Orders that offer nothing, which fill up the lists, do
// not count.
func proceedsOfEach(account evm.Address, tree any) bool {
	if list, ok := tree.([]any); ok {
		return !slices.ContainsFunc(list, func(branch any) bool { return !proceedsOfEach(account, branch) })
	}
	order, _ := tree.(map[string]any)
	return order != nil && (len(object(order).objects("offer")) == 0 || proceeds(account, order))
}
