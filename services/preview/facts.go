package preview

import (
	"cmp"
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/minimum"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// facts are read from the chain for the contracts and accounts of a preview.
type facts struct {
	tokens map[evm.Address]Token
	// native is the balance of the account in wei, and symbol the symbol of the native token.
	native *big.Int
	symbol string
	// code says which of the other accounts have code, and delegates which of those that were not read before only delegate (EIP-7702); nil if that could not be read.
	code, delegates map[evm.Address]bool
	// prices are in US dollars for a whole unit, by contract; the zero address is the native token. Unknown ones are absent.
	prices map[evm.Address]float64
	// unlisted are the contracts that the calls call and that are in no list. The zero address is one that would be created.
	unlisted []evm.Address
	// guaranteed are the least amounts that the calls bring; nil if all counts that arrives.
	guaranteed minimum.Amounts
	// deposits are what known vaults keep for the account.
	deposits []effect.Deposit
	// isMisdescribed reports whether descriptors say another token or amount than the effects have.
	isMisdescribed bool
	// isLimited reports whether a delegation has a caveat that bounds it.
	isLimited bool
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

// facts reads tokens, balances, prices and which accounts have code, as far as they are not known; named are more tokens. Without a node it uses only the lists.
func (p *Previewer) facts(ctx context.Context, r Request, e effect.Effects, before surroundings, named []evm.Address) (facts, error) {
	found := facts{tokens: map[evm.Address]Token{}, symbol: p.symbol(ctx, r.ChainID), native: before.native, code: before.code}
	list, others := subjectsOf(r, e)
	for _, a := range named {
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
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
		wait.Go(ctx, func() { found.code, found.delegates = p.codes(ctx, r.ChainID, others, before.code) }, func(err error) { noCode = err })
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
	for _, c := range e.Controls {
		add(&others, c.Contract)
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

// codes adds to known which accounts are contracts, and returns which only delegate. It returns nil if that cannot be read.
func (p *Previewer) codes(ctx context.Context, chainID string, accounts []evm.Address, known map[evm.Address]bool) (code, delegates map[evm.Address]bool) {
	results, err := p.connect(chainID).Batch(ctx, codeCalls(accounts)...)
	if err != nil {
		return nil, nil
	}
	code, delegates, err = readCodes(accounts, results)
	if err != nil {
		return nil, nil
	}
	maps.Copy(code, known)
	return code, delegates
}

// deposits returns what the calls deposit in known vaults for the account.
func (p *Previewer) deposits(r Request) (list []effect.Deposit) {
	for _, c := range r.Calls {
		if c.To == nil || !p.names.IsVault(r.ChainID, *c.To) {
			continue
		}
		if d, ok := effect.DepositOf(r.Account, c); ok {
			list = append(list, d)
		}
	}
	return list
}

// isDeposit reports whether a flow is what a known vault keeps for the account.
func (f facts) isDeposit(o flow) bool {
	return slices.ContainsFunc(f.deposits, func(d effect.Deposit) bool { return d.Covers(o.asset, o.amount) })
}

// made reports whether a contract is made by the calls: it had no code before. An account that delegates has some.
func (f facts) made(contract evm.Address) bool {
	hasCode, isRead := f.code[contract]
	isDelegate, isNew := f.delegates[contract]
	return isRead && !hasCode && isNew && !isDelegate
}

// listedNames returns the names of the listed tokens of a chain.
func (p *Previewer) listedNames(chainID string) spam.ListedNames {
	listed := spam.ListedNames{}
	for _, known := range p.lists.On(chainID) {
		listed.Add(known.Name, known.Symbol)
	}
	return listed
}

// isImitation reports whether an unlisted token imitates a listed one or carries a web address.
func isImitation(listed spam.ListedNames, t Token) bool {
	return !t.Listed && t.Facts != nil && listed.Warning(t.Facts.Name, t.Facts.Symbol) != ""
}
