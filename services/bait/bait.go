// Package bait tells the names of tokens that want their holder to visit a site: the usual trick of a token that nobody asked for.
package bait

import "regexp"

var (
	address = regexp.MustCompile(`(?i)https?:|www\.|\bt\.me\b|\bdiscord\.gg\b`)
	domain  = regexp.MustCompile(`(?i)[a-z0-9-]\.[a-z]{2,}\b`)
	site    = regexp.MustCompile(`(?i)^\S+\.(?:com|net|org|io|xyz|app|info|site|online|top)$`)
	lure    = regexp.MustCompile(`(?i)visit|claim|reward|airdrop|voucher|redeem|bonus|gift|free|\$\s?\d`)
	ens     = regexp.MustCompile(`(?i)\.eth\b`)
)

// Name says whether a name holds a web address: outright, or a domain that is all of it or stands beside a word that lures there. A domain
// in a longer name is none, for honest tokens are called after their site; nor is a name of ENS.
func Name(name string) bool {
	if address.MatchString(name) || site.MatchString(name) {
		return true
	}
	return lure.MatchString(name) && domain.MatchString(ens.ReplaceAllString(name, ""))
}

// Symbol says whether a ticker holds a web address. No honest one holds a domain.
func Symbol(symbol string) bool { return Name(symbol) || domain.MatchString(symbol) }
