package balances

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/hawser-dev/hawser/services/bait"
	"github.com/hawser-dev/hawser/services/balances/prices"
)

// Why a token outside the lists is better not shown at first.
const (
	// HiddenLink is a web address where a name should be.
	HiddenLink = "link"
	// HiddenLookAlike is the symbol of a listed token, or of the native currency, at another address.
	HiddenLookAlike = "look_alike"
	// HiddenNoLiquidity is a token that cannot be sold for anything with a price.
	HiddenNoLiquidity = "no_liquidity"
)

// confusables are letters and digits that look like a Latin letter, in lower case.
var confusables = map[rune]rune{
	'0': 'o', '1': 'l', '|': 'l', '$': 's', '5': 's', 'i': 'l', 'ı': 'l',
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ғ': 'f', 'һ': 'h', 'і': 'l', 'ј': 'j', 'к': 'k', 'ӏ': 'l', 'м': 'm', 'н': 'h',
	'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's', 'т': 't', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', 'ь': 'b',
	'α': 'a', 'β': 'b', 'ε': 'e', 'ζ': 'z', 'η': 'h', 'ι': 'l', 'κ': 'k', 'μ': 'm', 'ν': 'n', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'y', 'χ': 'x',
	'ᴀ': 'a', 'ʙ': 'b', 'ᴄ': 'c', 'ᴅ': 'd', 'ᴇ': 'e', 'ꜰ': 'f', 'ɢ': 'g', 'ʜ': 'h', 'ɪ': 'l', 'ᴋ': 'k', 'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o',
	'ᴘ': 'p', 'ʀ': 'r', 'ꜱ': 's', 'ᴛ': 't', 'ᴜ': 'u',
}

// looks is a symbol as the eye takes it: without case, marks, spaces and dots, and with every letter in its Latin shape.
func looks(symbol string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if latin, ok := confusables[r]; ok {
			return latin
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(symbol))
}

// judge says why tokens outside a chain's lists are better not shown.
type judge struct {
	// taken are the looks of the symbols that are somebody else's.
	taken map[string]bool
	// unsellable says whether nothing is paid for a token.
	unsellable func(prices.Asset) bool
}

func (l *ledger) judge(n Network) judge {
	j := judge{taken: map[string]bool{looks(n.Symbol): true}, unsellable: l.prices.Unsellable}
	for _, t := range l.tokens.On(n.ChainID) {
		j.taken[looks(t.Symbol)] = true
	}
	return j
}

// verdict is one of the reasons above, or empty when nothing speaks against the token.
func (j judge) verdict(asset prices.Asset, h Holding) string {
	switch {
	case bait.Name(h.Name), bait.Symbol(h.Symbol), bait.Name(h.Name + " " + h.Symbol):
		return HiddenLink
	case j.taken[looks(h.Symbol)]:
		return HiddenLookAlike
	case !h.Priced && j.unsellable(asset):
		return HiddenNoLiquidity
	default:
		return ""
	}
}
