package solana

import (
	"bytes"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// maxParties bounds how many transfers of one asset a row has. A payment to more accounts is shown as one transfer of
// the sum.
const maxParties = 16

// Row is one transaction from an account's view.
type Row struct {
	Signature svm.Signature
	Slot      uint64
	// Time is that of the block in seconds since 1970.
	Time      int64
	Operation index.Operation
	// Failed is set if the transaction failed; Failure has the reason.
	Failed bool
	// Failure is why it failed, such as `Instruction 1: custom program error 0x1`.
	Failure string
	// From and To are the parties of the first transfer if they are known, otherwise the account that paid the fee and
	// the called program. To is zero if it is not known.
	From, To svm.Address
	// FeePayer is zero if no node has the transaction any more; Fee and Transfers are then unknown too.
	FeePayer svm.Address
	// Fee is in lamports.
	Fee uint64
	// Application is the name of a called program; empty if no called program is well-known.
	Application string
	// Signed is set if the account signed it.
	Signed bool
	// Transfers are those of the account: tokens before SOL, then rent of its own accounts, then claims. There is
	// always at least one: of zero SOL if nothing was transferred.
	Transfers []Transfer
	// Claims is how many of the last transfers are claims: suspicious tokens and dust that the account received in a
	// transaction that it did not sign.
	Claims int
	// Spam is set if all transfers are claims.
	Spam bool
}

// Transfer is an asset that moved, or an allowance.
type Transfer struct {
	// Mint is [svm.Native] for SOL.
	Mint      svm.Address
	Direction index.Direction
	// From and To are owners, or token accounts if nodes did not record the owner. They are zero if they are not known:
	// when tokens were minted, or when several accounts paid.
	From, To svm.Address
	// Units is in base units.
	Units    uint64
	Decimals uint8
	// Rent is set for SOL that keeps a token account open: one that was opened for To, or the owner's own.
	Rent bool
}

// rowOf returns the row of a transaction for an owner. It returns false if nothing of the owner changed and the owner
// did not sign, because anyone can name an account in a transaction.
func rowOf(t *transaction, owner svm.Address) (Row, bool) {
	signed := t.signedBy(owner)
	row := Row{Failed: t.failure != "", Failure: t.failure, Time: t.blockTime, FeePayer: t.keys[0], Fee: t.fee, Application: t.application(), Signed: signed}
	if row.Failed {
		row.Operation, row.From, row.To = t.intended()
		row.Transfers = []Transfer{nothing(row.From, row.To)}
		return row, signed
	}
	moves, rent := t.moves(owner)
	var approvals []Transfer
	if len(moves) == 0 {
		approvals = t.approvals(owner)
	}
	switch {
	case len(moves) > 0:
		row.Transfers = t.withRent(transfersOf(moves, owner))
		row.Operation = operation(row.Transfers)
	case len(approvals) > 0:
		row.Operation, row.Transfers = index.Approve, approvals
	default:
		row.Operation = index.Execute
	}
	row.Transfers = append(row.Transfers, rent...)
	row.From, row.To = t.keys[0], t.target()
	if len(row.Transfers) == 0 {
		row.Transfers = []Transfer{nothing(row.From, row.To)}
		return row, signed
	}
	return row.withParties(), true
}

// withParties returns the row with the parties of the first transfer if it is a send or a receive.
func (r Row) withParties() Row {
	if r.Operation == index.Send || r.Operation == index.Receive {
		r.From, r.To = r.Transfers[0].From, r.Transfers[0].To
		if r.From.IsZero() {
			r.From = r.FeePayer
		}
	}
	return r
}

// nothing returns the transfer of a transaction that transferred nothing.
func nothing(from, to svm.Address) Transfer {
	return Transfer{Mint: svm.Native, Direction: index.Out, From: from, To: to, Decimals: svm.Decimals}
}

// target returns the called program: the first one that is not a program of simple transfers, otherwise the first one
// except the compute budget.
func (t *transaction) target() svm.Address {
	var first svm.Address
	for _, i := range t.instructions {
		if i.inner || i.program == svm.ComputeBudgetProgram {
			continue
		}
		if !plain[i.program] {
			return i.program
		}
		if first.IsZero() {
			first = i.program
		}
	}
	return first
}

// application returns the name of the first well-known program that was called directly.
func (t *transaction) application() string {
	for _, i := range t.instructions {
		if known, ok := programs[i.program]; ok && !i.inner {
			return known.name
		}
	}
	return ""
}

// intended returns the operation of a failed transaction, its sender and its recipient, from the instructions that were
// called directly.
func (t *transaction) intended() (is index.Operation, from, to svm.Address) {
	for _, i := range t.instructions {
		if i.inner {
			break
		}
		if programs[i.program].swaps {
			return index.Trade, t.keys[0], i.program
		}
		if i.isTransfer() && len(i.accounts) >= 2 {
			return index.Send, t.keys[i.accounts[0]], t.keys[i.accounts[1]]
		}
		kind, _ := i.tokenCall()
		switch {
		case kind == tokenTransfer && len(i.accounts) >= 3:
			return index.Send, t.party(i.accounts[0]), t.party(i.accounts[1])
		case kind == tokenTransferChecked && len(i.accounts) >= 4:
			return index.Send, t.party(i.accounts[0]), t.party(i.accounts[2])
		case kind == tokenApprove, kind == tokenApproveChecked, kind == tokenRevoke:
			return index.Approve, t.keys[0], i.program
		case kind == tokenMint, kind == tokenMintChecked:
			return index.Mint, t.keys[0], i.program
		case kind == tokenBurn, kind == tokenBurnChecked:
			return index.Burn, t.keys[0], i.program
		}
	}
	return index.Execute, t.keys[0], t.target()
}

// approvals lists the allowances that an owner gave or revoked. A revoked allowance has zero units.
func (t *transaction) approvals(owner svm.Address) (list []Transfer) {
	for _, i := range t.instructions {
		kind, _ := i.tokenCall()
		delegate := slices.Index([]byte{tokenRevoke, tokenApprove, tokenApproveChecked}, kind)
		// The accounts are the token account, the mint of a checked approval, the delegate of an approval, and the owner.
		if delegate < 0 || len(i.accounts) < delegate+2 || t.keys[i.accounts[delegate+1]] != owner {
			continue
		}
		held, ok := t.token(i.accounts[0])
		if !ok {
			continue
		}
		approval := Transfer{Mint: held.mint, Direction: index.Out, From: owner, Units: i.units(), Decimals: held.decimals}
		if kind == tokenRevoke {
			approval.Units = 0
		} else {
			approval.To = t.keys[i.accounts[delegate]]
		}
		list = append(list, approval)
	}
	return list[:min(len(list), maxParties)]
}

// operation returns the operation of a transaction with these transfers.
func operation(list []Transfer) index.Operation {
	in, out := only(list, index.In), only(list, index.Out)
	switch {
	case len(in) > 0 && len(out) > 0:
		return index.Trade
	case len(in) > 0 && !slices.ContainsFunc(in, func(t Transfer) bool { return !t.isAlone(t.From) }):
		return index.Mint
	case len(in) > 0:
		return index.Receive
	case len(out) == 0:
		return index.Execute
	case !slices.ContainsFunc(out, func(t Transfer) bool { return !t.isAlone(t.To) }):
		return index.Burn
	default:
		return index.Send
	}
}

// isAlone reports whether units of a token that came from, or went to, a party were created or destroyed: they were
// minted or burned. It is false for SOL, which only appears so when it is wrapped.
func (t Transfer) isAlone(other svm.Address) bool {
	return other.IsZero() && t.Mint != svm.Native && t.Mint != svm.WrappedSOL
}

func only(list []Transfer, d index.Direction) (some []Transfer) {
	for _, t := range list {
		if t.Direction == d {
			some = append(some, t)
		}
	}
	return some
}

// transfersOf returns moves as transfers: one for each of the other parties if their shares add up to the move and it
// is not part of a trade, otherwise one for the sum, with the party of the largest share.
func transfersOf(moves []move, owner svm.Address) (list []Transfer) {
	isTrade := slices.ContainsFunc(moves, func(m move) bool { return m.direction != moves[0].direction })
	for _, m := range moves {
		others := []share{{units: m.units}}
		if len(m.others) > 0 {
			others[0].party = m.others[0].party
		}
		if !isTrade && len(m.others) > 1 && len(m.others) <= maxParties && sum(m.others) == m.units {
			others = m.others
		}
		for _, o := range others {
			t := Transfer{Mint: m.mint, Direction: m.direction, From: o.party, To: owner, Units: o.units, Decimals: m.decimals}
			if m.direction == index.Out {
				t.From, t.To = t.To, t.From
			}
			list = append(list, t)
		}
	}
	return list
}

func sum(shares []share) (units uint64) {
	for _, s := range shares {
		units += s.units
	}
	return units
}

// compareAddresses orders addresses by their bytes.
func compareAddresses(a, b svm.Address) int { return bytes.Compare(a[:], b[:]) }
