package solana

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/warning"
	"github.com/hawser-dev/hawser/services/spam"
	"github.com/hawser-dev/hawser/services/svm"
	"github.com/hawser-dev/hawser/services/tokens"
)

const (
	// timeout bounds one preview.
	timeout = 10 * time.Second
	// maxMints bounds the tokens whose names and balances are read.
	maxMints = 32
)

// Outcome says whether a transaction was simulated.
type Outcome int

// The outcomes of a preview.
const (
	Succeeds Outcome = iota + 1
	Fails
	NotSimulated
)

// Preview describes what a transaction would do to its owner.
type Preview struct {
	Outcome Outcome
	// Reason is why it fails or could not be simulated; empty otherwise.
	Reason string
	// Cause is the reason if it is a common one.
	Cause cause.Cause
	// Units are the compute units that it uses.
	Units uint64
	// Fee is in lamports; nil if it is unknown.
	Fee       *uint64
	Changes   []Change
	Approvals []Approval
	Warnings  warning.List
	// Tokens are the facts of the mints in changes and approvals. Mints without facts are absent.
	Tokens map[svm.Address]Token
}

// Token describes a mint.
type Token struct {
	svm.Fact
	Listed bool
}

// TokenList returns the listed tokens; [tokens.Lists] implements it.
type TokenList interface {
	Mints(chainID string) []tokens.Mint
	Mint(chainID string, mint svm.Address) (tokens.Mint, bool)
}

// Previewer previews transactions. It is safe for concurrent use.
type Previewer struct {
	Connect func(chainID string) chainclient.Transport
	Facts   *svm.Facts
	Tokens  TokenList
}

// Preview simulates a transaction that the owner must sign. The error is that of the context.
func (p *Previewer) Preview(ctx context.Context, chainID string, owner svm.Address, t Transaction) (Preview, error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	node := p.Connect(chainID)
	r, err := simulate(bounded, node, t)
	if ctx.Err() != nil {
		return Preview{}, ctx.Err()
	}
	said := statedBy(t, r.keys, r.before, owner)
	var v Preview
	var controls []control
	closings := said.closings
	switch {
	case errors.Is(err, errTables):
		v.Outcome, v.Reason = Fails, transactionErrors["InvalidAddressLookupTableIndex"]
	case err != nil:
		v.Outcome, v.Reason = NotSimulated, "the chain does not answer"
		if _, refused := errors.AsType[*chainclient.NodeError](err); refused {
			v.Reason = "the nodes of the chain cannot simulate this transaction"
		}
		v.Cause = cause.Of(v.Reason)
	case r.err != nil:
		v.Outcome = Fails
		v.Reason, v.Cause = explain(t, r.keys, r)
	default:
		v.Outcome = Succeeds
	}
	v.Units = r.units
	if v.Outcome != Succeeds {
		v.Changes, v.Approvals, controls = said.changes, said.approvals, said.controls
	} else {
		v.Approvals, controls = approvalsOf(r, owner), controlsOf(r, owner)
		v.Changes = changesOf(r, owner, t.payer())
	}
	mints := mintsOf(v)
	held := readCosts(bounded, node, t, &r, owner, mints)
	if v.Outcome == Succeeds {
		// The fee is known now.
		v.Changes, closings = changesOf(r, owner, t.payer()), closingsOf(r, said.closings, owner, t.payer())
	}
	v.Fee = r.fee
	v.Tokens = p.describe(bounded, chainID, mints)
	if _, isRead := r.before[owner]; isRead {
		held[svm.Native] = r.held(owner)
	}
	p.warn(&v, subjects{chainID: chainID, owner: owner, run: r, said: said, controls: controls, closings: closings, held: held})
	return v, ctx.Err()
}

// mintsOf returns the mints in a preview, at most maxMints.
func mintsOf(v Preview) (mints []svm.Address) {
	add := func(mint svm.Address) {
		if mint != svm.Native && len(mints) < maxMints && !slices.Contains(mints, mint) {
			mints = append(mints, mint)
		}
	}
	for _, c := range v.Changes {
		add(c.Mint)
	}
	for _, a := range v.Approvals {
		add(a.Mint)
	}
	return mints
}

// describe returns the facts of mints, from the lists or otherwise from the chain.
func (p *Previewer) describe(ctx context.Context, chainID string, mints []svm.Address) map[svm.Address]Token {
	all := map[svm.Address]Token{}
	var unlisted []svm.Address
	for _, mint := range mints {
		if t, listed := p.Tokens.Mint(chainID, mint); listed {
			all[mint] = Token{Fact: svm.Fact{Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals}, Listed: true}
		} else {
			unlisted = append(unlisted, mint)
		}
	}
	facts, err := p.Facts.Read(ctx, chainID, unlisted)
	if err != nil {
		return all
	}
	for mint, f := range facts {
		all[mint] = Token{Fact: f}
	}
	return all
}

// subjects are the inputs for warnings.
type subjects struct {
	chainID  string
	owner    svm.Address
	run      run
	said     *stated
	controls []control
	closings []closing
	// held is the owner's balance before the transaction, by mint.
	held map[svm.Address]uint64
}

// warn adds the warnings, the most severe first.
func (p *Previewer) warn(v *Preview, s subjects) {
	l := &v.Warnings
	s.warnOfChanges(l, *v)
	if s.said.nonce != nil {
		l.Add(warning.Delegation, warning.Danger, s.said.nonce.String(), warning.NeverExpires, "")
	}
	s.warnOfApprovals(l, v.Approvals)
	s.warnOfControls(l)
	names := spam.ListedNames{}
	for _, t := range p.Tokens.Mints(s.chainID) {
		names.Add(t.Name, t.Symbol)
	}
	for _, mint := range sorted(v.Tokens, nil) {
		if t := v.Tokens[mint]; !t.Listed && names.Warning(t.Name, t.Symbol) != "" {
			l.Add(warning.Imitation, warning.Caution, mint.String(), warning.TokenImitates, "")
		}
	}
	switch v.Outcome {
	case Fails:
		l.Add(warning.Reverts, warning.Caution, "", warning.WouldFail, "")
	case NotSimulated:
		severity := warning.Caution
		if len(s.said.unknown) > 0 {
			severity = warning.Danger
		}
		l.Add(warning.NotSimulated, severity, "", warning.MayDoMore, "")
	}
	for _, program := range s.said.unknown {
		l.Add(warning.UnknownProgram, warning.Notice, program.String(), warning.ProgramUnknown, "")
	}
	l.Sort()
}

// pays reports whether a change adds more than dust of SOL or of a listed token. Lamports that are returned when an
// account of the owner is closed do not count.
func (s subjects) pays(c Change, known map[svm.Address]Token) bool {
	if c.Outgoing {
		return false
	}
	if own := s.run.before[c.Other].holder; own != nil && own.Owner == s.owner || c.Other == (svm.Address{}) && len(s.closings) > 0 {
		return false
	}
	amount := new(big.Int).SetUint64(c.Amount)
	if c.Mint == svm.Native {
		return !warning.IsDust(amount, svm.Decimals)
	}
	token := known[c.Mint]
	return token.Listed && !warning.IsDust(amount, int(token.Decimals))
}

func (s subjects) warnOfChanges(l *warning.List, v Preview) {
	changes := netted(v.Changes)
	isTrade := slices.ContainsFunc(changes, func(c Change) bool { return s.pays(c, v.Tokens) })
	for _, c := range changes {
		if !c.Outgoing {
			continue
		}
		subject := ""
		if c.Mint != svm.Native {
			subject = c.Mint.String()
		}
		held, isRead := s.held[c.Mint]
		drains := isRead && isNearlyAll(c.Amount, held) && !v.Tokens[c.Mint].NFT
		if drains && !isTrade {
			l.Add(warning.Drains, warning.Danger, subject, warning.NearlyAll, subjectOf(c.Other))
		}
		if len(s.said.unknown) > 0 && !s.said.covers(c, s.run.after) {
			l.AddHidden(isTrade, drains, subject, subjectOf(c.Other))
		}
	}
}

// netted returns the changes without those that only convert between SOL and wrapped SOL.
func netted(changes []Change) []Change {
	wraps := map[svm.Address]svm.Address{svm.Native: svm.WrappedSOL, svm.WrappedSOL: svm.Native}
	list := slices.Clone(changes)
	for i := range list {
		for j := range list {
			if out, in := &list[i], &list[j]; out.Outgoing && !in.Outgoing && wraps[out.Mint] == in.Mint {
				both := min(out.Amount, in.Amount)
				out.Amount, in.Amount = out.Amount-both, in.Amount-both
			}
		}
	}
	return slices.DeleteFunc(list, func(c Change) bool { return c.Amount == 0 })
}

// isNearlyAll reports whether an amount is at least nine tenths of a balance.
func isNearlyAll(amount, balance uint64) bool {
	amountHigh, amountLow := bits.Mul64(amount, 10)
	balanceHigh, balanceLow := bits.Mul64(balance, 9)
	return amountHigh > balanceHigh || amountHigh == balanceHigh && amountLow >= balanceLow
}

// subjectOf returns an address as text; empty for the zero address, which means an unknown account.
func subjectOf(a svm.Address) string {
	if a == (svm.Address{}) {
		return ""
	}
	return a.String()
}

func (s subjects) warnOfApprovals(l *warning.List, approvals []Approval) {
	for _, a := range approvals {
		if a.Revoked {
			continue
		}
		var holds uint64
		for _, at := range []state{s.run.after, s.run.before} {
			if h := at[a.of].holder; h != nil {
				holds = h.Units
				break
			}
		}
		if a.Unlimited() || holds > 0 && isNearlyAll(a.Amount, holds) {
			l.Add(warning.UnlimitedApproval, warning.Danger, a.Spender.String(), warning.TakesAll, a.Spender.String())
		}
		// An address on the curve has a private key; addresses of programs are not on the curve.
		if sol.IsOnCurve(a.Spender[:]) {
			l.Add(warning.SpenderNotContract, warning.Danger, a.Spender.String(), warning.PersonNotProgram, a.Spender.String())
		}
	}
}

// Unlimited reports whether an approval has no limit.
func (a Approval) Unlimited() bool { return a.Amount == math.MaxUint64 }

func (s subjects) warnOfControls(l *warning.List) {
	for _, c := range s.controls {
		of := c.of.String()
		switch c.kind {
		case walletTaken:
			l.Add(warning.Ownership, warning.Danger, of, warning.AccountGiven, c.to.String())
		case holderTaken:
			l.Add(warning.Ownership, warning.Danger, of, warning.TokenAccountGiven, subjectOf(c.to))
		case closeGiven:
			l.Add(warning.Ownership, warning.Danger, of, warning.ClosingGiven, c.to.String())
		case mintTaken:
			l.Add(warning.Ownership, warning.Danger, of, warning.AuthorityLost, "")
		case stakeTaken:
			l.Add(warning.Ownership, warning.Danger, of, warning.StakeGiven, c.to.String())
		}
	}
	for _, c := range s.closings {
		if c.to == s.owner {
			continue
		}
		if h := s.run.before[c.to].holder; h == nil || h.Owner != s.owner {
			l.Add(warning.AccountClosed, warning.Danger, c.of.String(), warning.AccountIsClosed, subjectOf(c.to))
		}
	}
}
