package preview

import (
	"context"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

// pricesOf returns the prices of the native token and of the listed tokens that move, by contract. It reads none unless something leaves for
// something that arrives.
func (p *Previewer) pricesOf(ctx context.Context, chainID string, changes []effect.Change, known map[evm.Address]Token) map[evm.Address]float64 {
	leaves := slices.ContainsFunc(changes, func(c effect.Change) bool { return c.Outgoing })
	arrives := slices.ContainsFunc(changes, func(c effect.Change) bool {
		return !c.Outgoing && (c.Asset.Kind == effect.Native || known[c.Asset.Contract].Listed)
	})
	if !leaves || !arrives {
		return nil
	}
	contracts := map[string]evm.Address{}
	var ids []string
	for _, c := range changes {
		token := evm.Native
		if c.Asset.Kind != effect.Native {
			token = c.Asset.Contract
		}
		id := chainID + ":" + token.Hex()
		if _, isAsked := contracts[id]; !isAsked && (c.Asset.Kind == effect.Native || known[token].Listed) {
			contracts[id], ids = c.Asset.Contract, append(ids, id)
		}
	}
	prices := map[evm.Address]float64{}
	for id, dollars := range price.Read(ctx, p.prices, ids) {
		prices[contracts[id]] = dollars
	}
	return prices
}

// trade is what leaves and what arrives in a request.
type trade struct {
	flows   []flow
	arrives warning.Value
	// gains reports whether more than dust arrives.
	gains bool
	// leaves is the known value of all that leaves, in US dollars, and unpriced the number of assets that have no price.
	leaves   float64
	unpriced int
}

func (f facts) tradeOf(changes []effect.Change) trade {
	t := trade{flows: outflows(changes), arrives: warning.Value{Known: true}}
	for _, c := range changes {
		if f.pays(c) {
			t.gains = true
			t.arrives.Add(c.Amount, f.decimals(c.Asset), f.prices[c.Asset.Contract])
		}
	}
	for i := range t.flows {
		o := &t.flows[i]
		o.value = warning.Value{Known: true}
		o.value.Add(o.amount, f.decimals(o.asset), f.priceOf(o.asset))
		t.leaves += o.value.Dollars
		if !o.value.Known {
			t.unpriced++
		}
	}
	return t
}

// worthOf compares what arrives with an asset that leaves. What contracts that are in no list give back does not count: they may keep it once the
// request is sent. A token's own contract counts for other tokens only.
func (f facts) worthOf(o flow, t trade) warning.Worth {
	isUnlisted := func(a evm.Address) bool { return o.asset.Kind == effect.Native || a != o.asset.Contract }
	if !t.gains || slices.ContainsFunc(f.unlisted, isUnlisted) {
		return warning.Nothing
	}
	unpriced := t.unpriced
	if !o.value.Known {
		unpriced--
	}
	return warning.WorthOf(o.value, warning.Value{Dollars: t.leaves - o.value.Dollars, Known: unpriced == 0}, t.arrives)
}

// priceOf returns the price of a whole unit of an asset in US dollars; 0 if it is not known.
func (f facts) priceOf(a effect.Asset) float64 {
	if a.Kind != effect.Native && a.Kind != effect.ERC20 {
		return 0
	}
	return f.prices[a.Contract]
}

func (f facts) decimals(a effect.Asset) int {
	if a.Kind == effect.Native {
		return nativeDecimals
	}
	if token := f.tokens[a.Contract]; token.Facts != nil {
		return int(token.Facts.Decimals)
	}
	return 0
}

// pays reports whether a change adds more than dust of the native token or of a listed one.
func (f facts) pays(c effect.Change) bool {
	if c.Outgoing {
		return false
	}
	isListed := c.Asset.Kind == effect.Native || c.Asset.Kind == effect.ERC20 && f.tokens[c.Asset.Contract].Listed
	return isListed && !warning.IsDust(c.Amount, f.decimals(c.Asset))
}

// balance returns the account's balance of a fungible asset; nil if it is not known, and for other assets.
func (f facts) balance(a effect.Asset) *big.Int {
	switch a.Kind {
	case effect.Native:
		return f.native
	case effect.ERC20:
		return f.tokens[a.Contract].Balance
	default:
		return nil
	}
}

// flow is the sum of an asset that leaves the account, over all receivers.
type flow struct {
	asset  effect.Asset
	amount *big.Int
	// to receives the largest part.
	to    evm.Address
	most  *big.Int
	value warning.Value
}

// outflows returns what leaves, by asset.
func outflows(changes []effect.Change) (list []flow) {
	at := map[string]int{}
	for _, c := range changes {
		if !c.Outgoing {
			continue
		}
		key := string(rune(c.Asset.Kind)) + c.Asset.Contract.Hex()
		if c.Asset.ID != nil {
			key += c.Asset.ID.Text(16)
		}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key], list = i, append(list, flow{asset: c.Asset, amount: new(big.Int), most: new(big.Int)})
		}
		list[i].amount.Add(list[i].amount, c.Amount)
		if c.Amount.Cmp(list[i].most) > 0 {
			list[i].to, list[i].most = c.Other, c.Amount
		}
	}
	return list
}

// isNearlyAll reports whether a flow takes at least nine tenths of what the account has. A token with an id is all that there is of it.
func (f facts) isNearlyAll(o flow) bool {
	if o.asset.Kind == effect.ERC721 || o.asset.Kind == effect.ERC1155 {
		return true
	}
	balance := f.balance(o.asset)
	return balance != nil && isNearlyAll(o.amount, balance)
}

// left returns the balances of the fungible assets that leave, after the changes.
func (f facts) left(changes []effect.Change) (list []Holding) {
	for _, o := range outflows(changes) {
		balance := f.balance(o.asset)
		if balance == nil {
			continue
		}
		left := new(big.Int).Sub(balance, o.amount)
		for _, c := range changes {
			if !c.Outgoing && c.Asset.Same(o.asset) {
				left.Add(left, c.Amount)
			}
		}
		if left.Sign() >= 0 {
			list = append(list, Holding{o.asset, left})
		}
	}
	return list
}

// isNearlyAll reports whether an amount is at least nine tenths of a balance.
func isNearlyAll(amount, balance *big.Int) bool {
	return new(big.Int).Mul(amount, big.NewInt(10)).Cmp(new(big.Int).Mul(balance, big.NewInt(9))) >= 0
}
