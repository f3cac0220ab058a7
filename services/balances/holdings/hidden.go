package holdings

import (
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/spam"
)

// Why a token outside the lists is better not shown at first.
const (
	// HiddenLink is a web address where a name should be.
	HiddenLink = spam.Link
	// HiddenLookAlike is the name or the symbol of a listed token, or of the native currency, at another address.
	HiddenLookAlike = spam.LookAlike
	// HiddenNoLiquidity is a token that cannot be sold for anything with a price.
	HiddenNoLiquidity = "no_liquidity"
)

// Visibility says why tokens outside a chain's lists are better not shown.
type Visibility struct {
	// Taken are the names and symbols that are somebody else's.
	Taken spam.ListedNames
	// Unsellable says whether nothing is paid for a token.
	Unsellable func(prices.Asset) bool
}

func (r *Reader) visibilityOn(n Network) Visibility {
	j := Visibility{Taken: spam.ListedNames{}, Unsellable: r.Prices.Unsellable}
	j.Taken.Add(n.Name, n.Symbol)
	for _, t := range r.Tokens.On(n.ChainID) {
		j.Taken.Add(t.Name, t.Symbol)
	}
	return j
}

// HiddenBecause is one of the reasons above, or empty when nothing speaks against the token.
func (j Visibility) HiddenBecause(asset prices.Asset, h Holding) string {
	if wrong := j.Taken.Warning(h.Name, h.Symbol); wrong != "" {
		return wrong
	}
	if !h.Priced && j.Unsellable(asset) {
		return HiddenNoLiquidity
	}
	return ""
}
