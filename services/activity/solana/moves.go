package solana

import (
	"cmp"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// move is how much of one asset an owner received or sent in a transaction, over all its accounts.
type move struct {
	mint      svm.Address
	direction index.Direction
	units     uint64
	decimals  uint8
	// others are the parties on the other side, the largest first; none if the units were minted or burned, or if the
	// parties are not known.
	others []share
}

// share is what one party received or sent.
type share struct {
	party svm.Address
	units uint64
}

// amounts are the units of one asset before and after a transaction, by party.
type amounts map[svm.Address]*[2]uint64

func (a amounts) add(party svm.Address, when int, units uint64) {
	if a[party] == nil {
		a[party] = new([2]uint64)
	}
	a[party][when] += units
}

// shares returns the parties, except one, that gained or lost an asset; the largest first.
func (a amounts) shares(except svm.Address, direction index.Direction) (list []share) {
	for party, held := range a {
		before, after := held[0], held[1]
		if direction == index.In {
			before, after = after, before
		}
		if party != except && after > before {
			list = append(list, share{party, after - before})
		}
	}
	slices.SortFunc(list, func(x, y share) int { return cmp.Or(cmp.Compare(y.units, x.units), compareAddresses(x.party, y.party)) })
	return list
}

// moveOf returns the move of an owner; false if its amount did not change.
func (a amounts) moveOf(owner, mint svm.Address, decimals uint8) (move, bool) {
	held := a[owner]
	if held == nil || held[0] == held[1] {
		return move{}, false
	}
	m := move{mint: mint, direction: index.In, decimals: decimals, units: held[1] - held[0]}
	if held[0] > held[1] {
		m.direction, m.units = index.Out, held[0]-held[1]
	}
	m.others = a.shares(owner, m.direction)
	return m, true
}

// moves returns what an owner received and sent, tokens before SOL, and the rent that it paid for its own token
// accounts or got back. The amount of SOL is that of the owner's account, without the fee and that rent. The lamports
// of other owners' token accounts count for those owners, so that a recipient that was paid in wrapped SOL is found as
// the recipient of SOL.
func (t *transaction) moves(owner svm.Address) (list []move, rent []Transfer) {
	tokens, mints := t.tokenAmounts()
	for _, m := range mints {
		if moved, ok := tokens[m.mint].moveOf(owner, m.mint, m.decimals); ok {
			list = append(list, moved)
		}
	}
	rent = t.rent(owner)
	if moved, ok := t.lamports(owner, rent).moveOf(owner, svm.Native, svm.Decimals); ok {
		list = append(list, moved)
	}
	return list, rent
}

// tokenAmounts returns the amounts of each token by owner, and the tokens in the order in which they occur in the
// transaction.
func (t *transaction) tokenAmounts() (all map[svm.Address]amounts, mints []tokenBalance) {
	all = map[svm.Address]amounts{}
	for when, list := range [][]tokenBalance{t.tokensBefore, t.tokensAfter} {
		for _, b := range list {
			if all[b.mint] == nil {
				all[b.mint] = amounts{}
				mints = append(mints, b)
			}
			all[b.mint].add(cmp.Or(b.owner, t.keys[b.account]), when, b.units)
		}
	}
	return all, mints
}

// lamports returns the lamports of the owner's account and of all other parties, with the fee and the owner's rent
// added back.
func (t *transaction) lamports(owner svm.Address, rent []Transfer) amounts {
	all := amounts{}
	for i := range t.keys {
		if held, ok := t.token(i); ok && held.owner == owner {
			continue
		}
		party := t.party(i)
		all.add(party, 0, t.before[i])
		all.add(party, 1, t.after[i])
		if i == 0 {
			all.add(party, 1, t.fee)
		}
	}
	for _, r := range rent {
		if r.From == owner {
			all.add(owner, 1, r.Units)
		} else {
			all.add(owner, 0, r.Units)
		}
	}
	return all
}

// rent returns the rent that an owner paid for its own token accounts, or got back for them, as one transfer to itself.
// Rent that another party paid or got is not the owner's.
func (t *transaction) rent(owner svm.Address) []Transfer {
	var locked int64
	account := -1
	for i := range t.keys {
		if held, ok := t.token(i); !ok || held.owner != owner {
			continue
		}
		change := t.unwrapped(i, t.tokensAfter, t.after) - t.unwrapped(i, t.tokensBefore, t.before)
		if change == 0 || !t.isRentOf(owner, i, change) {
			continue
		}
		if locked += change; account < 0 {
			account = i
		}
	}
	switch {
	case locked > 0:
		return []Transfer{{Mint: svm.Native, Direction: index.Self, From: owner, To: t.keys[account], Units: uint64(locked), Decimals: svm.Decimals, Rent: true}}
	case locked < 0:
		return []Transfer{{Mint: svm.Native, Direction: index.Self, From: t.keys[account], To: owner, Units: uint64(-locked), Decimals: svm.Decimals, Rent: true}}
	default:
		return nil
	}
}

// isRentOf reports whether an owner paid, or received, the change of the lamports of a token account. The first
// instruction that pays the account, or is paid from it, decides that. Without such an instruction the owner's own
// lamports decide, because nodes do not keep the inner instructions of old transactions.
func (t *transaction) isRentOf(owner svm.Address, account int, change int64) bool {
	for _, i := range t.instructions {
		switch {
		case change > 0 && i.funds() && i.accounts[1] == account:
			return t.keys[i.accounts[0]] == owner
		case change < 0 && i.releases() && i.accounts[0] == account:
			return t.keys[i.accounts[1]] == owner
		}
	}
	at := slices.Index(t.keys, owner)
	if at < 0 {
		return false
	}
	own := int64(t.after[at]) - int64(t.before[at])
	if at == 0 {
		own += int64(t.fee)
	}
	return own < 0 && change > 0 || own > 0 && change < 0
}

// withRent marks SOL that was sent to token accounts which were opened for the recipient.
func (t *transaction) withRent(transfers []Transfer) []Transfer {
	opened := map[svm.Address]int64{}
	for i := range t.keys {
		if held, ok := t.token(i); ok && t.before[i] == 0 {
			opened[held.owner] += t.unwrapped(i, t.tokensAfter, t.after)
		}
	}
	for i, sent := range transfers {
		rent := opened[sent.To]
		transfers[i].Rent = sent.Mint == svm.Native && sent.Direction == index.Out && rent > 0 && sent.Units == uint64(rent)
	}
	return transfers
}

// unwrapped returns the lamports of a token account, except those that are wrapped SOL.
func (t *transaction) unwrapped(account int, tokens []tokenBalance, lamports []uint64) int64 {
	left := int64(lamports[account])
	for _, b := range tokens {
		if b.account == account && b.mint == svm.WrappedSOL {
			left -= int64(b.units)
		}
	}
	return left
}
