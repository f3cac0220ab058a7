package preview

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/contracts"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/price"
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
	Host  string
	Calls []simulation.Call
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
	// Left are the balances after the calls of the fungible assets that leave.
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
		v.Effects = effect.Effects{Changes: s.Changes, Approvals: s.Approvals, Controls: s.Controls}
		stated = v.Effects
	}
	facts, err := p.facts(ctx, r, v.Effects, before)
	if err != nil {
		return v, err
	}
	facts.allowed = allowed
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
	here, there := effectsOf(r.Account, next), effectsOf(r.Account, other)
	v.BehavesDifferently = next.Reverts != other.Reverts || !next.Reverts && !effect.Alike(here, there)
	if next.Reverts && !other.Reverts {
		next, here = other, there
	}
	if next.Reverts {
		v.Outcome, v.Reason, v.Cause, v.Gas, v.Effects = Reverts, next.Reason, next.Cause, next.Gas, stated
		return nil, nil
	}
	v.Outcome, v.Gas, v.Effects = Succeeds, next.Gas, here
	for _, c := range stated.Controls {
		if !slices.ContainsFunc(v.Effects.Controls, func(k effect.Control) bool { return k.Contract == c.Contract && k.Upgrade == c.Upgrade }) {
			v.Effects.Controls = append(v.Effects.Controls, c)
		}
	}
	return next.Allowed, nil
}

// effectsOf returns the effects of a simulation; none if it reverts.
func effectsOf(account evm.Address, r simulation.Result) effect.Effects {
	e := effect.Of(account, r.Logs)
	e.Correct(r.Moved)
	return e
}

// run simulates the calls: once if they run no code but that of listed tokens, which cannot know that it is simulated.
func (p *Previewer) run(ctx context.Context, r Request, before surroundings) (next, other simulation.Result, err error) {
	if before.err != nil {
		return next, other, before.err
	}
	s := simulation.Request{
		Account: r.Account, Delegate: r.Delegate, Calls: r.Calls, Fees: r.Fees, Now: uint64(p.clock.Now().Unix()), //nolint:gosec // after 1970
		Head: before.head, Balance: before.native, HasCode: before.code[r.Account], Watched: p.watched(r, before), Allowances: allowancesOf(r),
	}
	node := p.connect(r.ChainID)
	if p.isPlain(r, before) {
		next, err = simulation.RunOnce(ctx, node, s)
		return next, next, err
	}
	next, other, err = simulation.Run(ctx, node, s)
	namesGas := !slices.ContainsFunc(r.Calls, func(c simulation.Call) bool { return c.Gas == 0 })
	if err != nil || next.Reverts || other.Reverts || namesGas || len(p.unlisted(r, before.code, before.delegates)) == 0 || !effect.Alike(effectsOf(r.Account, next), effectsOf(r.Account, other)) {
		return next, other, err
	}
	// A contract can see the gas that is left: no wallet sets as much as a simulation. One that lacks gas is not another one.
	limited, err := simulation.RunOnce(ctx, node, s.Limited(next.Used))
	if err == nil && !limited.Reverts {
		other = limited
	}
	return next, other, err
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

// surroundings are read before the simulation.
type surroundings struct {
	head   simulation.Head
	native *big.Int
	// code says which accounts of the request are contracts, and delegates which ones run the code of another (EIP-7702).
	code, delegates map[evm.Address]bool
	// balances are those of the listed tokens and of the called contracts, in base units, and held the listed ones of which there are any, in the order of
	// the list.
	balances map[evm.Address]*big.Int
	held     []evm.Address
	err      error
}

// survey reads the newest block, the account's balances, and the code of the accounts that a request names.
func (p *Previewer) survey(ctx context.Context, r Request, stated effect.Effects) (s surroundings) {
	var wait routine.WaitGroup
	var failed error
	wait.Go(ctx, func() { s.balances, s.held = p.balances(ctx, r) }, func(err error) { failed = err })
	_, others := subjectsOf(r, stated)
	accounts := append([]evm.Address{r.Account}, others...)
	calls := []chainclient.Call{chainclient.LatestBlock(), {Method: "eth_getBalance", Params: []any{r.Account, "latest"}}}
	results, err := p.connect(r.ChainID).Batch(ctx, append(calls, codeCalls(accounts)...)...)
	wait.Wait()
	if err = cmp.Or(err, failed); err != nil {
		s.err = err
		return s
	}
	if s.head, s.err = simulation.ReadHead(results[0]); s.err != nil {
		return s
	}
	if s.native, s.err = results[1].Quantity(); s.err != nil {
		return s
	}
	s.code, s.delegates, s.err = readCodes(accounts, results[len(calls):])
	return s
}

// balances reads the account's balances of the listed tokens and of the called contracts, and which listed ones it holds; nil if that fails.
func (p *Previewer) balances(ctx context.Context, r Request) (balances map[evm.Address]*big.Int, held []evm.Address) {
	var list []evm.Address
	for _, t := range p.lists.On(r.ChainID) {
		list = append(list, t.Address)
	}
	listed := len(list)
	for _, contract := range calledContracts(r) {
		if _, isListed := p.lists.Find(r.ChainID, contract); !isListed {
			list = append(list, contract)
		}
	}
	reading, err := p.reader.Read(ctx, r.ChainID, []evm.Query{evm.TokenBalances(r.Account, list)})
	if err != nil {
		return nil, nil
	}
	balances = map[evm.Address]*big.Int{}
	for i, token := range list {
		balance, ok := reading.Answers[0][i].Amount()
		if !ok {
			continue
		}
		balances[token] = balance
		if i < listed && balance.Sign() > 0 {
			held = append(held, token)
		}
	}
	return balances, held
}

func codeCalls(accounts []evm.Address) []chainclient.Call {
	calls := make([]chainclient.Call, len(accounts))
	for i, a := range accounts {
		calls[i] = chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
	}
	return calls
}

// readCodes reports which accounts are contracts, and which ones only delegate to the code of another.
func readCodes(accounts []evm.Address, results []chainclient.Result) (contracts, delegates map[evm.Address]bool, err error) {
	contracts, delegates = map[evm.Address]bool{}, map[evm.Address]bool{}
	for i, a := range accounts {
		code, err := results[i].Bytes()
		if err != nil {
			return nil, nil, err
		}
		const delegationSize = 23
		delegates[a] = len(code) == delegationSize
		contracts[a] = len(code) > 0 && !delegates[a]
	}
	return contracts, delegates, nil
}

// allowancesOf returns the rights to take tokens that calls of tokens give: calls after them may use them up.
func allowancesOf(r Request) (list []simulation.Allowance) {
	for _, c := range r.Calls {
		e, _ := effect.OfCall(r.Account, c)
		for _, a := range e.Approvals {
			right := simulation.Allowance{Token: a.Asset.Contract, Spender: a.Spender}
			if a.Asset.Kind == effect.ERC20 && !a.Permit2 && !slices.Contains(list, right) {
				list = append(list, right)
			}
		}
	}
	return list
}

// maxWatched bounds the tokens whose balances are read before and after the calls.
const maxWatched = 64

// watched returns the contracts whose tokens the calls may move: those that are called, and the listed tokens that the
// account holds.
func (p *Previewer) watched(r Request, before surroundings) (found []simulation.Watched) {
	add := func(contract evm.Address) {
		w := simulation.Watched{Token: contract}
		if _, isListed := p.lists.Find(r.ChainID, contract); !isListed {
			if w.Before = before.balances[contract]; w.Before == nil {
				return // no token
			}
		}
		if len(found) < maxWatched && !slices.ContainsFunc(found, func(k simulation.Watched) bool { return k.Token == contract }) {
			found = append(found, w)
		}
	}
	for _, contract := range calledContracts(r) {
		add(contract)
	}
	for _, token := range before.held {
		add(token)
	}
	return found
}

// calledContracts returns the contracts that are called with data.
func calledContracts(r Request) (list []evm.Address) {
	for _, c := range r.Calls {
		if c.To != nil && len(c.Data) > 0 && !slices.Contains(list, *c.To) {
			list = append(list, *c.To)
		}
	}
	return list
}

// facts are read from the chain for the contracts and accounts of a preview.
type facts struct {
	tokens map[evm.Address]Token
	// native is the balance of the account in wei, and symbol the symbol of the native token.
	native *big.Int
	symbol string
	// code says which of the other accounts have code; nil if it could not be read.
	code map[evm.Address]bool
	// prices are in US dollars for a whole unit, by contract; the zero address is the native token. Unknown ones are absent.
	prices map[evm.Address]float64
	// unlisted are the contracts that the calls call and that are in no list. The zero address is one that would be created.
	unlisted []evm.Address
	// allowed are rights to take tokens that are left after the calls, in base units.
	allowed map[simulation.Allowance]*big.Int
}

// holder returns the account whose assets would move.
func (r Request) holder() evm.Address {
	if r.Statement != nil && r.Statement.Holder != nil {
		return *r.Statement.Holder
	}
	return r.Account
}

// facts reads tokens, balances, prices and which accounts have code, as far as they are not known. Without a node it uses only the lists.
func (p *Previewer) facts(ctx context.Context, r Request, e effect.Effects, before surroundings) (facts, error) {
	found := facts{tokens: map[evm.Address]Token{}, symbol: p.symbol(ctx, r.ChainID), native: before.native, code: before.code}
	list, others := subjectsOf(r, e)
	var unread []evm.Address
	for _, a := range list {
		t := Token{}
		if known, ok := p.lists.Find(r.ChainID, a); ok {
			t = Token{Facts: &evm.TokenFact{Symbol: known.Symbol, Name: known.Name, Decimals: known.Decimals}, Listed: true, Balance: before.balances[a]}
		}
		if t.Balance == nil {
			unread = append(unread, a)
		}
		found.tokens[a] = t
	}
	others = slices.DeleteFunc(others, func(a evm.Address) bool { _, isRead := before.code[a]; return isRead })
	var wait routine.WaitGroup
	var noCode, noPrices error
	if len(others) > 0 {
		wait.Go(ctx, func() { found.code = p.codes(ctx, r.ChainID, others, before.code) }, func(err error) { noCode = err })
	}
	wait.Go(ctx, func() { found.prices = p.pricesOf(ctx, r.ChainID, e.Changes, found.tokens) }, func(err error) { noPrices = err })
	var read evm.Reading
	var err error
	if len(unread) > 0 || found.native == nil {
		read, err = p.reader.Read(ctx, r.ChainID, append(evm.TokenFacts(unread), evm.TokenBalances(r.holder(), unread), evm.NativeBalance(r.holder())))
	}
	wait.Wait()
	if failed := cmp.Or(ctx.Err(), noCode, noPrices); failed != nil {
		return found, failed
	}
	found.unlisted = p.unlisted(r, found.code, before.delegates)
	if err == nil && len(read.Answers) > 0 {
		found.fill(unread, read)
	}
	// A preview without balances is better than none: rights to take a token whose balance is unknown count as rights to all of it.
	return found, nil
}

// subjectsOf returns the contracts of the tokens in the effects, and the other accounts of a request: spenders, called contracts, and the contract
// of a statement.
func subjectsOf(r Request, e effect.Effects) (contracts, others []evm.Address) {
	add := func(list *[]evm.Address, a evm.Address) {
		if !slices.Contains(*list, a) {
			*list = append(*list, a)
		}
	}
	for _, c := range e.Changes {
		if c.Asset.Kind != effect.Native {
			add(&contracts, c.Asset.Contract)
		}
	}
	for _, a := range e.Approvals {
		add(&contracts, a.Asset.Contract)
		add(&others, a.Spender)
	}
	for _, c := range r.Calls {
		if c.To != nil {
			add(&others, *c.To)
		}
	}
	if s := r.Statement; s != nil && s.Contract != nil {
		add(&others, *s.Contract)
	}
	return contracts, others
}

// fill adds what was read of tokens and of the account's balances.
func (f *facts) fill(list []evm.Address, reading evm.Reading) {
	read := evm.ReadTokenFacts(reading.Answers[:3])
	for i, a := range list {
		t := f.tokens[a]
		if t.Facts == nil && read[i] != nil {
			t.Facts = read[i]
		} else if t.Facts == nil {
			t.Facts = &evm.TokenFact{Symbol: reading.Answers[0][i].Text(), Name: reading.Answers[1][i].Text()}
		}
		t.Balance, _ = reading.Answers[3][i].Amount()
		f.tokens[a] = t
	}
	f.native, _ = reading.Answers[4][0].Amount()
}

// unlisted returns the called contracts that are in no list. An account that delegates (EIP-7702) runs code as they do.
func (p *Previewer) unlisted(r Request, code, delegates map[evm.Address]bool) (list []evm.Address) {
	for _, c := range r.Calls {
		var to evm.Address
		if c.To != nil {
			to = *c.To
			hasCode, isRead := code[to]
			hasCode = hasCode || delegates[to]
			if to == r.Account || isRead && !hasCode || !isRead && len(c.Data) == 0 || p.isListed(r.ChainID, to) {
				continue
			}
		}
		if !slices.Contains(list, to) {
			list = append(list, to)
		}
	}
	return list
}

// isListed reports whether a contract is a listed token, or has a name. Those that call any contract for anyone do not count.
func (p *Previewer) isListed(chainID string, contract evm.Address) bool {
	if _, ok := p.lists.Find(chainID, contract); ok {
		return true
	}
	_, ok := p.names.Name(chainID, contract)
	return ok && p.names.Spender(chainID, contract) != contracts.Public
}

// codes adds to known which accounts are contracts. It returns nil if that cannot be read.
func (p *Previewer) codes(ctx context.Context, chainID string, accounts []evm.Address, known map[evm.Address]bool) map[evm.Address]bool {
	results, err := p.connect(chainID).Batch(ctx, codeCalls(accounts)...)
	if err != nil {
		return nil
	}
	found, _, err := readCodes(accounts, results)
	if err != nil {
		return nil
	}
	maps.Copy(found, known)
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
