package preview

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/statement"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

// nativeDecimals is the number of decimals of the native tokens of EVM chains.
const nativeDecimals = 18

// list collects warnings of contracts and accounts of EVM chains.
type list struct{ warning.List }

// add adds a warning; the zero address means no subject.
func (l *list) add(kind warning.Kind, severity warning.Severity, subject evm.Address, phrase warning.Phrase, value string) {
	l.Add(kind, severity, subjectOf(subject), phrase, value)
}

func subjectOf(a evm.Address) string {
	if a == (evm.Address{}) {
		return ""
	}
	return a.Hex()
}

// textOf returns an address as text; empty for one that is not known.
func textOf(a *evm.Address) string {
	if a == nil {
		return ""
	}
	return a.Hex()
}

// warnings returns the warnings, the most severe first.
func (p *Previewer) warnings(r Request, v Preview, stated effect.Effects, known bool, f facts) []warning.Warning {
	var l list
	if v.BehavesDifferently {
		l.add(warning.Unstable, warning.Danger, evm.Address{}, warning.BehavesDifferently, "")
	}
	if v.Effects.IsCut {
		l.add(warning.NotSimulated, warning.Danger, evm.Address{}, warning.TooMuch, "")
	}
	if f.isMisdescribed {
		l.add(warning.Misdescribed, warning.Caution, evm.Address{}, warning.OtherThanDescribed, "")
	}
	l.changes(r, v, stated, f)
	p.approvals(&l, r, v.Effects, f)
	p.rights(&l, r, v.Effects)
	for _, c := range v.Effects.Controls {
		if c.Upgrade {
			l.add(warning.Upgrade, warning.Danger, c.Contract, warning.CodeReplaced, c.To.Hex())
		} else {
			l.add(warning.Ownership, warning.Danger, c.Contract, warning.ContractGiven, c.To.Hex())
		}
	}
	if r.Delegate != nil && *r.Delegate != (evm.Address{}) && !p.isKnownDelegate(r.ChainID, *r.Delegate) {
		l.add(warning.UnknownCode, warning.Danger, *r.Delegate, warning.CodeUnknown, "")
	}
	names := p.listedNames(r.ChainID)
	for a, t := range v.Tokens {
		if isImitation(names, t) {
			l.add(warning.Imitation, warning.Caution, a, warning.TokenImitates, "")
		}
	}
	l.atRisk(r, f)
	l.outcome(v.Outcome, known, f)
	if r.Statement != nil {
		l.statement(r, *r.Statement, f)
	}
	l.Sort()
	return l.List
}

// outcome adds warnings of calls that fail or could not be simulated. What a contract that is in no list refuses now it may do later.
func (l *list) outcome(o Outcome, known bool, f facts) {
	switch o {
	case Reverts:
		phrase := warning.WouldFail
		if len(f.unlisted) > 0 {
			phrase = warning.MayDoOtherwise
		}
		l.add(warning.Reverts, warning.Caution, evm.Address{}, phrase, "")
	case NotSimulated:
		l.add(warning.NotSimulated, warning.Caution, evm.Address{}, warning.MayDoMore, "")
		if !known {
			l.add(warning.UnknownFunction, warning.Caution, evm.Address{}, warning.CallUnknown, "")
		}
	}
}

// atRisk adds a warning of the native token that contracts in no list receive, whatever they give back.
func (l *list) atRisk(r Request, f facts) {
	sum, first := new(big.Int), evm.Address{}
	for _, c := range r.Calls {
		var to evm.Address
		if c.To != nil {
			to = *c.To
		}
		if c.Value.Sign() > 0 && slices.Contains(f.unlisted, to) {
			if sum.Sign() == 0 {
				first = to
			}
			sum.Add(sum, c.Value)
		}
	}
	if sum.Sign() > 0 {
		l.add(warning.ValueAtRisk, warning.Caution, first, warning.MayKeep, strings.TrimSpace(whole(sum, nativeDecimals)+" "+f.symbol))
	}
}

// whole returns an amount in base units as whole units, with as many decimal places as it has.
func whole(amount *big.Int, decimals int) string {
	text := new(big.Rat).SetFrac(amount, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)).FloatString(decimals)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// changes adds warnings of assets that leave the account.
func (l *list) changes(r Request, v Preview, stated effect.Effects, f facts) {
	t := f.tradeOf(v.Effects.Changes)
	phrase := warning.NearlyAll
	switch {
	case t.gains:
		phrase = warning.NearlyAllTraded
	case t.promises:
		phrase = warning.NotGuaranteed
	}
	// A flow of any token with an id stands for all of its contract.
	flows := map[effect.Asset]flow{}
	for _, o := range t.flows {
		flows[effect.Asset{Kind: o.asset.Kind, Contract: o.asset.Contract}] = o
		if !f.isNearlyAll(o) {
			continue
		}
		switch f.worthOf(o, t) {
		case warning.Nothing:
			if f.isDeposit(o) {
				l.add(warning.Drains, warning.Caution, o.asset.Contract, warning.NotGuaranteed, subjectOf(o.to))
				continue
			}
			l.add(warning.Drains, warning.Danger, o.asset.Contract, phrase, subjectOf(o.to))
		case warning.Uncertain:
			l.add(warning.Drains, warning.Caution, o.asset.Contract, phrase, subjectOf(o.to))
		}
	}
	said := wordsOf(r.Calls)
	for _, c := range v.Effects.Changes {
		if !c.Outgoing || says(stated, c) {
			continue
		}
		o := flows[effect.Asset{Kind: c.Asset.Kind, Contract: c.Asset.Contract}]
		worth := f.worthOf(o, t)
		if worth == warning.Nothing && (f.isDeposit(o) || f.isPart(o) && f.names(r, c, said)) {
			worth = warning.Uncertain
		}
		l.AddHidden(worth, f.isNearlyAll(o), subjectOf(c.Asset.Contract), subjectOf(c.Other))
	}
}

// says reports whether the arguments of the calls have a change, together if there are several of them.
func says(stated effect.Effects, c effect.Change) bool {
	sum := new(big.Int)
	for _, k := range stated.Changes {
		if k.Outgoing && k.Other == c.Other && k.Asset.Kind == c.Asset.Kind && k.Asset.Contract == c.Asset.Contract {
			sum.Add(sum, k.Amount)
		}
	}
	return sum.Cmp(c.Amount) >= 0
}

// isPart reports whether a flow takes less than half of what the account has.
func (f facts) isPart(o flow) bool {
	balance := f.balance(o.asset)
	return balance != nil && new(big.Int).Lsh(o.amount, 1).Cmp(balance) < 0
}

// words are the arguments of calls, by the index of the call.
type words map[common.Hash][]int

func wordsOf(calls []simulation.Call) words {
	const selector = 4
	all := words{}
	for i, c := range calls {
		for at := selector; at+common.HashLength <= len(c.Data); at += common.HashLength {
			word := common.Hash(c.Data[at : at+common.HashLength])
			if in := all[word]; len(in) == 0 || in[len(in)-1] != i {
				all[word] = append(in, i)
			}
		}
	}
	return all
}

// names reports whether a call of an unknown function has the amount among its arguments, as a deposit has: a call of the receiver, or of a listed
// contract that is told the account, which a bridge credits.
func (f facts) names(r Request, c effect.Change, said words) bool {
	return slices.ContainsFunc(said[common.BigToHash(c.Amount)], func(i int) bool {
		to := r.Calls[i].To
		return to != nil && (*to == c.Other || !slices.Contains(f.unlisted, *to) && slices.Contains(said[common.BytesToHash(r.Account[:])], i))
	})
}

// approvals adds warnings of rights to take tokens.
func (p *Previewer) approvals(l *list, r Request, e effect.Effects, f facts) {
	for _, a := range e.Approvals {
		if a.Revoked {
			continue
		}
		trust := p.names.Spender(r.ChainID, a.Spender)
		severity := warning.Danger
		if trust == contracts.Trusted {
			severity = warning.Caution
		}
		left := f.remaining(a)
		isUsed := left != nil && left.Sign() == 0
		switch {
		case a.Asset.Kind == effect.ERC721 && a.Amount == nil:
			l.add(warning.ApprovalForAll, severity, a.Spender, warning.TakesCollection, a.Spender.Hex())
		case !isUsed && f.takesNearlyAll(a, left, e.Changes):
			l.add(warning.UnlimitedApproval, severity, a.Spender, warning.TakesAll, a.Spender.Hex())
		}
		if trust == contracts.Public && !isUsed {
			l.add(warning.SpenderPublic, warning.Danger, a.Spender, warning.AnyoneTakes, a.Spender.Hex())
		}
		isPayment := f.isPayment(a)
		if isPayment {
			severity = warning.Caution
		}
		if r.Statement != nil && len(r.Statement.Approvals) > 0 {
			l.add(warning.SignedApproval, severity, a.Spender, warning.SignatureTakes, a.Spender.Hex())
		}
		if isPayment {
			continue
		}
		if hasCode, read := f.code[a.Spender]; read && !hasCode && trust == contracts.Unknown {
			l.add(warning.SpenderNotContract, warning.Danger, a.Spender, warning.PersonNotContract, a.Spender.Hex())
		}
	}
	p.together(l, r, e, f)
}

// isPayment reports whether an approval is for one transfer of less than half of what the account has, as a signed payment is, which may be to a person.
func (f facts) isPayment(a effect.Approval) bool {
	return a.Once && a.Amount != nil && f.isPart(flow{asset: a.Asset, amount: a.Amount})
}

// together adds warnings of tokens that several untrusted spenders, and transfers for nothing, take nearly all of.
func (p *Previewer) together(l *list, r Request, e effect.Effects, f facts) {
	sums := map[evm.Address]*big.Int{}
	add := func(token evm.Address, amount *big.Int) {
		if sums[token] == nil {
			sums[token] = new(big.Int)
		}
		sums[token].Add(sums[token], amount)
	}
	t := f.tradeOf(e.Changes)
	for _, o := range t.flows {
		if o.asset.Kind == effect.ERC20 && f.worthOf(o, t) == warning.Nothing {
			add(o.asset.Contract, o.amount)
		}
	}
	var taken []effect.Approval
	for _, a := range e.Approvals {
		left := f.remaining(a)
		if !a.Revoked && a.Asset.Kind == effect.ERC20 && left != nil && left.Sign() > 0 && p.names.Spender(r.ChainID, a.Spender) != contracts.Trusted {
			add(a.Asset.Contract, left)
			taken = append(taken, a)
		}
	}
	for _, a := range taken {
		if f.takesNearlyAll(a, sums[a.Asset.Contract], e.Changes) {
			l.add(warning.UnlimitedApproval, warning.Danger, a.Spender, warning.TakesAll, a.Spender.Hex())
		}
	}
}

// remaining returns what an approval can still take after the calls, in base units; nil if it has no limit.
func (f facts) remaining(a effect.Approval) *big.Int {
	left, isRead := f.allowed[simulation.Allowance{Token: a.Asset.Contract, Spender: a.Spender}]
	if a.Asset.Kind != effect.ERC20 || a.Permit2 || !isRead || a.Amount != nil && a.Amount.Cmp(left) < 0 {
		return a.Amount
	}
	return effect.Limit(left)
}

// takesNearlyAll reports whether an amount of an approval, or one without a limit, is at least nine tenths of what the account has before or after the
// changes. An account without the token may get it later, so any amount is all of it.
func (f facts) takesNearlyAll(a effect.Approval, amount *big.Int, changes []effect.Change) bool {
	balance := f.balance(a.Asset)
	if amount == nil || balance == nil || a.Asset.Kind != effect.ERC20 {
		return true
	}
	after := new(big.Int).Set(balance)
	for _, c := range changes {
		switch {
		case !c.Asset.Same(a.Asset):
		case c.Outgoing:
			after.Sub(after, c.Amount)
		default:
			after.Add(after, c.Amount)
		}
	}
	most := balance
	if after.Cmp(most) > 0 {
		most = after
	}
	return isNearlyAll(amount, most)
}

// rights adds warnings of accounts that could act at a contract in the name of the account.
func (p *Previewer) rights(l *list, r Request, e effect.Effects) {
	for _, right := range e.Rights {
		if right.Revoked {
			continue
		}
		severity, phrase := warning.Danger, warning.ActsForAccount
		if p.names.Spender(r.ChainID, right.To) == contracts.Trusted {
			severity = warning.Caution
		}
		if right.Kind == effect.Borrows {
			phrase = warning.Borrows
		}
		l.add(warning.Delegation, severity, right.To, phrase, right.To.Hex())
	}
}

// bounding are the enforcers that bound what a delegate can do. Others bound when and how often, or who.
var bounding = []string{
	delegation.AllowedCalldata, delegation.AllowedMethods, delegation.AllowedTargets, delegation.ERC20Period, delegation.ExactCalldata, delegation.LogicalOr, delegation.NativePeriod,
}

// isLimited reports whether a delegation has a caveat of a known contract that bounds what the delegate can do.
func (p *Previewer) isLimited(chainID string, s statement.Statement) bool {
	known := delegation.Public.Enforcers
	if chain, ok := p.local.Describe().Chain(chainID); ok && chain.SmartAccounts != nil {
		known = chain.SmartAccounts.Enforcers
	}
	return slices.ContainsFunc(bounding, func(name string) bool {
		enforcer, isThere := known[name]
		return isThere && slices.Contains(s.Enforcers, enforcer)
	})
}

// isKnownDelegate reports whether the configuration, or the description of the local chain, contains the code to which
// an account delegates.
func (p *Previewer) isKnownDelegate(chainID string, code evm.Address) bool {
	chain, ok := p.local.Describe().Chain(chainID)
	return slices.Contains(p.delegates, code) || ok && chain.SmartAccounts != nil && chain.SmartAccounts.Delegate == code
}

// statement adds warnings of typed data and messages.
func (l *list) statement(r Request, s statement.Statement, f facts) {
	switch s.Kind {
	case statement.Delegation:
		severity := warning.Danger
		if f.isLimited {
			severity = warning.Caution
		}
		l.Add(warning.Delegation, severity, textOf(s.Delegate), warning.ActsForAccount, textOf(s.Delegate))
	case statement.Operation:
		if s.IsForeign {
			l.Add(warning.Delegation, warning.Danger, "", warning.OperationOfOther, textOf(s.Holder))
		} else {
			l.add(warning.Delegation, warning.Danger, r.holder(), warning.AnyoneSends, "")
		}
	case statement.Order:
		severity := warning.Caution
		if !s.Proceeds {
			severity = warning.Danger
		}
		l.add(warning.Order, severity, evm.Address{}, warning.OffersForSale, "")
	case statement.Elsewhere:
		severity := warning.Danger
		if s.Delegate != nil && *s.Delegate == r.Account {
			severity = warning.Caution
		}
		l.add(warning.TransferElsewhere, severity, evm.Address{}, warning.MovesElsewhere, textOf(s.Delegate))
	case statement.TypedData:
		if s.Blind {
			l.add(warning.Blind, warning.Danger, evm.Address{}, warning.CannotBeShown, "")
		} else if hasCode := s.Contract != nil && (f.code == nil || f.code[*s.Contract]); hasCode || s.Moves {
			l.add(warning.UnknownStatement, warning.Caution, evm.Address{}, warning.NotUnderstood, "")
		}
	}
	l.message(r.Host, s)
	if s.UnknownCode != nil {
		l.add(warning.UnknownCode, warning.Danger, *s.UnknownCode, warning.CodeUnknown, "")
	}
	if s.UnknownCall {
		l.add(warning.UnknownFunction, warning.Caution, evm.Address{}, warning.CallUnknown, "")
	}
	if s.ChainID != nil && s.ChainID.Cmp(r.Number) != 0 {
		l.add(warning.OtherChain, warning.Caution, evm.Address{}, warning.OtherNetwork, s.ChainID.String())
	}
}

// message adds warnings of a message that the page of a host requests; an empty host is that of no site.
func (l *list) message(host string, s statement.Statement) {
	switch s.Kind {
	case statement.SignIn:
		// A page without an origin, such as one in a sandbox, is no site.
		if !strings.EqualFold(s.Domain, host) {
			l.add(warning.OtherSite, warning.Danger, evm.Address{}, warning.SignsInElsewhere, s.Domain)
		}
	case statement.Bytes:
		l.add(warning.Blind, warning.Danger, evm.Address{}, warning.CannotBeShown, "")
	}
}
