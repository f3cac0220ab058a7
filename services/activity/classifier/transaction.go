package classifier

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// maxHits bounds the moves and allowances of the accounts in the logs of one transaction. Of more, the first ones are kept.
const maxHits = 20_000

// transaction is a transaction whose logs and calldata are decoded once, for all accounts that they name.
type transaction struct {
	node.Found
	shares map[evm.Address]*share
	// operations are the user operations in the calldata; nil unless one of an account has a result.
	operations []calls.Operation
	// ends has the sender whose result ends each part of the logs: every result of a user operation ends one, and the beginning of
	// execution does, with the zero address.
	ends []evm.Address
	hits int
}

// share is what a transaction has of one account.
type share struct {
	// native are moves of the native token, tokens those of other assets.
	native, tokens []move
	allowances     []allowance
	// results are those of the user operations that the account sent.
	results []node.OperationResult
	// parts are those of the logs, ascending, in which a token's log names the account.
	parts []int
}

// decode finds what a transaction has of each of the accounts, in a set.
func decode(f node.Found, accounts node.Accounts) *transaction {
	t := &transaction{Found: f, shares: map[evm.Address]*share{}}
	of := func(a evm.Address) *share {
		if !accounts.Has(a) {
			return nil
		}
		s := t.shares[a]
		if s == nil {
			s = &share{}
			t.shares[a] = s
		}
		return s
	}
	of(f.Transaction.From)
	if !f.Receipt.Succeeded {
		return t
	}
	isLogged := false
	for i, l := range f.Receipt.Logs {
		if l.Contract == nativeLogs {
			isLogged = t.addNative(l, of) || isLogged
		} else {
			t.addToken(l, of)
		}
		t.addAllowance(i, l, of)
	}
	if own, ok := ownMove(f); ok {
		t.addOwn(own, of)
	}
	if !isLogged {
		t.addInner(of)
	}
	return t
}

// addNative adds a move of the native token that the chain logs, and reports whether the log is one.
func (t *transaction) addNative(l node.Log, of func(evm.Address) *share) bool {
	from, to, ok := parties(l)
	if !ok || !isNativeMove(l) {
		return false
	}
	if t.hits >= maxHits {
		return true
	}
	if from, to := of(from), of(to); from != nil || to != nil {
		for _, m := range moves(l) {
			t.add(m, from, to, func(s *share) *[]move { return &s.native })
		}
	}
	return true
}

// addToken adds the moves of a token's log, or the result of a user operation.
func (t *transaction) addToken(l node.Log, of func(evm.Address) *share) {
	if r, ok := node.ResultOf(l); ok {
		if s := of(r.Sender); s != nil {
			s.results = append(s.results, r)
			if t.operations == nil {
				t.operations = calls.Operations(t.Transaction.To, t.Transaction.Input)
			}
		}
		t.ends = append(t.ends, r.Sender)
		return
	}
	if beginsExecution(l) {
		t.ends = append(t.ends, evm.Address{})
		return
	}
	from, to, ok := parties(l)
	if !ok || t.hits >= maxHits {
		return
	}
	if from, to := of(from), of(to); from != nil || to != nil {
		for _, m := range moves(l) {
			t.add(m, from, to, func(s *share) *[]move { return &s.tokens })
			t.name(from)
			t.name(to)
		}
	}
}

// addAllowance adds the allowance of the log at a position.
func (t *transaction) addAllowance(position int, l node.Log, of func(evm.Address) *share) {
	owner, ok := approver(l)
	if !ok || t.hits >= maxHits {
		return
	}
	s := of(owner)
	if s == nil {
		return
	}
	if a, ok := allowanceOf(l); ok {
		a.position = position
		s.allowances = append(s.allowances, a)
		t.hits++
		if l.Contract != nativeLogs {
			t.name(s)
		}
	}
}

// addOwn adds the transfer of the transaction's own value before all others, unless it is logged.
func (t *transaction) addOwn(own move, of func(evm.Address) *share) {
	from, to := of(own.from), of(own.to)
	for i, s := range []*share{from, to} {
		if s != nil && (i == 0 || s != from) && !slices.ContainsFunc(s.native, own.equal) {
			s.native = slices.Insert(s.native, 0, own)
		}
	}
}

// addInner adds the moves of calls in the calldata. The account's own calldata is what it signed. That of another account is a claim until a
// balance confirms it.
func (t *transaction) addInner(of func(evm.Address) *share) {
	for _, m := range t.Inner {
		from, to := of(m.From), of(m.To)
		if !m.Confirmed && to != from {
			to = nil
		}
		inner := move{index.Asset{Standard: index.Native}, m.From, m.To, m.Value}
		t.add(inner, from, to, func(s *share) *[]move { return &s.native })
	}
}

// add adds a move to a list of the shares of both sides. A share is nil if the side is another account.
func (t *transaction) add(m move, from, to *share, list func(*share) *[]move) {
	if from != nil {
		*list(from) = append(*list(from), m)
		t.hits++
	}
	if to != nil && to != from {
		*list(to) = append(*list(to), m)
		t.hits++
	}
}

// name records that a log in the current part names an account.
func (t *transaction) name(s *share) {
	part := len(t.ends)
	if s != nil && (len(s.parts) == 0 || s.parts[len(s.parts)-1] != part) {
		s.parts = append(s.parts, part)
	}
}

// isShared reports whether a log that names the account is in a part that ends with anything but a result of the account.
func (t *transaction) isShared(account evm.Address) bool {
	return slices.ContainsFunc(t.shares[account].parts, func(part int) bool {
		return part == len(t.ends) || t.ends[part] != account
	})
}

// operated returns what the user operations of an account did, and false if the transaction has none.
func (t *transaction) operated(account evm.Address) (operations, bool) {
	results := t.shares[account].results
	if len(results) == 0 {
		return operations{}, false
	}
	o := operations{failed: true, intended: index.Execute, shared: t.isShared(account)}
	for _, r := range results {
		o.failed = o.failed && !r.Succeeded
		if paid := r.PaidBySender(); paid.Sign() > 0 {
			o.fee = new(big.Int).Add(paid, orZero(o.fee))
		}
	}
	last := results[len(results)-1]
	o.nonce = new(big.Int).And(last.Nonce, sequence).Uint64()
	to := last.EntryPoint
	for _, op := range t.operations {
		if op.Sender == account && len(op.Transfers) > 0 {
			o.intended, to = index.Send, op.Transfers[0].To
			break
		}
	}
	o.empty = index.Transfer{Asset: index.Asset{Standard: index.Native}, Direction: direction(account, to, account), From: account, To: to, Units: new(big.Int)}
	return o, true
}
