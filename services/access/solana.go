package access

import (
	"context"
	"math/big"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// halfOf64 is half of the largest amount of a token account.
var halfOf64 = new(big.Int).Lsh(big.NewInt(1), 63)

// solanaLister lists the delegates of token accounts.
type solanaLister struct {
	connect func(chainID string) chainclient.Transport
	facts   *svm.Facts
	lists   *tokens.Lists
	prices  HeldPrices
	// native returns the name and the symbol of a chain's native token.
	native  func(ctx context.Context, chainID string) chainclient.Currency
	timeout time.Duration
}

// List returns the approvals of an account, with values in a currency. The error wraps [ErrUnavailable].
func (l *solanaLister) List(ctx context.Context, chainID string, owner svm.Address, currency string) (Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	accounts, more, err := svm.ReadDelegated(ctx, l.connect(chainID), owner)
	if err != nil {
		return Listing{}, unavailable(chainID, err)
	}
	if len(accounts) > listedMost {
		accounts, more = accounts[:listedMost], true
	}
	facts, err := l.facts.Read(ctx, chainID, mintsOf(accounts))
	if err != nil {
		return Listing{}, unavailable(chainID, err)
	}
	list := Listing{Truncated: more}
	names := l.listedNames(ctx, chainID)
	for _, a := range accounts {
		if fact, isToken := facts[a.Mint]; isToken && a.Delegated > 0 {
			approval := delegated(chainID, a, fact)
			approval.Token = l.token(chainID, a.Mint, fact, names)
			list.Approvals = append(list.Approvals, approval)
		}
	}
	list.value(l.prices.PricesHeld(ctx, chainID, owner.String(), currency, list.priced()))
	list.sort()
	return list, nil
}

// mintsOf returns the mints of token accounts, each once.
func mintsOf(accounts []svm.Delegated) (mints []svm.Address) {
	seen := map[svm.Address]bool{}
	for _, a := range accounts {
		if !seen[a.Mint] {
			seen[a.Mint] = true
			mints = append(mints, a.Mint)
		}
	}
	return mints
}

// delegated returns what the delegate of a token account may take. An address on the curve has a key; others are of programs.
func delegated(chainID string, a svm.Delegated, fact svm.Fact) Approval {
	allowance := new(big.Int).SetUint64(a.Delegated)
	return Approval{
		Kind: Delegate, Allowance: allowance, AtRisk: least(allowance, new(big.Int).SetUint64(a.Units)),
		Unlimited:    isUnlimited(allowance, halfOf64, new(big.Int).SetUint64(fact.Supply)),
		Spender:      Spender{ID: chainID + ":" + a.Delegate.String(), HasNoCode: a.Delegate.IsOnCurve()},
		TokenAccount: a.Address.String(),
	}
}

// token describes a mint by its entry in the token list, or by its metadata.
func (l *solanaLister) token(chainID string, mint svm.Address, fact svm.Fact, names spam.ListedNames) Token {
	if t, listed := l.lists.Mint(chainID, mint); listed {
		return Token{ID: t.ID, Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, Icon: t.Icon}
	}
	return Token{ID: chainID + ":" + mint.String(), Name: fact.Name, Symbol: fact.Symbol, Decimals: fact.Decimals, Warning: names.Warning(fact.Name, fact.Symbol)}
}

// listedNames returns the names of the native and the listed tokens of a chain.
func (l *solanaLister) listedNames(ctx context.Context, chainID string) spam.ListedNames {
	return namesOf(l.native(ctx, chainID), l.lists.Mints(chainID))
}
