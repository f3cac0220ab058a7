package solana

import (
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// Approval is a right to take units of a token out of an account of the owner.
type Approval struct {
	Mint, Spender svm.Address
	// Amount is in base units; the maximum value means unlimited.
	Amount  uint64
	Revoked bool
	// of is the token account.
	of svm.Address
}

// controlKind is the kind of a change of control.
type controlKind int

const (
	walletTaken controlKind = iota
	holderTaken
	closeGiven
	mintTaken
	// mintFixed is the end of an authority, which no account has then.
	mintFixed
	stakeTaken
)

// control is a change of control over an account of the owner. The new authority is the zero address if there is none.
type control struct {
	kind  controlKind
	of    svm.Address
	to    svm.Address
	units uint64
}

// approvalsOf returns the rights to take tokens of the owner that a transaction gives and revokes.
func approvalsOf(r run, owner svm.Address) (all []Approval) {
	for _, at := range r.writable {
		now := r.after[at].holder
		if now == nil || now.Owner != owner {
			continue
		}
		var was holder
		if r.before[at].holder != nil {
			was = *r.before[at].holder
		}
		switch {
		case now.Delegate != nil && (was.Delegate == nil || *was.Delegate != *now.Delegate || now.Delegated > was.Delegated):
			all = append(all, Approval{Mint: now.Mint, Spender: *now.Delegate, Amount: now.Delegated, of: at})
		case now.Delegate == nil && was.Delegate != nil:
			all = append(all, Approval{Mint: now.Mint, Spender: *was.Delegate, Revoked: true, of: at})
		}
	}
	return all
}

// controlsOf returns the accounts of the owner that other accounts control after a transaction.
func controlsOf(r run, owner svm.Address) (all []control) {
	if was, now := r.before[owner], r.after[owner]; was.program == svm.SystemProgram && now.lamports > 0 && now.program != svm.SystemProgram {
		all = append(all, control{kind: walletTaken, of: owner, to: now.program})
	}
	for _, at := range r.writable {
		was, now := r.before[at], r.after[at]
		switch {
		case was.holder != nil && was.holder.Owner == owner && now.holder != nil && now.holder.Owner != owner:
			all = append(all, control{kind: holderTaken, of: at, to: now.holder.Owner, units: now.holder.Units})
		case now.holder != nil && now.holder.Owner == owner && isGiven(closeAuthority(was), now.holder.CloseAuthority, owner):
			all = append(all, control{kind: closeGiven, of: at, to: *now.holder.CloseAuthority})
		case was.mint != nil && now.mint != nil && (isTaken(was.mint.Mint, now.mint.Mint, owner) || isTaken(was.mint.Freeze, now.mint.Freeze, owner)):
			all = append(all, control{kind: mintControl(*was.mint, *now.mint, owner), of: at})
		case isTaken(was.withdrawer, now.withdrawer, owner) && now.withdrawer != nil:
			all = append(all, control{kind: stakeTaken, of: at, to: *now.withdrawer})
		}
	}
	return all
}

func closeAuthority(a account) *svm.Address {
	if a.holder == nil {
		return nil
	}
	return a.holder.CloseAuthority
}

// mintControl returns whether another account gets an authority that the owner has, or no account has it any more.
func mintControl(was, now svm.MintAuthorities, owner svm.Address) controlKind {
	isGone := func(was, now *svm.Address) bool { return !isTaken(was, now, owner) || now == nil }
	if isGone(was.Mint, now.Mint) && isGone(was.Freeze, now.Freeze) {
		return mintFixed
	}
	return mintTaken
}

// isTaken reports whether the owner had a right before and does not have it now.
func isTaken(was, now *svm.Address, owner svm.Address) bool {
	return was != nil && *was == owner && (now == nil || *now != owner)
}

// isGiven reports whether an account other than the owner has a right now that it did not have before.
func isGiven(was, now *svm.Address, owner svm.Address) bool {
	return now != nil && *now != owner && (was == nil || *was != *now)
}

// closing is an account of the owner that is closed. Its lamports are sent to another account, which is the zero
// address if it is not known.
type closing struct{ of, to svm.Address }

// closingsOf returns the token accounts of the owner that a transaction closes.
//
// If a program closes an account, its lamports count as sent to the owner only if the owner gains those of all such
// accounts.
func closingsOf(r run, declared []closing, owner, payer svm.Address) (all []closing) {
	native := r.lamportFlows(payer, func(a svm.Address) svm.Address { return a })
	var undeclared uint64
	for _, at := range r.writable {
		was := r.before[at]
		if was.holder == nil || was.holder.Owner != owner || r.after[at].lamports > 0 {
			continue
		}
		c := closing{of: at}
		if i := slices.IndexFunc(declared, func(s closing) bool { return s.of == at && s.to != svm.Address{} }); i >= 0 {
			c = declared[i]
		} else {
			undeclared += was.lamports
		}
		all = append(all, c)
	}
	for i, c := range all {
		switch {
		case c.to != svm.Address{}:
		case native.gains[owner] >= undeclared:
			all[i].to = owner
		default:
			all[i].to = receiverOf(r.before[c.of].lamports, native, owner)
		}
	}
	return all
}

// receiverOf returns the account other than the owner that gains at least an amount; the zero address if there is none
// or more than one.
func receiverOf(amount uint64, f flows, owner svm.Address) (receiver svm.Address) {
	for _, party := range sorted(f.gains, nil) {
		if party == owner || f.gains[party] < amount {
			continue
		}
		if receiver != (svm.Address{}) {
			return svm.Address{}
		}
		receiver = party
	}
	return receiver
}
