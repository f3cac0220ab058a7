package solana

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/warning"
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

// Preview describes what transactions would do to their owner.
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
	// Prices may be nil: no price is known.
	Prices price.Source
}

// Preview simulates transactions that the owner must sign, each on the newest state, and says what they do together. The
// error is that of the context.
func (p *Previewer) Preview(ctx context.Context, chainID string, owner svm.Address, list []Transaction) (Preview, error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	parts := make([]part, len(list))
	failed := make([]error, len(list))
	var wait routine.WaitGroup
	for i, t := range list {
		wait.Go(ctx, func() { parts[i] = examine(bounded, p.Connect(chainID), owner, t) }, func(err error) { failed[i] = err })
	}
	wait.Wait()
	if err := cmp.Or(append(failed, ctx.Err())...); err != nil {
		return Preview{}, err
	}
	v, s := together(parts)
	s.chainID, s.owner = chainID, owner
	v.Tokens = p.describe(bounded, chainID, mintsOf(v))
	s.prices = p.pricesOf(bounded, chainID, v.Changes, v.Tokens)
	p.warn(&v, s)
	return v, ctx.Err()
}

// part is what one transaction does.
type part struct {
	Preview
	subjects subjects
}

// examine simulates one transaction.
func examine(ctx context.Context, node chainclient.Transport, owner svm.Address, t Transaction) part {
	r, err := simulate(ctx, node, t)
	said := statedBy(t, r.keys, r.before, owner)
	var v Preview
	var controls []control
	closings := said.closings
	if r.isForeign(t, said.nonce) {
		r.askAgain(ctx, node, t)
	}
	switch {
	case r.isForeign(t, said.nonce):
		v.Outcome, v.Reason = Fails, "The transaction is not for this network, or has expired"
		v.Cause, r.foreign = cause.Of(v.Reason), true
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
	held := readCosts(ctx, node, t, &r, owner, mintsOf(v))
	if v.Outcome == Succeeds {
		// The fee is known now.
		v.Changes, closings = changesOf(r, owner, t.payer()), closingsOf(r, said.closings, owner, t.payer())
	}
	v.Fee = r.fee
	if _, isRead := r.before[owner]; isRead {
		held[svm.Native] = r.held(owner)
	}
	return part{v, subjects{runs: []run{r}, said: []*stated{said}, controls: controls, closings: closings, held: held}}
}

// together adds up what transactions do. One that fails or is not simulated is the outcome of all.
func together(parts []part) (v Preview, s subjects) {
	s.held = map[svm.Address]uint64{}
	for i, one := range parts {
		if i == 0 {
			v.Outcome, v.Reason, v.Cause, v.Fee = one.Outcome, one.Reason, one.Cause, one.Fee
		} else {
			if one.Outcome > v.Outcome {
				v.Outcome, v.Reason, v.Cause = one.Outcome, one.Reason, one.Cause
			}
			v.Fee = sumOf(v.Fee, one.Fee)
		}
		v.Units += one.Units
		for _, c := range one.Changes {
			v.Changes = addTo(v.Changes, c)
		}
		v.Approvals = append(v.Approvals, one.Approvals...)
		s.runs, s.said = append(s.runs, one.subjects.runs...), append(s.said, one.subjects.said...)
		s.controls, s.closings = append(s.controls, one.subjects.controls...), append(s.closings, one.subjects.closings...)
		for mint, units := range one.subjects.held {
			s.held[mint] = max(s.held[mint], units)
		}
	}
	return v, s
}

// sumOf returns the sum of two fees; nil if one is not known.
func sumOf(a, b *uint64) *uint64 {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
}

// addTo adds an amount to the change of the same mint, direction and other account.
func addTo(list []Change, c Change) []Change {
	for i, k := range list {
		if k.Mint == c.Mint && k.Outgoing == c.Outgoing && k.Other == c.Other && k.Amount+c.Amount >= k.Amount {
			list[i].Amount += c.Amount
			return list
		}
	}
	return append(list, c)
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
	chainID string
	owner   svm.Address
	// runs and said are those of each transaction.
	runs     []run
	said     []*stated
	controls []control
	closings []closing
	// held is the owner's balance before the transactions, by mint, and prices are in US dollars for a whole unit.
	held   map[svm.Address]uint64
	prices map[svm.Address]float64
}

// holder returns a token account before the transactions; nil for another account.
func (s subjects) holder(at svm.Address) *holder {
	for _, r := range s.runs {
		if h := r.before[at].holder; h != nil {
			return h
		}
	}
	return nil
}

// unknown returns the programs that are not known.
func (s subjects) unknown() (list []svm.Address) {
	for _, said := range s.said {
		for _, program := range said.unknown {
			if !slices.Contains(list, program) {
				list = append(list, program)
			}
		}
	}
	return list
}

// commands reports whether the owner's signature lets a program that is in no list act.
func (s subjects) commands(program svm.Address) bool {
	return !slices.Contains(exchanges, program) && slices.ContainsFunc(s.said, func(said *stated) bool { return slices.Contains(said.signed, program) })
}

// covers reports whether the instructions account for an amount that leaves.
func (s subjects) covers(c Change) bool {
	sum := Change{Mint: c.Mint, Outgoing: c.Outgoing, Other: c.Other}
	for i, said := range s.said {
		if said.covers(c, s.runs[i].after) {
			return true
		}
		for _, k := range said.changes {
			if k.Mint == c.Mint && k.Outgoing == c.Outgoing && k.Other == c.Other && sum.Amount+k.Amount >= sum.Amount {
				sum.Amount += k.Amount
			}
		}
	}
	return sum.Amount >= c.Amount
}

// warn adds the warnings, the most severe first.
func (p *Previewer) warn(v *Preview, s subjects) {
	l := &v.Warnings
	s.warnOfChanges(l, *v)
	for i, said := range s.said {
		if said.nonce != nil {
			l.Add(warning.Delegation, warning.Danger, said.nonce.String(), warning.NeverExpires, "")
		}
		if s.runs[i].foreign {
			l.Add(warning.OtherChain, warning.Danger, "", warning.OtherCluster, "")
		}
		if s.runs[i].lacksTable {
			l.Add(warning.Reverts, warning.Danger, "", warning.TableIncomplete, "")
		}
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
	s.warnOfOutcome(l, v.Outcome)
	l.Sort()
}

// warnOfOutcome adds warnings of transactions that fail or were not simulated, and of programs that are not known. What such a program refuses now it may do
// once the transaction is sent, with the signature of the owner.
func (s subjects) warnOfOutcome(l *warning.List, o Outcome) {
	unknown := s.unknown()
	severity, phrase := warning.Caution, warning.WouldFail
	if len(unknown) > 0 {
		phrase = warning.MayDoOtherwise
	}
	for _, program := range unknown {
		if !s.commands(program) {
			l.Add(warning.UnknownProgram, warning.Notice, program.String(), warning.ProgramUnknown, "")
			continue
		}
		severity = warning.Danger
		l.Add(warning.UnknownProgram, warning.Caution, program.String(), warning.ProgramUnknown, "")
	}
	switch {
	case o == Fails:
		l.Add(warning.Reverts, severity, "", phrase, "")
	case o == NotSimulated && len(unknown) > 0:
		l.Add(warning.NotSimulated, warning.Danger, "", warning.MayDoMore, "")
	case o == NotSimulated:
		l.Add(warning.NotSimulated, warning.Caution, "", warning.MayDoMore, "")
	}
}

func (s subjects) warnOfChanges(l *warning.List, v Preview) {
	changes := netted(v.Changes)
	_, gains := s.arrivals(changes, v.Tokens)
	unknown := s.unknown()
	flows := outflows(changes)
	for _, o := range flows {
		if !s.isNearlyAll(o, v.Tokens) {
			continue
		}
		phrase := warning.NearlyAll
		if gains {
			phrase = warning.NearlyAllTraded
		}
		switch s.worthOf(o.mint, changes, v.Tokens) {
		case warning.Nothing:
			l.Add(warning.Drains, warning.Danger, subjectOfMint(o.mint), phrase, subjectOf(o.to))
		case warning.Uncertain:
			l.Add(warning.Drains, warning.Caution, subjectOfMint(o.mint), phrase, subjectOf(o.to))
		}
	}
	for _, c := range changes {
		if !c.Outgoing || len(unknown) == 0 || s.covers(c) {
			continue
		}
		o := flows[slices.IndexFunc(flows, func(o flow) bool { return o.mint == c.Mint })]
		hidden := s.worthOf(c.Mint, changes, v.Tokens)
		// A part for something that arrives is a trade of a program that is in no list.
		if held, isRead := s.held[c.Mint]; hidden == warning.Nothing && gains && isRead && o.amount < held/2 {
			hidden = warning.Uncertain
		}
		l.AddHidden(hidden, s.isNearlyAll(o, v.Tokens), subjectOfMint(c.Mint), subjectOf(c.Other))
	}
}

// subjectOfMint returns a mint as text; empty for SOL.
func subjectOfMint(mint svm.Address) string {
	if mint == svm.Native {
		return ""
	}
	return mint.String()
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
		for _, r := range s.runs {
			for _, at := range []state{r.after, r.before} {
				if h := at[a.of].holder; h != nil {
					holds = max(holds, h.Units)
					break
				}
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
		case mintFixed:
			l.Add(warning.Ownership, warning.Caution, of, warning.AuthorityLost, "")
		case stakeTaken:
			l.Add(warning.Ownership, warning.Danger, of, warning.StakeGiven, c.to.String())
		}
	}
	for _, c := range s.closings {
		if c.to == s.owner {
			continue
		}
		if h := s.holder(c.to); h == nil || h.Owner != s.owner {
			l.Add(warning.AccountClosed, warning.Danger, c.of.String(), warning.AccountIsClosed, subjectOf(c.to))
		}
	}
}
