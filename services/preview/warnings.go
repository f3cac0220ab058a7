package preview

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
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

// warnings returns the warnings, the most severe first.
func (p *Previewer) warnings(r Request, v Preview, stated effect.Effects, known bool, f facts) []warning.Warning {
	var l list
	l.changes(v, stated, f)
	p.approvals(&l, r, v.Effects.Approvals, f)
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
	for a, t := range v.Tokens {
		if p.imitation(r.ChainID, t) {
			l.add(warning.Imitation, warning.Caution, a, warning.TokenImitates, "")
		}
	}
	switch v.Outcome {
	case Reverts:
		l.add(warning.Reverts, warning.Caution, evm.Address{}, warning.WouldFail, "")
	case NotSimulated:
		l.add(warning.NotSimulated, warning.Caution, evm.Address{}, warning.MayDoMore, "")
		if !known {
			l.add(warning.UnknownFunction, warning.Caution, evm.Address{}, warning.CallUnknown, "")
		}
	}
	if r.Statement != nil {
		l.statement(r, *r.Statement)
	}
	l.Sort()
	return l.List
}

// changes adds warnings of assets that leave the account.
func (l *list) changes(v Preview, stated effect.Effects, f facts) {
	isTrade := slices.ContainsFunc(v.Effects.Changes, f.pays)
	for _, c := range v.Effects.Changes {
		if !c.Outgoing {
			continue
		}
		balance := f.native
		if c.Asset.Kind != effect.Native {
			balance = f.tokens[c.Asset.Contract].Balance
		}
		isFungible := c.Asset.Kind == effect.Native || c.Asset.Kind == effect.ERC20
		drains := isFungible && balance != nil && isNearlyAll(c.Amount, balance)
		if drains && !isTrade {
			l.add(warning.Drains, warning.Danger, c.Asset.Contract, warning.NearlyAll, subjectOf(c.Other))
		}
		said := slices.ContainsFunc(stated.Changes, func(k effect.Change) bool {
			return k.Outgoing && k.Other == c.Other && k.Asset.Kind == c.Asset.Kind && k.Asset.Contract == c.Asset.Contract && k.Amount.Cmp(c.Amount) >= 0
		})
		if !said {
			l.AddHidden(isTrade, drains, subjectOf(c.Asset.Contract), subjectOf(c.Other))
		}
	}
}

// pays reports whether a change adds more than dust of the native token or of a listed one.
func (f facts) pays(c effect.Change) bool {
	if c.Outgoing {
		return false
	}
	if c.Asset.Kind == effect.Native {
		return !warning.IsDust(c.Amount, nativeDecimals)
	}
	token := f.tokens[c.Asset.Contract]
	return token.Listed && !warning.IsDust(c.Amount, int(token.Facts.Decimals))
}

// isNearlyAll reports whether an amount is at least nine tenths of a balance.
func isNearlyAll(amount, balance *big.Int) bool {
	return new(big.Int).Mul(amount, big.NewInt(10)).Cmp(new(big.Int).Mul(balance, big.NewInt(9))) >= 0
}

// approvals adds warnings of rights to take tokens.
func (p *Previewer) approvals(l *list, r Request, approvals []effect.Approval, f facts) {
	for _, a := range approvals {
		if a.Revoked {
			continue
		}
		_, isKnown := p.names.Name(r.ChainID, a.Spender)
		severity := warning.Danger
		if isKnown {
			severity = warning.Caution
		}
		switch {
		case a.Asset.Kind == effect.ERC721 && a.Amount == nil:
			l.add(warning.ApprovalForAll, severity, a.Spender, warning.TakesCollection, a.Spender.Hex())
		case a.Amount == nil:
			l.add(warning.UnlimitedApproval, severity, a.Spender, warning.TakesAll, a.Spender.Hex())
		}
		if r.Statement != nil && len(r.Statement.Approvals) > 0 {
			l.add(warning.SignedApproval, severity, a.Spender, warning.SignatureTakes, a.Spender.Hex())
		}
		if hasCode, read := f.code[a.Spender]; read && !hasCode && !isKnown {
			l.add(warning.SpenderNotContract, warning.Danger, a.Spender, warning.PersonNotContract, a.Spender.Hex())
		}
	}
}

// isKnownDelegate reports whether the configuration, or the description of the local chain, contains the code to which
// an account delegates.
func (p *Previewer) isKnownDelegate(chainID string, code evm.Address) bool {
	chain, ok := p.local.Describe().Chain(chainID)
	return slices.Contains(p.delegates, code) || ok && chain.SmartAccounts != nil && chain.SmartAccounts.Delegate == code
}

// statement adds warnings of typed data and messages.
func (l *list) statement(r Request, s statement.Statement) {
	switch s.Kind {
	case statement.Delegation:
		severity := warning.Danger
		if s.Limited {
			severity = warning.Caution
		}
		var to evm.Address
		if s.Delegate != nil {
			to = *s.Delegate
		}
		l.add(warning.Delegation, severity, to, warning.ActsForAccount, to.Hex())
	case statement.Operation:
		l.add(warning.Delegation, warning.Danger, r.holder(), warning.AnyoneSends, "")
	case statement.Order:
		severity := warning.Caution
		if !s.Proceeds {
			severity = warning.Danger
		}
		l.add(warning.Order, severity, evm.Address{}, warning.OffersForSale, "")
	case statement.SignIn:
		if r.Host != "" && s.Domain != r.Host {
			l.add(warning.OtherSite, warning.Danger, evm.Address{}, warning.SignsInElsewhere, s.Domain)
		}
	case statement.Bytes:
		l.add(warning.Blind, warning.Danger, evm.Address{}, warning.CannotBeShown, "")
	}
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
