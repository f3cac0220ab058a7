// Package plaintext cleans untrusted text for display, such as the name of a token or the description of an NFT.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s without invisible characters: control, bidirectional, zero-width, private-use and unassigned characters, and invalid UTF-8.
// White space is collapsed to single spaces. Text of more than limit runes is truncated to limit, with an ellipsis as the last.
// The result takes no more memory than its length.
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
		return strings.Clone(clean) // which may be a part of s
	}
	return strings.TrimSpace(string([]rune(clean)[:limit-1])) + "…"
}

// Hidden reports whether r is invisible. White space is not.
func Hidden(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) }
