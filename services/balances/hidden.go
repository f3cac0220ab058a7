package balances

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

// judge says why tokens outside a chain's lists are better not shown.
type judge struct {
	// taken are the names and symbols that are somebody else's.
	taken spam.ListedNames
	// unsellable says whether nothing is paid for a token.
	unsellable func(prices.Asset) bool
}

func (r *reader) judge(n Network) judge {
	j := judge{taken: spam.ListedNames{}, unsellable: r.prices.Unsellable}
	j.taken.Add(n.Name, n.Symbol)
	for _, t := range r.tokens.On(n.ChainID) {
		j.taken.Add(t.Name, t.Symbol)
	}
	return j
}

// verdict is one of the reasons above, or empty when nothing speaks against the token.
func (j judge) verdict(asset prices.Asset, h Holding) string {
	if wrong := j.taken.Warning(h.Name, h.Symbol); wrong != "" {
		return wrong
	}
	if !h.Priced && j.unsellable(asset) {
		return HiddenNoLiquidity
	}
	return ""
}
