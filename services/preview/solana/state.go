package solana

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// account is the state of one account. Fields that do not apply are nil.
type account struct {
	lamports uint64
	program  svm.Address
	holder   *holder
	mint     *svm.MintAuthorities
	// withdrawer may withdraw the lamports of a stake account, or of a durable nonce account.
	withdrawer *svm.Address
	// nonce is the value of a durable nonce account.
	nonce *svm.Address
	// size is the size of the data that was read, in bytes.
	size int
}

// holder is a token account.
type holder struct {
	svm.TokenAccount
	svm.TokenRights
}

// state holds the existing accounts, by address.
type state map[svm.Address]account

func stateOf(addresses []svm.Address, found []*svm.Account) state {
	s := state{}
	for i, a := range addresses {
		if found[i] != nil && found[i].Lamports > 0 {
			s[a] = parse(a, *found[i])
		}
	}
	return s
}

func parse(at svm.Address, raw svm.Account) account {
	a := account{lamports: raw.Lamports, program: raw.Program, size: len(raw.Data)}
	if t, rights, err := svm.ParseHolder(raw.Program, raw.Data); err == nil {
		a.holder = &holder{t, rights}
	} else if m, err := svm.ParseMintAuthorities(at, raw.Program, raw.Data); err == nil {
		a.mint = &m
	} else if raw.Program == svm.StakeProgram {
		a.withdrawer = withdrawerOf(raw.Data)
	} else if raw.Program == svm.SystemProgram {
		a.withdrawer, a.nonce = nonceOf(raw.Data)
	}
	return a
}

// nonceOf returns who may use and withdraw from a durable nonce account, and its value; nil for another account of the
// system program.
func nonceOf(data []byte) (authority, value *svm.Address) {
	const initialized = 1
	c := svm.NewCursor(data, 0)
	c.Skip(4) // the version
	kind, by, of := c.Uint32(), c.Address(), c.Address()
	if c.Err() != nil || kind != initialized {
		return nil, nil
	}
	return &by, &of
}

// withdrawerOf returns who may withdraw from a stake account; nil for one that is not initialized.
func withdrawerOf(data []byte) *svm.Address {
	const initialized, delegated = 1, 2
	c := svm.NewCursor(data, 0)
	kind := c.Uint32()
	c.Skip(8 + len(svm.Address{})) // the reserve, and who may delegate the stake
	withdrawer := c.Address()
	if c.Err() != nil || kind != initialized && kind != delegated {
		return nil
	}
	return &withdrawer
}

// Change is an amount of one token that the owner sends or receives.
type Change struct {
	// Mint is [svm.Native] for SOL.
	Mint     svm.Address
	Outgoing bool
	// Amount is in base units.
	Amount uint64
	// Other is the other account; for a token it is the owner of the token account. It is the zero address if it is not
	// known.
	Other svm.Address
}

// flows are the increases and decreases of accounts' balances of a token by a transaction.
type flows struct {
	gains, losses map[svm.Address]uint64
	// isPartial is set if not all accounts were read.
	isPartial bool
}

func newFlows() flows {
	return flows{gains: map[svm.Address]uint64{}, losses: map[svm.Address]uint64{}}
}

// put records the balance of a party before and after.
func (f flows) put(party svm.Address, before, after uint64) {
	switch {
	case after > before:
		f.gains[party] = after - before
	case before > after:
		f.losses[party] = before - after
	}
}

// changesOf returns the owner's changes between two states. The payer's balance has been charged the fee.
func changesOf(r run, owner, payer svm.Address) []Change {
	all := nativeChangesOf(r, owner, payer)
	before, after := unitsOf(r.before), unitsOf(r.after)
	for _, mint := range sorted(before, after) {
		tokens := newFlows()
		for _, party := range sorted(before[mint], after[mint]) {
			tokens.put(party, before[mint][party], after[mint][party])
		}
		all = append(all, tokens.changes(mint, owner)...)
	}
	return all
}

// nativeChangesOf returns the changes of the lamports of the owner's wallet. If the total of the wallet and of the
// accounts from which the owner may withdraw decreases, it returns the changes of that total.
func nativeChangesOf(r run, owner, payer svm.Address) []Change {
	whole := r.lamportFlows(payer, func(a svm.Address) svm.Address {
		if r.isWithdrawable(a, owner) {
			return owner
		}
		return a
	})
	if whole.losses[owner] > 0 {
		return whole.changes(svm.Native, owner)
	}
	return r.lamportFlows(payer, func(a svm.Address) svm.Address { return a }).changes(svm.Native, owner)
}

// lamportFlows returns the changes of the lamports of parties, without the payer's fee.
func (r run) lamportFlows(payer svm.Address, party func(svm.Address) svm.Address) flows {
	f := newFlows()
	f.isPartial = r.isPartial
	before, after := map[svm.Address]uint64{}, map[svm.Address]uint64{}
	for _, a := range r.writable {
		before[party(a)] += r.before[a].lamports
		after[party(a)] += r.after[a].lamports
	}
	if r.fee != nil {
		after[party(payer)] += *r.fee
	}
	for p := range before {
		f.put(p, before[p], after[p])
	}
	return f
}

// isWithdrawable reports whether the owner may withdraw the lamports of an account, now or once it is created.
func (r run) isWithdrawable(a, owner svm.Address) bool {
	by := r.before[a].withdrawer
	if by == nil {
		by = r.after[a].withdrawer
	}
	return by != nil && *by == owner
}

// held returns the lamports of the owner's wallet, plus those of the accounts from which the owner may withdraw and
// whose lamports decrease.
func (r run) held(owner svm.Address) uint64 {
	sum := r.before[owner].lamports
	for _, a := range r.writable {
		if r.after != nil && a != owner && r.isWithdrawable(a, owner) && r.after[a].lamports < r.before[a].lamports {
			sum += r.before[a].lamports
		}
	}
	return sum
}

// unitsOf returns the units of tokens by mint and by owner.
func unitsOf(s state) map[svm.Address]map[svm.Address]uint64 {
	units := map[svm.Address]map[svm.Address]uint64{}
	for _, a := range s {
		if a.holder == nil {
			continue
		}
		if units[a.holder.Mint] == nil {
			units[a.holder.Mint] = map[svm.Address]uint64{}
		}
		units[a.holder.Mint][a.holder.Owner] += a.holder.Units
	}
	return units
}

// sorted returns the keys of both maps.
func sorted[V any](a, b map[svm.Address]V) []svm.Address {
	both := maps.Clone(a)
	if both == nil {
		both = map[svm.Address]V{}
	}
	maps.Copy(both, b)
	return slices.SortedFunc(maps.Keys(both), compare)
}

func compare(a, b svm.Address) int { return bytes.Compare(a[:], b[:]) }

// changes returns the changes of the owner of a token, by other account. The other account is known only if there is
// exactly one, or if the owner is the only sender or the only recipient.
func (f flows) changes(mint, owner svm.Address) []Change {
	own, others, alike := f.losses, f.gains, f.losses
	outgoing := true
	if f.gains[owner] > 0 {
		own, others, alike, outgoing = f.gains, f.losses, f.gains, false
	}
	amount := own[owner]
	if amount == 0 {
		return nil
	}
	parties := slices.SortedFunc(maps.Keys(others), func(a, b svm.Address) int {
		return cmp.Or(cmp.Compare(others[b], others[a]), compare(a, b))
	})
	if len(parties) == 1 && !f.isPartial {
		return []Change{{Mint: mint, Outgoing: outgoing, Amount: amount, Other: parties[0]}}
	}
	var list []Change
	if len(alike) == 1 {
		for _, p := range parties {
			if part := min(others[p], amount); part > 0 {
				list = append(list, Change{Mint: mint, Outgoing: outgoing, Amount: part, Other: p})
				amount -= part
			}
		}
	}
	if amount > 0 {
		list = append(list, Change{Mint: mint, Outgoing: outgoing, Amount: amount})
	}
	return list
}
