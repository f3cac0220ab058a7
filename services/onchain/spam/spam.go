// Package spam detects token names that advertise a web site, or that imitate a listed token.
package spam

import "regexp"

var (
	address    = regexp.MustCompile(`(?i)https?:|www\.|\bt\.me\b|\bdiscord\.gg\b`)
	domain     = regexp.MustCompile(`(?i)[a-z0-9-]\.[a-z]{2,}\b`)
	site       = regexp.MustCompile(`(?i)^\S+\.(?:com|net|org|io|xyz|app|info|site|online|top)$`)
	offerWords = regexp.MustCompile(`(?i)visit|claim|reward|airdrop|voucher|redeem|bonus|gift|free|\$\s?\d`)
	ens        = regexp.MustCompile(`(?i)\.eth\b`)
)

// NameHasLink reports whether a token's name advertises a web address: a URL, a name that is only a domain, or a domain
// beside a word such as "claim". A domain in a longer name does not count, because legitimate tokens are named after
// their site; nor does an ENS name.
func NameHasLink(name string) bool {
	if address.MatchString(name) || site.MatchString(name) {
		return true
	}
	return offerWords.MatchString(name) && domain.MatchString(ens.ReplaceAllString(name, ""))
}

// SymbolHasLink reports whether a symbol contains a web address. Unlike in a name, any domain counts.
func SymbolHasLink(symbol string) bool { return NameHasLink(symbol) || domain.MatchString(symbol) }
