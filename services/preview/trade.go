package preview

import (
	"context"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/minimum"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/simulation"
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
		if token, isAsked := contracts[id]; isAsked {
			prices[token] = dollars
		}
	}
	return prices
}

// guaranteed returns the least amounts that the calls bring: routers run contracts of the caller's choice, which may pay in a simulation only. It returns nil if no call runs
// such contracts.
func (p *Previewer) guaranteed(r Request, before surroundings) minimum.Amounts {
	least, runsOthers := minimum.Amounts{}, false
	for _, c := range r.Calls {
		switch {
		case c.To == nil || !p.runsCode(r, c, before):
		case !p.isListed(r.ChainID, *c.To) && *c.To != r.Account:
			// Nothing counts that a contract in no list brings, except for its own token.
		case p.isOwn(r, c):
			p.addOwn(least, r, c)
		default:
			runsOthers = true
			if p.names.Spender(r.ChainID, *c.To) != contracts.Public {
				for asset, amount := range minimum.Of(r.Account, c) {
					least.Add(asset, amount)
				}
			}
		}
	}
	if !runsOthers {
		return nil
	}
	return least
}

// runsCode reports whether a call runs a contract's code.
func (p *Previewer) runsCode(r Request, c simulation.Call, before surroundings) bool {
	if *c.To == r.Account && len(c.Data) == 0 {
		return false
	}
	hasCode, isRead := before.code[*c.To]
	return !isRead || hasCode || before.delegates[*c.To] || *c.To == r.Account && r.Delegate != nil
}

// isOwn reports whether a call of a listed token runs no code but the token's: it is of a known function, or it names no other account, which the token could call.
func (p *Previewer) isOwn(r Request, c simulation.Call) bool {
	if _, isToken := p.lists.Find(r.ChainID, *c.To); !isToken && !p.names.IsWrapped(r.ChainID, *c.To) {
		return false
	}
	_, isKnown := effect.OfCall(r.Account, c)
	return isKnown || !namesOthers(r.Account, c.Data)
}

// mostAmount is the size in bits of an amount in an argument. Addresses are larger unless they were made with more work than is worth it.
const mostAmount = 96

// namesOthers reports whether the arguments of a call may name an account that is not the one that makes it.
func namesOthers(account evm.Address, data []byte) bool {
	const selector, word = 4, 32
	for at := selector; at < len(data); at += word {
		n := new(big.Int).SetBytes(data[at:min(at+word, len(data))])
		isAll := n.BitLen() == 256 && new(big.Int).Add(n, big.NewInt(1)).BitLen() > 256
		if n.BitLen() > mostAmount && !isAll && n.Cmp(new(big.Int).SetBytes(account[:])) != 0 {
			return true
		}
	}
	return false
}

// addOwn adds what a call of a listed token brings by its arguments: of the wrapped native token, and of tokens that the account was allowed to take.
func (p *Previewer) addOwn(least minimum.Amounts, r Request, c simulation.Call) {
	if e, isKnown := effect.OfCall(r.Account, c); isKnown && len(c.Data) > 0 {
		for _, change := range e.Changes {
			if !change.Outgoing && change.Asset.Kind == effect.ERC20 {
				least.Add(change.Asset, change.Amount)
			}
		}
		return
	}
	if !p.names.IsWrapped(r.ChainID, *c.To) {
		return
	}
	asset, amount := effect.Wrapping(c)
	if amount != nil {
		least.Add(asset, amount)
	}
}

// trade is what leaves and what arrives in a request.
type trade struct {
	flows   []flow
	arrives warning.Value
	// gains reports whether more than dust arrives, and promises whether more than dust would arrive that no argument guarantees.
	gains, promises bool
	// leaves is the known value of all that leaves, in US dollars, and unpriced the number of assets that have no price.
	leaves   float64
	unpriced int
}

func (f facts) tradeOf(changes []effect.Change) trade {
	t := trade{flows: outflows(changes), arrives: warning.Value{Known: true}}
	arrived, order := minimum.Amounts{}, []effect.Asset(nil)
	for _, c := range changes {
		if c.Outgoing || !f.isCurrency(c.Asset) {
			continue
		}
		if arrived[c.Asset] == nil {
			order = append(order, c.Asset)
		}
		arrived.Add(c.Asset, c.Amount)
	}
	shown := warning.Value{Known: true}
	for _, asset := range order {
		amount := arrived[asset]
		t.promises = shown.Arrive(amount, f.decimals(asset), f.priceOf(asset)) || t.promises
		if f.guaranteed != nil {
			least := f.guaranteed[asset]
			if least == nil {
				continue
			}
			if least.Cmp(amount) < 0 {
				amount = least
			}
		}
		t.gains = t.arrives.Arrive(amount, f.decimals(asset), f.priceOf(asset)) || t.gains
	}
	t.promises = t.promises && !t.gains
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
	if slices.ContainsFunc(f.unlisted, isUnlisted) {
		return warning.Nothing
	}
	unpriced := t.unpriced
	if !o.value.Known {
		unpriced--
	}
	return warning.WorthOf(o.value, warning.Value{Dollars: t.leaves - o.value.Dollars, Known: unpriced == 0}, t.arrives, t.gains)
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

// isCurrency reports whether an asset is the native token or a listed one, which can pay.
func (f facts) isCurrency(a effect.Asset) bool {
	return a.Kind == effect.Native || a.Kind == effect.ERC20 && f.tokens[a.Contract].Listed
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

// left returns the balances after the changes: those of the fungible assets that leave, and then of the listed ones that only arrive. The balance of
// an unlisted token is what its contract says.
func (f facts) left(changes []effect.Change) (list []Holding) {
	for _, isLeaving := range []bool{true, false} {
		for _, c := range changes {
			a := c.Asset
			isCounted := slices.ContainsFunc(list, func(h Holding) bool { return h.Asset.Same(a) })
			if c.Outgoing != isLeaving || isCounted || !isLeaving && !f.isListed(a) {
				continue
			}
			if left := f.after(a, changes); left != nil && left.Sign() >= 0 {
				list = append(list, Holding{a, left})
			}
		}
	}
	return list
}

// after returns the balance of a fungible asset after the changes; nil if it is not known.
func (f facts) after(a effect.Asset, changes []effect.Change) *big.Int {
	balance := f.balance(a)
	if balance == nil {
		return nil
	}
	left := new(big.Int).Set(balance)
	for _, c := range changes {
		if !c.Asset.Same(a) {
			continue
		}
		if c.Outgoing {
			left.Sub(left, c.Amount)
		} else {
			left.Add(left, c.Amount)
		}
	}
	return left
}

// isListed reports whether an asset is the native one, or a token of a list.
func (f facts) isListed(a effect.Asset) bool {
	return a.Kind == effect.Native || f.tokens[a.Contract].Listed
}

// isNearlyAll reports whether an amount is at least nine tenths of a balance.
func isNearlyAll(amount, balance *big.Int) bool {
	return new(big.Int).Mul(amount, big.NewInt(10)).Cmp(new(big.Int).Mul(balance, big.NewInt(9))) >= 0
}
