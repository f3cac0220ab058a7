package activity

import (
	"bytes"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

// transfersPerRow bounds a row: a transaction that moves more is shown by its first ones.
const transfersPerRow = 256

var (
	approveCall  = evm.Selector("approve(address,uint256)")
	transferCall = evm.Selector("transfer(address,uint256)")
)

// digest tells what a transaction was to an account; false when it was nothing: a failure of somebody else's, or tokens of no value "sent" in
// the account's name by a stranger, who hopes that his address is copied from the history.
func digest(f node.Found, account Account) (Row, bool) {
	t := f.Transaction
	row := Row{
		Account:   account,
		Place:     Place{Time: f.Header.Time, ChainID: account.ChainID, Block: f.Header.Number, Index: t.Index},
		Hash:      t.Hash,
		BlockHash: f.Header.Hash,
		Detail:    Detail{Failed: !f.Receipt.Succeeded, From: t.From, To: t.To, Nonce: t.Nonce},
	}
	own := t.From == account.Address
	if own {
		row.Fee = f.Receipt.Fee
	}
	if row.Failed {
		row.Operation = intended(t)
		row.Transfers = []Transfer{nothing(f, account.Address)}
		return row, own
	}
	row.Transfers = transfers(f, account.Address)
	allowances := allowances(f, account.Address)
	switch {
	case len(row.Transfers) > 0 && (own || anyOf(row.Transfers, worthShowing)):
		row.Operation = operation(row.Transfers, own, t.To == nil)
	case len(allowances) > 0:
		row.Operation, row.Transfers = Approve, allowances
	case own:
		row.Operation, row.Transfers = Execute, []Transfer{nothing(f, account.Address)}
		if t.To == nil {
			row.Operation = Deploy
		}
	default:
		return Row{}, false
	}
	row.Transfers = row.Transfers[:min(len(row.Transfers), transfersPerRow)]
	return row, true
}

// transfers lists what moved to or from the account.
func transfers(f node.Found, account evm.Address) (list []Transfer) {
	t := f.Transaction
	moves := []move{{Asset{Standard: Native}, t.From, recipient(f), t.Value}}
	if t.Value.Sign() == 0 {
		moves = nil
	}
	for _, l := range f.Receipt.Logs {
		moves = append(moves, movesOf(l)...)
	}
	for _, m := range moves {
		if m.from == account || m.to == account {
			list = append(list, Transfer{m.Asset, direction(m.from, m.to, account), m.from, m.to, m.units})
		}
	}
	return list
}

func allowances(f node.Found, account evm.Address) (list []Transfer) {
	for _, l := range f.Receipt.Logs {
		if a, ok := allowanceOf(l); ok && a.owner == account {
			list = append(list, Transfer{a.Asset, Out, a.owner, a.spender, a.units})
		}
	}
	return list
}

// nothing is the transfer of a transaction that moved nothing: no native currency.
func nothing(f node.Found, account evm.Address) Transfer {
	to := recipient(f)
	return Transfer{Asset{Standard: Native}, direction(f.Transaction.From, to, account), f.Transaction.From, to, new(big.Int)}
}

// recipient is whom the transaction reached: the contract it created, where it did.
func recipient(f node.Found) evm.Address {
	switch {
	case f.Transaction.To != nil:
		return *f.Transaction.To
	case f.Receipt.Created != nil:
		return *f.Receipt.Created
	default:
		return evm.Address{}
	}
}

// intended is what a transaction that failed was meant to be, as its call data says.
func intended(t node.Transaction) Operation {
	switch {
	case t.To == nil:
		return Deploy
	case len(t.Input) == 0, bytes.HasPrefix(t.Input, transferCall):
		return Send
	case bytes.HasPrefix(t.Input, approveCall):
		return Approve
	default:
		return Execute
	}
}

// operation names what a transaction that moved something was.
func operation(list []Transfer, own, creates bool) Operation {
	in, out := only(list, In), only(list, Out)
	zero := evm.Address{}
	fromZero := func(t Transfer) bool { return t.From == zero }
	toZero := func(t Transfer) bool { return t.To == zero }
	switch {
	case own && creates:
		return Deploy
	case len(in) > 0 && allOf(in, fromZero) && (len(out) == 0 || paidMint(in, out)):
		return Mint
	case differ(in, out):
		return Trade
	case len(in) == 0 && len(out) > 0 && allOf(out, toZero):
		return Burn
	case len(in) == 0, own && len(out) > 0:
		return Send
	default:
		return Receive
	}
}

// paidMint tells an NFT that is made for native currency from a trade.
func paidMint(in, out []Transfer) bool {
	return !anyOf(in, func(t Transfer) bool { return t.Standard.Fungible() }) &&
		allOf(out, func(t Transfer) bool { return t.Standard == Native })
}

// differ reports whether one asset went out and another came in.
func differ(in, out []Transfer) bool {
	return anyOf(in, func(i Transfer) bool {
		return anyOf(out, func(o Transfer) bool { return i.Asset != o.Asset })
	})
}

// worthShowing is false for what a stranger can have told in the account's name: zero units.
func worthShowing(t Transfer) bool { return t.Units.Sign() > 0 }

func direction(from, to, account evm.Address) Direction {
	switch account {
	case from:
		if to == account {
			return Self
		}
		return Out
	default:
		return In
	}
}

func only(list []Transfer, d Direction) (some []Transfer) {
	for _, t := range list {
		if t.Direction == d {
			some = append(some, t)
		}
	}
	return some
}

func anyOf(list []Transfer, is func(Transfer) bool) bool {
	for _, t := range list {
		if is(t) {
			return true
		}
	}
	return false
}

func allOf(list []Transfer, is func(Transfer) bool) bool {
	return !anyOf(list, func(t Transfer) bool { return !is(t) })
}
