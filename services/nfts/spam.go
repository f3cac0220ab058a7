package nfts

import "github.com/hawser-dev/hawser/services/bait"

// hiddenLink is why a collection is hidden that wants its holders to visit a site.
const hiddenLink = "link"

// hidden says why a collection is better not shown at first: a web address in its name, or in the names of all its tokens that have one.
func hidden(c Collection) string {
	if bait.Name(c.Name) || bait.Name(c.Symbol) {
		return hiddenLink
	}
	named, baited := 0, 0
	for _, p := range c.Pieces {
		if p.Says == nil || p.Says.Name == "" {
			continue
		}
		named++
		if bait.Name(p.Says.Name) {
			baited++
		}
	}
	if named > 0 && named == baited {
		return hiddenLink
	}
	return ""
}
