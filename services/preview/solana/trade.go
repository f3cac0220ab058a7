package solana

import (
	"context"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

// exchanges are the programs of well-known exchanges: what they give back is what they give once the transaction is sent.
var exchanges = []svm.Address{
	svm.MustAddress("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"),  // Jupiter
	svm.MustAddress("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"), // Raydium's pools of constant product
	svm.MustAddress("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK"), // Raydium's concentrated pools
	svm.MustAddress("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"), // Raydium's newer pools of constant product
	svm.MustAddress("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"),  // Orca
	svm.MustAddress("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"),  // pump.fun
	svm.MustAddress("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA"),  // pump.fun's pools
}

// isPayment reports whether a change adds SOL or a listed token. Lamports that are returned when an account of the owner is closed do not count.
func (s subjects) isPayment(c Change, known map[svm.Address]Token) bool {
	if c.Outgoing {
		return false
	}
	if own := s.holder(c.Other); own != nil && own.Owner == s.owner || c.Other == (svm.Address{}) && len(s.closings) > 0 {
		return false
	}
	return c.Mint == svm.Native || known[c.Mint].Listed
}

// arrivals returns the value of what arrives, and whether it is more than dust.
func (s subjects) arrivals(changes []Change, known map[svm.Address]Token) (sum warning.Value, gains bool) {
	sum.Known = true
	for _, c := range changes {
		if s.isPayment(c, known) {
			gains = sum.Arrive(new(big.Int).SetUint64(c.Amount), decimalsOf(c.Mint, known), s.prices[c.Mint]) || gains
		}
	}
	return sum, gains
}

func decimalsOf(mint svm.Address, known map[svm.Address]Token) int {
	if mint == svm.Native {
		return svm.Decimals
	}
	return int(known[mint].Decimals)
}

// worthOf compares what arrives with a token that leaves. What programs that are in no list give back does not count.
func (s subjects) worthOf(mint svm.Address, changes []Change, known map[svm.Address]Token) warning.Worth {
	isUnlisted := func(program svm.Address) bool { return !slices.Contains(exchanges, program) }
	if slices.ContainsFunc(s.unknown(), isUnlisted) {
		return warning.Nothing
	}
	leaves, others := warning.Value{Known: true}, warning.Value{Known: true}
	for _, c := range changes {
		amount := new(big.Int).SetUint64(c.Amount)
		switch {
		case c.Outgoing && c.Mint == mint:
			leaves.Add(amount, decimalsOf(c.Mint, known), s.prices[c.Mint])
		case c.Outgoing:
			others.Add(amount, decimalsOf(c.Mint, known), s.prices[c.Mint])
		}
	}
	arrives, gains := s.arrivals(changes, known)
	return warning.WorthOf(leaves, others, arrives, gains)
}

// pricesOf returns the prices of SOL and of the listed tokens that move. It reads none unless something leaves for something that arrives.
func (p *Previewer) pricesOf(ctx context.Context, chainID string, changes []Change, known map[svm.Address]Token) map[svm.Address]float64 {
	leaves := slices.ContainsFunc(changes, func(c Change) bool { return c.Outgoing })
	arrives := slices.ContainsFunc(changes, func(c Change) bool { return !c.Outgoing })
	if !leaves || !arrives {
		return nil
	}
	mints := map[string]svm.Address{}
	var ids []string
	for _, c := range changes {
		id := chainID + ":" + c.Mint.String()
		if _, isAsked := mints[id]; !isAsked && (c.Mint == svm.Native || known[c.Mint].Listed) {
			mints[id], ids = c.Mint, append(ids, id)
		}
	}
	prices := map[svm.Address]float64{}
	for id, dollars := range price.Read(ctx, p.Prices, ids) {
		if mint, isAsked := mints[id]; isAsked {
			prices[mint] = dollars
		}
	}
	return prices
}

// flow is the sum of a token that leaves the owner, over all receivers.
type flow struct {
	mint   svm.Address
	amount uint64
	// to receives the largest part.
	to   svm.Address
	most uint64
}

// outflows returns what leaves, by mint.
func outflows(changes []Change) (list []flow) {
	for _, c := range changes {
		if !c.Outgoing {
			continue
		}
		i := slices.IndexFunc(list, func(o flow) bool { return o.mint == c.Mint })
		if i < 0 {
			i, list = len(list), append(list, flow{mint: c.Mint})
		}
		if list[i].amount += c.Amount; list[i].amount < c.Amount {
			list[i].amount = ^uint64(0)
		}
		if c.Amount > list[i].most {
			list[i].to, list[i].most = c.Other, c.Amount
		}
	}
	return list
}

// isNearlyAll reports whether a flow takes at least nine tenths of what the owner has; an NFT is all that there is of it.
func (s subjects) isNearlyAll(o flow, known map[svm.Address]Token) bool {
	held, isRead := s.held[o.mint]
	return known[o.mint].NFT || isRead && isNearlyAll(o.amount, held)
}
