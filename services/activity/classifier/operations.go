package classifier

import (
	"math"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

// sequence masks a nonce's key, and the bit that no database has in an integer.
var sequence = big.NewInt(math.MaxInt64)

// operations is what the user operations of one account in a transaction did.
type operations struct {
	// failed is set if all of them failed.
	failed bool
	// fee is what the account paid for gas, in wei; nil if paymasters paid.
	fee *big.Int
	// shared is set if logs of other operations name the account too: what they state is not trusted.
	shared bool
	// nonce is that of the last one, without its key (ERC-4337).
	nonce uint64
	// intended is the operation of one that failed, and empty its transfer of nothing.
	intended index.Operation
	empty    index.Transfer
}

// operationsOf returns what the user operations of an account did, and false if the transaction has none.
func operationsOf(f node.Found, account evm.Address) (o operations, found bool) {
	o = operations{failed: true, intended: index.Execute}
	var named bool
	to := recipient(f)
	for _, l := range f.Receipt.Logs {
		r, isResult := node.ResultOf(l)
		switch {
		case isResult && r.Sender == account:
			found, named = true, false
			o.failed = o.failed && !r.Succeeded
			o.nonce = new(big.Int).And(r.Nonce, sequence).Uint64()
			to = r.EntryPoint
			if paid := r.PaidBySender(); paid.Sign() > 0 {
				o.fee = new(big.Int).Add(paid, orZero(o.fee))
			}
		case isResult, beginsExecution(l):
			o.shared, named = o.shared || named, false
		default:
			named = named || names(l, account)
		}
	}
	o.shared = o.shared || named
	for _, op := range calls.Operations(f.Transaction.To, f.Transaction.Input) {
		if op.Sender == account && len(op.Transfers) > 0 {
			o.intended, to = index.Send, op.Transfers[0].To
			break
		}
	}
	o.empty = index.Transfer{Asset: index.Asset{Standard: index.Native}, Direction: direction(account, to, account), From: account, To: to, Units: new(big.Int)}
	return o, found
}

// beginsExecution reports whether a log ends the validation of all operations.
func beginsExecution(l node.Log) bool {
	return calls.IsEntryPoint(l.Contract) && len(l.Topics) > 0 && l.Topics[0] == userop.BeforeExecution
}

// names reports whether a token's log names the account.
func names(l node.Log, account evm.Address) bool {
	if l.Contract == nativeLogs {
		return false
	}
	for _, m := range moves(l) {
		if m.from == account || m.to == account {
			return true
		}
	}
	a, ok := allowanceOf(l)
	return ok && a.owner == account
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}
