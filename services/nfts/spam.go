package nfts

import "github.com/hawser-dev/hawser/services/spam"

// hiddenLink is the reason to hide a collection that advertises a web site.
const hiddenLink = "link"

// hidden returns hiddenLink if a web address is in a collection's name or symbol, or in the name of each of its tokens that have one.
func hidden(c Collection) string {
	if spam.NameHasLink(c.Name) || spam.NameHasLink(c.Symbol) {
		return hiddenLink
	}
	named, links := 0, 0
	for _, p := range c.Pieces {
		if p.Says == nil || p.Says.Name == "" {
			continue
		}
		named++
		if spam.NameHasLink(p.Says.Name) {
			links++
		}
	}
	if named > 0 && named == links {
		return hiddenLink
	}
	return ""
}
