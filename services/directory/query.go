package directory

import (
	"slices"
	"strings"
)

// Query selects wallets. Its zero value selects all.
type Query struct {
	// Search is a part of the name, in any letter case.
	Search string
	// Chains are CAIP-2 ids. A wallet must support at least one of them.
	Chains []string
	// Include are the ids to select from, and Exclude those to leave out.
	Include, Exclude []string
	// Certified selects wallets with or without the badge; nil selects both.
	Certified *bool
	// Reach are ways to reach a wallet: a relay, ByBrowser or ByScheme. A wallet must have at least one of them.
	Reach []string
}

// matches reports whether the query selects a wallet.
func (q Query) matches(w Wallet) bool {
	return (q.Search == "" || strings.Contains(strings.ToLower(w.Name), strings.ToLower(q.Search))) &&
		(len(q.Chains) == 0 || w.worksOn(q.Chains)) &&
		(len(q.Include) == 0 || slices.Contains(q.Include, w.ID)) &&
		!slices.Contains(q.Exclude, w.ID) &&
		(q.Certified == nil || *q.Certified == w.Certified) &&
		(len(q.Reach) == 0 || w.isReached(q.Reach))
}

// Listed is a wallet with its position in the directory, from 1.
type Listed struct {
	Wallet
	Order int
}

// Directory is a list of wallets. It does not change.
type Directory []Wallet

// Select returns one page, from 1, of the wallets that a query selects, and the number of wallets on all pages.
func (d Directory) Select(q Query, page, entries int) (selected []Listed, count int) {
	first := (page - 1) * entries
	for i, w := range d {
		if !q.matches(w) {
			continue
		}
		if count >= first && len(selected) < entries {
			selected = append(selected, Listed{w, i + 1})
		}
		count++
	}
	return selected, count
}
