package holdings

import (
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/spam"
)

// Reasons to hide a token outside the lists by default.
const (
	// HiddenLink marks a web address in the name or symbol.
	HiddenLink = spam.Link
	// HiddenLookAlike marks the name or symbol of a listed token, or of the native currency, at another address.
	HiddenLookAlike = spam.LookAlike
	// HiddenNoLiquidity marks a token that no pool buys.
	HiddenNoLiquidity = "no_liquidity"
)

// Visibility decides which tokens outside a chain's lists are hidden.
type Visibility struct {
	// Taken are the names and symbols of listed tokens.
	Taken spam.ListedNames
	// Unsellable reports whether no pool buys a token.
	Unsellable func(prices.Asset) bool
	// Unpriced returns why the pools of a token give it no price.
	Unpriced func(prices.Asset) string
}

func (r *Reader) visibilityOn(n Network) Visibility {
	return Visibility{Taken: r.listedNames(n), Unsellable: r.Prices.Unsellable, Unpriced: r.Prices.Unpriced}
}

// listedNames returns the names of the tokens of a network. They are built once: a list does not change while the process runs.
func (r *Reader) listedNames(n Network) spam.ListedNames {
	if built, ok := r.listed.Load(n); ok {
		return built.(spam.ListedNames)
	}
	names := spam.ListedNames{}
	names.Add(n.Name, n.Symbol)
	for _, t := range r.Tokens.On(n.ChainID) {
		names.Add(t.Name, t.Symbol)
	}
	r.listed.Store(n, names)
	return names
}

// HiddenBecause returns one of the reasons above; empty to show the token.
func (j Visibility) HiddenBecause(asset prices.Asset, h Holding) string {
	if wrong := j.Taken.Warning(h.Name, h.Symbol); wrong != "" {
		return wrong
	}
	if !h.Priced && j.Unsellable(asset) {
		return HiddenNoLiquidity
	}
	return ""
}
