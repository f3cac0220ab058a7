package preview

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/contracts"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/statement"
	"github.com/hawser-dev/hawser/services/preview/warning"
	"github.com/hawser-dev/hawser/services/spam"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Outcome says whether a request was simulated.
type Outcome int

// The outcomes of a preview.
const (
	Succeeds Outcome = iota + 1
	Reverts
	NotSimulated
	Message
)

// Request is a request to sign: calls, a statement, or a delegation to code.
type Request struct {
	ChainID string
	Number  *big.Int
	Account evm.Address
	// Host is the host of the page, or empty.
	Host      string
	Calls     []simulation.Call
	Statement *statement.Statement
	Delegate  *evm.Address
}

// Preview describes what a request would do.
type Preview struct {
	Outcome  Outcome
	Reason   string
	Cause    cause.Cause
	Gas      uint64
	Effects  effect.Effects
	Warnings []warning.Warning
	// Tokens are the facts of the contracts in the effects.
	Tokens map[evm.Address]Token
}

// Token describes a token's contract. Facts is nil if the contract does not return them.
type Token struct {
	Facts  *evm.TokenFact
	Listed bool
	// Balance is the account's balance in base units, or nil.
	Balance *big.Int
}

// Previewer previews requests. It is safe for concurrent use.
type Previewer struct {
	connect func(chainID string) chainclient.Transport
	reader  *evm.Reader
	lists   *tokens.Lists
	names   *contracts.Names
	local   devnet.Source
	// delegates are the codes to which accounts may delegate without a warning.
	delegates []evm.Address
}

// Preview simulates the calls of a request and decodes its statement.
func (p *Previewer) Preview(ctx context.Context, r Request) (Preview, error) {
	var v Preview
	var stated effect.Effects
	known := true
	for _, c := range r.Calls {
		e, ok := effect.OfCall(r.Account, c)
		known = known && ok
		stated.Changes, stated.Approvals, stated.Controls = append(stated.Changes, e.Changes...), append(stated.Approvals, e.Approvals...), append(stated.Controls, e.Controls...)
	}
	switch {
	case len(r.Calls) > 0:
		if err := p.simulate(ctx, r, stated, &v); err != nil {
			return v, err
		}
	default:
		v.Outcome = Message
	}
	if s := r.Statement; s != nil {
		v.Effects = effect.Effects{Changes: s.Changes, Approvals: s.Approvals, Controls: s.Controls}
		stated = v.Effects
	}
	facts, err := p.facts(ctx, r, v.Effects)
	if err != nil {
		return v, err
	}
	v.Tokens = facts.tokens
	v.Warnings = p.warnings(r, v, stated, known, facts)
	return v, nil
}

// simulate fills in the effects: those of the simulation, or those in the arguments of the calls if there is no
// simulation.
func (p *Previewer) simulate(ctx context.Context, r Request, stated effect.Effects, v *Preview) error {
	result, err := simulation.Run(ctx, p.connect(r.ChainID), r.Account, r.Delegate, r.Calls, p.watched(ctx, r, stated))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		v.Outcome, v.Reason, v.Effects = NotSimulated, simulation.ErrUnsupported.Error(), stated
		if !errors.Is(err, simulation.ErrUnsupported) {
			v.Reason = "the chain does not answer"
		}
		v.Cause = cause.Of(v.Reason)
	case result.Reverts:
		v.Outcome, v.Reason, v.Cause, v.Gas, v.Effects = Reverts, result.Reason, result.Cause, result.Gas, stated
	default:
		v.Outcome, v.Gas, v.Effects = Succeeds, result.Gas, effect.Of(r.Account, result.Logs)
		v.Effects.Correct(result.Moved)
		for _, c := range stated.Controls {
			if !slices.ContainsFunc(v.Effects.Controls, func(k effect.Control) bool { return k.Contract == c.Contract && k.Upgrade == c.Upgrade }) {
				v.Effects.Controls = append(v.Effects.Controls, c)
			}
		}
	}
	return nil
}

// maxWatched bounds the tokens whose balances are read before and after the calls.
const maxWatched = 64

// watched returns the contracts whose tokens the calls may move: those that are called, and the listed tokens that the
// account holds.
func (p *Previewer) watched(ctx context.Context, r Request, stated effect.Effects) (found []evm.Address) {
	add := func(contract evm.Address) {
		if contract != (evm.Address{}) && len(found) < maxWatched && !slices.Contains(found, contract) {
			found = append(found, contract)
		}
	}
	for _, c := range r.Calls {
		if c.To != nil && len(c.Data) > 0 {
			add(*c.To)
		}
	}
	for _, c := range stated.Changes {
		add(c.Asset.Contract)
	}
	var listed []evm.Address
	for _, t := range p.lists.On(r.ChainID) {
		listed = append(listed, t.Address)
	}
	reading, err := p.reader.Read(ctx, r.ChainID, []evm.Query{evm.TokenBalances(r.Account, listed)})
	if err != nil {
		return found
	}
	for i, token := range listed {
		if balance, ok := reading.Answers[0][i].Amount(); ok && balance.Sign() > 0 {
			add(token)
		}
	}
	return found
}

// facts are read from the chain for the contracts and accounts of a preview.
type facts struct {
	tokens map[evm.Address]Token
	// native is the balance of the account in wei.
	native *big.Int
	// code says which of the spenders have code; nil if it could not be read.
	code map[evm.Address]bool
}

// holder returns the account whose assets would move.
func (r Request) holder() evm.Address {
	if r.Statement != nil && r.Statement.Holder != nil {
		return *r.Statement.Holder
	}
	return r.Account
}

// facts reads tokens, balances and the code of spenders. Without a node it uses only the lists.
func (p *Previewer) facts(ctx context.Context, r Request, e effect.Effects) (facts, error) {
	found := facts{tokens: map[evm.Address]Token{}}
	var list, spenders []evm.Address
	add := func(a effect.Asset) {
		if a.Kind != effect.Native && !slices.Contains(list, a.Contract) {
			list = append(list, a.Contract)
		}
	}
	for _, c := range e.Changes {
		add(c.Asset)
	}
	for _, a := range e.Approvals {
		add(a.Asset)
		if !slices.Contains(spenders, a.Spender) {
			spenders = append(spenders, a.Spender)
		}
	}
	for _, a := range list {
		t := Token{}
		if known, ok := p.lists.Find(r.ChainID, a); ok {
			t = Token{Facts: &evm.TokenFact{Symbol: known.Symbol, Name: known.Name, Decimals: known.Decimals}, Listed: true}
		}
		found.tokens[a] = t
	}
	queries := append(evm.TokenFacts(list), evm.TokenBalances(r.holder(), list), evm.NativeBalance(r.holder()))
	reading, err := p.reader.Read(ctx, r.ChainID, queries)
	if ctx.Err() != nil {
		return found, ctx.Err()
	}
	if err != nil {
		return found, nil //nolint:nilerr // a preview without balances is better than none, and says that it is not simulated
	}
	read := evm.ReadTokenFacts(reading.Answers[:3])
	for i, a := range list {
		t := found.tokens[a]
		if t.Facts == nil && read[i] != nil {
			t.Facts = read[i]
		} else if t.Facts == nil {
			t.Facts = &evm.TokenFact{Symbol: reading.Answers[0][i].Text(), Name: reading.Answers[1][i].Text()}
		}
		t.Balance, _ = reading.Answers[3][i].Amount()
		found.tokens[a] = t
	}
	found.native, _ = reading.Answers[4][0].Amount()
	found.code = p.codes(ctx, r.ChainID, spenders)
	return found, nil
}

// codes reports which accounts have code, or nil if that cannot be read. Code to which an account only delegates does
// not count.
func (p *Previewer) codes(ctx context.Context, chainID string, accounts []evm.Address) map[evm.Address]bool {
	if len(accounts) == 0 {
		return nil
	}
	calls := make([]chainclient.Call, len(accounts))
	for i, a := range accounts {
		calls[i] = chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
	}
	results, err := p.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil
	}
	found := map[evm.Address]bool{}
	for i, a := range accounts {
		code, err := results[i].Bytes()
		if err != nil {
			return nil
		}
		const delegationSize = 23
		found[a] = len(code) > 0 && len(code) != delegationSize
	}
	return found
}

// imitation returns whether an unlisted token imitates a listed one or carries a web address.
func (p *Previewer) imitation(chainID string, t Token) bool {
	if t.Listed || t.Facts == nil {
		return false
	}
	listed := spam.ListedNames{}
	for _, known := range p.lists.On(chainID) {
		listed.Add(known.Name, known.Symbol)
	}
	return listed.Warning(t.Facts.Name, t.Facts.Symbol) != ""
}
