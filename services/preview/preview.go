package preview

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/statement"
	"github.com/hawser-dev/hawser/services/preview/warning"
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
	Host  string
	Calls []simulation.Call
	// Atomic is set if the account's code makes the calls at once.
	Atomic bool
	// Fees are those of the transactions of the calls.
	Fees      simulation.Fees
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
	// BehavesDifferently reports that the calls have other effects where the block and the fees are others.
	BehavesDifferently bool
	// Descriptions are what the calls ask, or the typed data, in the words of descriptors.
	Descriptions []Description
	// Left are the balances after the calls of the fungible assets that leave, and of the listed ones that arrive.
	Left []Holding
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

// Holding is an amount of an asset, in base units.
type Holding struct {
	Asset  effect.Asset
	Amount *big.Int
}

// Previewer previews requests. It is safe for concurrent use.
type Previewer struct {
	connect func(chainID string) chainclient.Transport
	reader  *evm.Reader
	lists   *tokens.Lists
	names   *contracts.Names
	local   devnet.Source
	prices  price.Source
	clock   clock.Clock
	// symbol returns the symbol of the native token of a chain.
	symbol func(ctx context.Context, chainID string) string
	// descriptors describe requests, and exchanges say which routers bundled ones are for.
	descriptors *clearsign.Descriptors
	exchanges   *dex.Table
	// delegates are the codes to which accounts may delegate without a warning.
	delegates []evm.Address
	// support is what is known of the nodes of each chain, by its CAIP-2 id.
	support sync.Map
}

// Preview simulates the calls of a request and decodes its statement.
func (p *Previewer) Preview(ctx context.Context, r Request) (Preview, error) {
	var v Preview
	var stated effect.Effects
	known := true
	for _, c := range r.Calls {
		e, ok := effect.OfCall(r.Account, c)
		known = known && ok
		stated.Add(e)
	}
	var before surroundings
	var allowed map[simulation.Allowance]*big.Int
	if len(r.Calls) == 0 {
		v.Outcome = Message
	} else {
		before = p.survey(ctx, r, stated)
		var err error
		if allowed, err = p.simulate(ctx, r, stated, before, &v); err != nil {
			return v, err
		}
	}
	if s := r.Statement; s != nil {
		v.Effects = effect.Effects{Changes: s.Changes, Approvals: s.Approvals, Controls: s.Controls, Rights: s.Rights}
		p.bound(r, &v.Effects)
		stated = v.Effects
	}
	described := p.describe(r, v.Effects)
	facts, err := p.facts(ctx, r, v.Effects, before, described.tokens())
	if err != nil {
		return v, err
	}
	facts.allowed, facts.guaranteed = allowed, p.guaranteed(r, before)
	facts.deposits = p.deposits(r)
	// Who makes a contract in these calls is not its owner yet.
	v.Effects.Controls = slices.DeleteFunc(v.Effects.Controls, func(c effect.Control) bool { return facts.made(c.Contract) && !slices.Contains(stated.Controls, c) })
	facts.isLimited = r.Statement != nil && p.isLimited(r.ChainID, *r.Statement)
	facts.isMisdescribed = p.isMisdescribed(r, described, v.Effects)
	if !facts.isMisdescribed {
		v.Descriptions = described.list
	}
	v.Tokens = facts.tokens
	if v.Outcome == Succeeds {
		v.Left = facts.left(v.Effects.Changes)
	}
	v.Warnings = p.warnings(r, v, stated, known, facts)
	return v, nil
}

// simulate fills in the effects: those of the simulation, or those in the arguments of the calls if there is no
// simulation. It returns the allowances that are left after the calls.
func (p *Previewer) simulate(ctx context.Context, r Request, stated effect.Effects, before surroundings, v *Preview) (map[simulation.Allowance]*big.Int, error) {
	next, other, err := p.run(ctx, r, before)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		v.Outcome, v.Reason, v.Effects = NotSimulated, simulation.ErrUnsupported.Error(), stated
		if !errors.Is(err, simulation.ErrUnsupported) {
			v.Reason = "the chain does not answer"
		}
		v.Cause = cause.Of(v.Reason)
		return nil, nil
	}
	here, there := p.effectsOf(r, next), p.effectsOf(r, other)
	v.BehavesDifferently = next.Reverts != other.Reverts || !next.Reverts && !effect.Alike(here, there)
	if next.Reverts && !other.Reverts {
		next, here = other, there
	}
	if next.Reverts {
		v.Outcome, v.Reason, v.Cause, v.Gas, v.Effects = Reverts, next.Reason, next.Cause, next.Gas, stated
		return nil, nil
	}
	v.Outcome, v.Gas, v.Effects = Succeeds, next.Gas, here
	v.Effects.Complete(stated)
	return next.Allowed, nil
}

// effectsOf returns the effects of a simulation; none if it reverts.
func (p *Previewer) effectsOf(r Request, result simulation.Result) effect.Effects {
	e := effect.Of(r.Account, result.Logs)
	e.Correct(result.Moved)
	p.bound(r, &e)
	return e
}

// bound bounds effects, so that those of listed tokens are kept.
func (p *Previewer) bound(r Request, e *effect.Effects) {
	e.Bound(func(contract evm.Address) bool {
		_, isListed := p.lists.Find(r.ChainID, contract)
		return isListed
	})
}

// run simulates the calls: once if they run no code but that of listed tokens, which cannot know that it is simulated.
func (p *Previewer) run(ctx context.Context, r Request, before surroundings) (next, other simulation.Result, err error) {
	if before.err != nil {
		return next, other, before.err
	}
	s := simulation.Request{
		Account: r.Account, Delegate: r.Delegate, Calls: r.Calls, Fees: r.Fees, Now: uint64(p.clock.Now().Unix()), //nolint:gosec // after 1970
		Head: before.head, Balance: before.native, HasCode: before.code[r.Account], Watched: p.watched(r, before), Allowances: allowancesOf(r),
		Atomic: r.Atomic || before.code[r.Account], Code: before.own, Support: p.supportOf(r.ChainID),
	}
	node := p.connect(r.ChainID)
	if p.isPlain(r, before) {
		next, err = simulation.RunOnce(ctx, node, s)
		return next, next, err
	}
	next, other, err = simulation.Run(ctx, node, s)
	namesGas := !slices.ContainsFunc(r.Calls, func(c simulation.Call) bool { return c.Gas == 0 })
	if err != nil || next.Reverts || other.Reverts || namesGas || !effect.Alike(p.effectsOf(r, next), p.effectsOf(r, other)) {
		return next, other, err
	}
	// A contract can see the gas that is left: no wallet sets as much as a simulation.
	other, err = simulation.RunLimited(ctx, node, s, next.Used)
	return next, other, err
}

// supportOf returns what is known of the nodes of a chain.
func (p *Previewer) supportOf(chainID string) *simulation.Support {
	known, _ := p.support.LoadOrStore(chainID, &simulation.Support{})
	return known.(*simulation.Support)
}

// isPlain reports whether calls run no code but that of listed tokens, by functions that are known.
func (p *Previewer) isPlain(r Request, before surroundings) bool {
	return r.Delegate == nil && !slices.ContainsFunc(r.Calls, func(c simulation.Call) bool {
		if c.To == nil {
			return true
		}
		if hasCode, isRead := before.code[*c.To]; isRead && !hasCode && !before.delegates[*c.To] {
			return false
		}
		_, isListed := p.lists.Find(r.ChainID, *c.To)
		_, isKnown := effect.OfCall(r.Account, c)
		return !isListed || !isKnown || c.Value.Sign() > 0
	})
}
