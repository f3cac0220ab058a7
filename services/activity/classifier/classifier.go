// Package classifier turns transactions into rows of an account's history.
package classifier

import (
	"bytes"
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// transfersPerRow bounds a row. Of a transaction with more transfers the first ones are kept.
const transfersPerRow = 256

var (
	approveCall  = evm.Selector("approve(address,uint256)")
	transferCall = evm.Selector("transfer(address,uint256)")
)

// Rows returns the rows of transactions for each of the accounts, in the order of the addresses. Its cost grows with the logs and with what names an account,
// but not with the number of accounts. It fails if ctx ends.
func Rows(ctx context.Context, found []node.Found, chainID string, accounts []evm.Address) (rows []index.Row, err error) {
	followed := node.AccountsOf(accounts)
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := decode(f, followed)
		named := slices.SortedFunc(maps.Keys(t.shares), func(a, b evm.Address) int { return bytes.Compare(a[:], b[:]) })
		for _, address := range named {
			if row, ok := t.row(index.Account{ChainID: chainID, Address: address}); ok {
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// row returns the row of the transaction for an account that it names. It returns false for a failed transaction of another account,
// and for transfers of zero units "from" the account in a transaction of another account: anyone can emit such
// transfers, to make users copy a similar address from their history.
func (t *transaction) row(account index.Account) (index.Row, bool) {
	row := index.Row{
		Account:   account,
		Place:     index.Place{Time: t.Header.Time, ChainID: account.ChainID, Block: t.Header.Number, Index: t.Transaction.Index},
		Hash:      t.Transaction.Hash,
		BlockHash: t.Header.Hash,
		Detail:    index.Detail{Failed: !t.Receipt.Succeeded, From: t.Transaction.From, To: t.Transaction.To, Nonce: t.Transaction.Nonce},
	}
	own, creates := t.Transaction.From == account.Address, false
	if own {
		creates = t.Transaction.To == nil
		row.Fee = t.Receipt.Fee
	}
	empty := emptyTransfer(t.Found, account.Address)
	if row.Failed {
		row.Operation = intended(t.Transaction)
		row.Transfers = []index.Transfer{empty}
		return row, own
	}
	for _, a := range t.shares[account.Address].allowances {
		row.Approvals = append(row.Approvals, a.approval())
	}
	o, operated := t.operated(account.Address)
	row.Transfers = t.transfers(account.Address, operated)
	if operated && !own {
		own, empty = true, o.empty
		row.Fee = o.fee
		row.Failed = o.failed && len(row.Transfers) == 0
		if row.Failed || !o.shared {
			row.From, row.Nonce = account.Address, o.nonce
		}
		if row.Failed {
			row.Operation, row.Transfers = o.intended, []index.Transfer{empty}
			return row, true
		}
	}
	allowances := t.allowances(account.Address)
	switch {
	case len(row.Transfers) > 0 && (own || slices.ContainsFunc(row.Transfers, HasUnits)):
		row.Operation = Operation(row.Transfers, own, creates)
	case len(allowances) > 0:
		row.Operation, row.Transfers = index.Approve, allowances
	case own:
		row.Operation, row.Transfers = index.Execute, []index.Transfer{empty}
		if creates {
			row.Operation = index.Deploy
		}
	default:
		return index.Row{}, false
	}
	row.Transfers = row.Transfers[:min(len(row.Transfers), transfersPerRow)]
	return row, true
}

// transfers lists the transfers to or from the account.
func (t *transaction) transfers(account evm.Address, operated bool) (list []index.Transfer) {
	s := t.shares[account]
	native := withoutReturns(s.native, account, t.Transaction.From == account, operated)
	for _, m := range slices.Concat(native, s.tokens) {
		list = append(list, index.Transfer{Asset: m.Asset, Direction: direction(m.from, m.to, account), From: m.from, To: m.to, Units: m.units})
	}
	return list
}

// ownMove returns the transfer of the transaction's own value, which chains with EIP-7708 log too.
func ownMove(f node.Found) (move, bool) {
	t := f.Transaction
	return move{index.Asset{Standard: index.Native}, t.From, recipient(f), t.Value}, t.Value.Sign() != 0
}

// allowances lists the allowances that the account gave.
func (t *transaction) allowances(account evm.Address) (list []index.Transfer) {
	for _, a := range t.shares[account].allowances {
		list = append(list, index.Transfer{Asset: a.Asset, Direction: index.Out, From: a.owner, To: a.spender, Units: a.units})
	}
	return list
}

// emptyTransfer is the transfer of a transaction without any: zero native tokens.
func emptyTransfer(f node.Found, account evm.Address) index.Transfer {
	from, to := f.Transaction.From, recipient(f)
	return index.Transfer{Asset: index.Asset{Standard: index.Native}, Direction: direction(from, to, account), From: from, To: to, Units: new(big.Int)}
}

// recipient returns the transaction's recipient, or the contract that it created.
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

// intended returns the operation of a failed transaction by its calldata.
func intended(t node.Transaction) index.Operation {
	switch {
	case t.To == nil:
		return index.Deploy
	case len(t.Input) == 0, bytes.HasPrefix(t.Input, transferCall):
		return index.Send
	case bytes.HasPrefix(t.Input, approveCall):
		return index.Approve
	default:
		return index.Execute
	}
}

// Operation returns the operation of a transaction with these transfers. own is set if the account sent it, creates if it created a contract.
func Operation(list []index.Transfer, own, creates bool) index.Operation {
	in, out := only(list, index.In), only(list, index.Out)
	zero := evm.Address{}
	fromZero := func(t index.Transfer) bool { return t.From == zero }
	toZero := func(t index.Transfer) bool { return t.To == zero }
	switch {
	case own && creates:
		return index.Deploy
	case len(in) > 0 && all(in, fromZero) && (len(out) == 0 || isPaidMint(in, out)):
		return index.Mint
	case differ(in, out):
		return index.Trade
	case len(in) == 0 && len(out) > 0 && all(out, toZero):
		return index.Burn
	case len(in) == 0, own && len(out) > 0:
		return index.Send
	default:
		return index.Receive
	}
}

// isPaidMint distinguishes NFTs that are minted for native tokens from a trade.
func isPaidMint(in, out []index.Transfer) bool {
	return all(in, func(t index.Transfer) bool { return !t.Standard.Fungible() }) &&
		all(out, func(t index.Transfer) bool { return t.Standard == index.Native })
}

// differ reports whether one asset went out and another came in.
func differ(in, out []index.Transfer) bool {
	return slices.ContainsFunc(in, func(i index.Transfer) bool {
		return slices.ContainsFunc(out, func(o index.Transfer) bool { return i.Asset != o.Asset })
	})
}

// HasUnits reports whether a transfer moves anything. Most tokens let anyone transfer zero units of any account.
func HasUnits(t index.Transfer) bool { return t.Units.Sign() > 0 }

func direction(from, to, account evm.Address) index.Direction {
	switch account {
	case from:
		if to == account {
			return index.Self
		}
		return index.Out
	default:
		return index.In
	}
}

func only(list []index.Transfer, d index.Direction) (some []index.Transfer) {
	for _, t := range list {
		if t.Direction == d {
			some = append(some, t)
		}
	}
	return some
}

func all(list []index.Transfer, is func(index.Transfer) bool) bool {
	return !slices.ContainsFunc(list, func(t index.Transfer) bool { return !is(t) })
}
