package node

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Inner is a transfer of native tokens by a call inside a transaction.
type Inner struct {
	calls.Transfer
	// Confirmed is set if a node traced the call, or the recipient's balance rose accordingly. The calldata of an account with other code than usual may look like a transfer
	// that the account does not make.
	Confirmed bool
}

// involves reports whether a transaction names one of the accounts in its envelope, or in calldata that is decoded.
func involves(t Transaction, accounts Accounts) bool {
	if accounts.Has(t.From) || t.To != nil && accounts.Has(*t.To) {
		return true
	}
	names := func(list []calls.Transfer) bool {
		for _, m := range list {
			if accounts.Has(m.To) {
				return true
			}
		}
		return false
	}
	for _, o := range calls.Operations(t.To, t.Input) {
		if accounts.Has(o.Sender) || names(o.Transfers) {
			return true
		}
	}
	return t.callsItself() && names(calls.Batch(t.From, t.Input))
}

// callsItself reports whether the sender calls itself, as an account does that has code (EIP-7702).
func (t Transaction) callsItself() bool { return t.To != nil && *t.To == t.From && len(t.Input) > 0 }

// decoded returns the transfers in the calldata of a transaction: of the user operations that succeeded, or of the sender's own batch.
func decoded(f Found) (list []Inner) {
	t := f.Transaction
	if !f.Receipt.Succeeded {
		return nil
	}
	var all []calls.Transfer
	if t.callsItself() {
		all = calls.Batch(t.From, t.Input)
	}
	operations := calls.Operations(t.To, t.Input)
	if len(operations) > 0 {
		type key struct {
			sender evm.Address
			nonce  string
		}
		succeeded := map[key]bool{}
		for _, l := range f.Receipt.Logs {
			if r, ok := ResultOf(l); ok && r.EntryPoint == *t.To && r.Succeeded {
				succeeded[key{r.Sender, r.Nonce.String()}] = true
			}
		}
		for _, o := range operations {
			if succeeded[key{o.Sender, o.Nonce.String()}] {
				all = append(all, o.Transfers...)
			}
		}
	}
	for _, m := range all {
		list = append(list, Inner{Transfer: m})
	}
	return list
}

// place is an account in a block.
type place struct {
	block   Hash
	account evm.Address
}

// confirm compares what accounts received by calldata with how their balances changed in the block. found has all transactions of its blocks that the
// accounts sent or received. Transfers stay unconfirmed where a node does not have the balances of the block any more.
func (r *Reader) confirm(ctx context.Context, chainID string, found []Found, accounts Accounts) error {
	parents := map[place]Hash{}
	for _, f := range found {
		for _, m := range f.Inner {
			if accounts.Has(m.To) && m.To != m.From && !m.Confirmed {
				parents[place{f.Header.Hash, m.To}] = f.Header.Parent
			}
		}
	}
	if len(parents) == 0 {
		return nil
	}
	var places []place
	var reads []chainclient.Call
	for p, parent := range parents {
		places = append(places, p)
		reads = append(reads, balanceAt(p.account, parent), balanceAt(p.account, p.block))
	}
	results, err := r.connect(chainID).Batch(ctx, reads...)
	if err != nil {
		return err
	}
	confirmed := map[place]bool{}
	for i, p := range places {
		before, err := results[2*i].Quantity()
		after, errAfter := results[2*i+1].Quantity()
		if err == nil && errAfter == nil {
			rise := new(big.Int).Sub(after, before)
			confirmed[p] = rise.Cmp(expectedRise(found, p)) >= 0
		}
	}
	for i, f := range found {
		for j, m := range f.Inner {
			found[i].Inner[j].Confirmed = m.Confirmed || confirmed[place{f.Header.Hash, m.To}]
		}
	}
	return nil
}

func balanceAt(account evm.Address, block Hash) chainclient.Call {
	return chainclient.Call{Method: "eth_getBalance", Params: []any{account.String(), map[string]string{"blockHash": block.String()}}}
}

// expectedRise returns how much the balance of an account rose in a block by the transactions of the block, in wei.
func expectedRise(found []Found, p place) *big.Int {
	sum := new(big.Int)
	move := func(from, to evm.Address, value *big.Int) {
		if from == p.account {
			sum.Sub(sum, value)
		}
		if to == p.account {
			sum.Add(sum, value)
		}
	}
	for _, f := range found {
		if f.Header.Hash != p.block {
			continue
		}
		t := f.Transaction
		if t.From == p.account && f.Receipt.Fee != nil {
			sum.Sub(sum, f.Receipt.Fee)
		}
		if f.Receipt.Succeeded && t.To != nil {
			move(t.From, *t.To, t.Value)
		}
		for _, m := range f.Inner {
			move(m.From, m.To, m.Value)
		}
	}
	return sum
}
