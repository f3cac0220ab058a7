package nfts

import "regexp"

// hiddenLink is why a collection is hidden that wants its holders to visit a site: the usual bait.
const hiddenLink = "link"

var (
	address = regexp.MustCompile(`(?i)https?:|www\.|\bt\.me\b|\bdiscord\.gg\b`)
	domain  = regexp.MustCompile(`(?i)[a-z0-9-]\.[a-z]{2,}\b`)
	site    = regexp.MustCompile(`(?i)^\S+\.(?:com|net|org|io|xyz|app|info|site|online|top)$`)
	lure    = regexp.MustCompile(`(?i)visit|claim|reward|airdrop|voucher|redeem|bonus|gift|free|\$\s?\d`)
	ens     = regexp.MustCompile(`(?i)\.eth\b`)
)

// baits says whether a name holds a web address: outright, or a domain that is all of it or stands beside a word that lures there. A domain
// in a longer name is none, for honest collections are called after their site; nor is a name of ENS.
func baits(name string) bool {
	if address.MatchString(name) || site.MatchString(name) {
		return true
	}
	return lure.MatchString(name) && domain.MatchString(ens.ReplaceAllString(name, ""))
}

// hidden says why a collection is better not shown at first: a web address in its name, or in the names of all its tokens that have one.
func hidden(c Collection) string {
	if baits(c.Name) || baits(c.Symbol) {
		return hiddenLink
	}
	named, baited := 0, 0
	for _, p := range c.Pieces {
		if p.Says == nil || p.Says.Name == "" {
			continue
		}
		named++
		if baits(p.Says.Name) {
			baited++
		}
	}
	if named > 0 && named == baited {
		return hiddenLink
	}
	return ""
}
