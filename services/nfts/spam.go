package nfts

import "regexp"

// hiddenLink is why a collection is hidden that wants its holders to visit a site: the usual bait.
const hiddenLink = "link"

// link finds a web address in a name. Names that end in .eth and the like are names of people, and stay.
var link = regexp.MustCompile(`(?i)https?:|www\.|\bt\.me/|\bdiscord\.gg/|[a-z0-9-]\s?\.\s?(?:com|net|org|io|xyz|app|info|site|online|top|club|live|vip|pro|gg|co|me|cc|fi|fun|lol|world|network|finance|cash|claims|gift|events|lat|cfd)\b`)

// hidden says why a collection is better not shown at first: a web address in its name, or in the names of all its tokens that have one.
func hidden(c Collection) string {
	if link.MatchString(c.Name) || link.MatchString(c.Symbol) {
		return hiddenLink
	}
	named, baited := 0, 0
	for _, p := range c.Pieces {
		if p.Says == nil || p.Says.Name == "" {
			continue
		}
		named++
		if link.MatchString(p.Says.Name) {
			baited++
		}
	}
	if named > 0 && named == baited {
		return hiddenLink
	}
	return ""
}
