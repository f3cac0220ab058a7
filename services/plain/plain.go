// Package plain cleans text that strangers wrote, such as the name of a token or the description of an NFT, before anybody reads it.
package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s without what a reader cannot see: control characters, characters that change the direction of writing, zero-width
// characters, private and unassigned ones, and bytes that are no UTF-8. White space is folded to single spaces, and the text is cut to at
// most limit runes, the last of which is then an ellipsis.
func Text(s string, limit int) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case Hidden(r):
			return -1
		default:
			return r
		}
	}, s)
	clean = strings.Join(strings.Fields(clean), " ")
	if utf8.RuneCountInString(clean) <= limit {
		return clean
	}
	return strings.TrimSpace(string([]rune(clean)[:limit-1])) + "…"
}

// Hidden reports whether a reader cannot see r, white space aside.
func Hidden(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) }
