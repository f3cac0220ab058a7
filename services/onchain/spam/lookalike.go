package spam

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Warnings about the name or the symbol of a token that is not listed.
const (
	// Link means that the name or symbol contains a web address.
	Link = "link"
	// LookAlike means that the name or symbol looks like that of a listed token, or of the native currency.
	LookAlike = "look_alike"
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

// skeleton returns text in lower case, without marks, spaces and punctuation, and with each confusable letter replaced by its Latin look-alike.
// Two texts with the same skeleton look alike (compare Unicode TR39).
func skeleton(text string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if latin, ok := confusables[r]; ok {
			return latin
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}

// ListedNames is the set of names and symbols of listed tokens, by skeleton.
type ListedNames map[string]bool

// Add adds names and symbols.
func (t ListedNames) Add(texts ...string) {
	for _, text := range texts {
		if s := skeleton(text); s != "" {
			t[s] = true
		}
	}
}

// Warning returns [Link] or [LookAlike] for a token that is not listed, or the empty string.
func (t ListedNames) Warning(name, symbol string) string {
	switch {
	case NameHasLink(name), SymbolHasLink(symbol), NameHasLink(name + " " + symbol):
		return Link
	case t[skeleton(symbol)], t[skeleton(name)]:
		return LookAlike
	default:
		return ""
	}
}
