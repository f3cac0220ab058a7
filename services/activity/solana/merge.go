package solana

import "github.com/hawser-dev/hawser/services/onchain/svm"

// entry is a transaction in the list of an account.
type entry struct {
	signature svm.Signature
	slot      uint64
	// time is the block's, in seconds since 1970; 0 if it is not known.
	time   int64
	failed bool
	// final is set if no fork can remove the transaction.
	final bool
}

// horizon returns the highest slot at which a list may have been cut: lists with limit entries may continue. It returns
// false if every list is complete.
func horizon(lists [][]entry, limit int) (slot uint64, cut bool) {
	for _, l := range lists {
		if len(l) >= limit {
			slot, cut = max(slot, l[len(l)-1].slot), true
		}
	}
	return slot, cut
}

// merge joins lists, each with the newest entry first, without duplicates. Entries of one slot keep their order in the
// lists.
func merge(lists [][]entry) (merged []entry) {
	containing := map[svm.Signature]int{}
	for _, l := range lists {
		for _, e := range l {
			containing[e.signature]++
		}
	}
	rest := append([][]entry(nil), lists...)
	taken := map[svm.Signature]bool{}
	for {
		var next *entry
		first := map[svm.Signature]int{}
		for i := range rest {
			for len(rest[i]) > 0 && taken[rest[i][0].signature] {
				rest[i] = rest[i][1:]
			}
			if len(rest[i]) > 0 {
				first[rest[i][0].signature]++
			}
		}
		for _, l := range rest {
			if len(l) == 0 {
				continue
			}
			e := &l[0]
			// An entry that follows another one in any list is older than that one.
			isFirst := first[e.signature] == containing[e.signature]
			if next == nil || e.slot > next.slot || e.slot == next.slot && isFirst && first[next.signature] != containing[next.signature] {
				next = e
			}
		}
		if next == nil {
			return merged
		}
		taken[next.signature] = true
		merged = append(merged, *next)
	}
}

// cutPage returns the first entries, and the entries after them that have the same slot, so that a page ends within a
// slot only if the slot has very many entries.
func cutPage(merged []entry) (page []entry, more bool) {
	end := min(pageSize, len(merged))
	for end > 0 && end < min(len(merged), maxPage) && merged[end].slot == merged[end-1].slot {
		end++
	}
	return merged[:end], end < len(merged)
}
