package preview

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

// Severity orders warnings.
type Severity int

// The severities, the least first.
const (
	Notice Severity = iota + 1
	Caution
	Danger
)

// WarningKind is what a warning is about. Its values are those of the API.
type WarningKind int

// The kinds of warnings.
const (
	Drains WarningKind = iota + 1
	UnlimitedApproval
	ApprovalForAll
	SignedApproval
	Delegation
	UnknownCode
	Upgrade
	Ownership
	HiddenTransfer
	Imitation
	Blind
	OtherSite
	OtherChain
	RevertsWarning
	NotSimulatedWarning
	SpenderNotContract
	UnknownFunction
	Order
)

// Warning is one thing to know.
type Warning struct {
	Kind     WarningKind
	Severity Severity
	Text     string
	// Subject is the contract or account that it is about; the zero address for none.
	Subject evm.Address
}

// list collects warnings, each kind once for a subject.
type list []Warning

func (l *list) add(kind WarningKind, severity Severity, subject evm.Address, format string, args ...any) {
	if !slices.ContainsFunc(*l, func(w Warning) bool { return w.Kind == kind && w.Subject == subject }) {
		*l = append(*l, Warning{kind, severity, fmt.Sprintf(format, args...), subject})
	}
}

// warnings returns what the user should know, the most severe first.
func (p *Previewer) warnings(r Request, v Preview, stated effect.Effects, known bool, f facts) []Warning {
	var l list
	l.changes(v, stated, f)
	p.approvals(&l, r, v.Effects.Approvals, f)
	for _, c := range v.Effects.Controls {
		if c.Upgrade {
			l.add(Upgrade, Danger, c.Contract, "The code of this contract would be replaced by code at %s.", c.To)
		} else {
			l.add(Ownership, Danger, c.Contract, "This contract would belong to %s.", c.To)
		}
	}
	if r.Delegate != nil && *r.Delegate != (evm.Address{}) && !p.isKnownDelegate(r.ChainID, *r.Delegate) {
		l.add(UnknownCode, Danger, *r.Delegate, "Your account would run code that is not known. It could take all that you own.")
	}
	for a, t := range v.Tokens {
		if p.imitation(r.ChainID, t) {
			l.add(Imitation, Caution, a, "This token imitates another one or advertises a site. It may be worthless.")
		}
	}
	switch v.Outcome {
	case Reverts:
		l.add(RevertsWarning, Caution, evm.Address{}, "This would fail, and cost its fee.")
	case NotSimulated:
		l.add(NotSimulatedWarning, Caution, evm.Address{}, "This could not be simulated. It may do more than is shown.")
		if !known {
			l.add(UnknownFunction, Caution, evm.Address{}, "What this calls is not known.")
		}
	}
	if r.Statement != nil {
		l.statement(r, *r.Statement)
	}
	slices.SortStableFunc(l, func(a, b Warning) int { return int(b.Severity) - int(a.Severity) })
	return l
}

// changes warns of assets that leave.
func (l *list) changes(v Preview, stated effect.Effects, f facts) {
	if slices.ContainsFunc(v.Effects.Changes, func(c effect.Change) bool {
		return !c.Outgoing && (c.Asset.Kind == effect.Native || f.tokens[c.Asset.Contract].Listed)
	}) {
		return // a trade
	}
	for _, c := range v.Effects.Changes {
		if !c.Outgoing {
			continue
		}
		balance := f.native
		if c.Asset.Kind != effect.Native {
			balance = f.tokens[c.Asset.Contract].Balance
		}
		isFungible := c.Asset.Kind == effect.Native || c.Asset.Kind == effect.ERC20
		if isFungible && balance != nil && isNearlyAll(c.Amount, balance) {
			l.add(Drains, Danger, c.Asset.Contract, "Nearly all that you have of this would go to %s, for nothing.", nameOf(c.Other))
		}
		said := slices.ContainsFunc(stated.Changes, func(k effect.Change) bool {
			return k.Outgoing && k.Other == c.Other && k.Asset.Kind == c.Asset.Kind && k.Asset.Contract == c.Asset.Contract && k.Amount.Cmp(c.Amount) >= 0
		})
		if !said {
			l.add(HiddenTransfer, Danger, c.Asset.Contract, "More would leave your account than the request says: it would go to %s.", nameOf(c.Other))
		}
	}
}

// nameOf returns an address in a text; the zero address stands for an account that is not known.
func nameOf(a evm.Address) string {
	if a == (evm.Address{}) {
		return "an account that is not known"
	}
	return a.String()
}

// isNearlyAll reports whether an amount is at least nine tenths of a balance.
func isNearlyAll(amount, balance *big.Int) bool {
	return new(big.Int).Mul(amount, big.NewInt(10)).Cmp(new(big.Int).Mul(balance, big.NewInt(9))) >= 0
}

// approvals warns of rights to take tokens.
func (p *Previewer) approvals(l *list, r Request, approvals []effect.Approval, f facts) {
	for _, a := range approvals {
		if a.Revoked {
			continue
		}
		_, isKnown := p.names.Name(r.ChainID, a.Spender)
		severity := Danger
		if isKnown {
			severity = Caution
		}
		switch {
		case a.Asset.Kind == effect.ERC721 && a.Amount == nil:
			l.add(ApprovalForAll, severity, a.Spender, "%s could take every token of this collection, at any time.", a.Spender)
		case a.Amount == nil:
			l.add(UnlimitedApproval, severity, a.Spender, "%s could take all that you have of this token, at any time.", a.Spender)
		}
		if r.Statement != nil && len(r.Statement.Approvals) > 0 {
			l.add(SignedApproval, severity, a.Spender, "This signature alone lets %s take tokens. No transaction of yours is needed.", a.Spender)
		}
		if hasCode, read := f.code[a.Spender]; read && !hasCode && !isKnown {
			l.add(SpenderNotContract, Danger, a.Spender, "%s is an account of a person, not a contract.", a.Spender)
		}
	}
}

// isKnownDelegate reports whether the operator, or the local chain, names the code of an account.
func (p *Previewer) isKnownDelegate(chainID string, code evm.Address) bool {
	chain, ok := p.local.Describe().Chain(chainID)
	return slices.Contains(p.delegates, code) || ok && chain.SmartAccounts != nil && chain.SmartAccounts.Delegate == code
}

// statement warns of typed data and messages.
func (l *list) statement(r Request, s statement.Statement) {
	switch s.Kind {
	case statement.Delegation:
		severity := Danger
		if s.Limited {
			severity = Caution
		}
		var to evm.Address
		if s.Delegate != nil {
			to = *s.Delegate
		}
		l.add(Delegation, severity, to, "%s could act for your account.", to)
	case statement.Operation:
		l.add(Delegation, Danger, r.Account, "This signature lets anyone send these calls for your account.")
	case statement.Order:
		severity := Caution
		if !s.Proceeds {
			severity = Danger
		}
		l.add(Order, severity, evm.Address{}, "This offers what you own for sale. Check what you would receive.")
	case statement.SignIn:
		if r.Host != "" && s.Domain != r.Host {
			l.add(OtherSite, Danger, evm.Address{}, "This signs in at %s, which is not the site that requests it.", s.Domain)
		}
	case statement.Bytes:
		l.add(Blind, Danger, evm.Address{}, "What this signs cannot be shown. It could be anything.")
	}
	if s.ChainID != nil && s.ChainID.Cmp(r.Number) != 0 {
		l.add(OtherChain, Caution, evm.Address{}, "This is for another network, with the chain id %s.", s.ChainID)
	}
}
