package bait

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// What is wrong with the name or the symbol of a token outside the lists.
const (
	// Link is a web address where a name should be.
	Link = "link"
	// LookAlike is the name or the symbol of a listed token, or of the native currency, at another address.
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

// skeleton is a text as the eye takes it: without case, marks, spaces and dots, and with every letter in its Latin shape. Two texts with one
// skeleton look alike.
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

// Taken holds the names and symbols of listed tokens, as the eye takes them.
type Taken map[string]bool

// Add takes names and symbols.
func (t Taken) Add(texts ...string) {
	for _, text := range texts {
		if s := skeleton(text); s != "" {
			t[s] = true
		}
	}
}

// Verdict returns what is wrong with a token outside the lists: [Link], [LookAlike], or empty.
func (t Taken) Verdict(name, symbol string) string {
	switch {
	case Name(name), Symbol(symbol), Name(name + " " + symbol):
		return Link
	case t[skeleton(symbol)], t[skeleton(name)]:
		return LookAlike
	default:
		return ""
	}
}
