package index

import (
	"bytes"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Following is what a process knows of the accounts of a chain whose new blocks are read. The zero value knows nothing.
type Following struct {
	// Version changes when an account begins to be followed, or stops.
	Version int64
	// Accounts are those that are followed at this version. Some may have been dropped since.
	Accounts node.Accounts
	// More is set if there are other accounts that begin or stop to be followed with the next call.
	More bool
	// Read is when all accounts were listed, Ranked when those were chosen that are followed, of too many, and Waited when the others got windows.
	Read, Ranked, Waited time.Time
}

// With returns the accounts after a change. Its cost is that of a copy, because a change names few of them.
func (f Following) With(begun, stopped []evm.Address) node.Accounts {
	compare := func(a, b evm.Address) int { return bytes.Compare(a[:], b[:]) }
	changes := slices.Concat(begun, stopped)
	slices.SortFunc(changes, compare)
	begins := make(map[evm.Address]bool, len(begun))
	for _, a := range begun {
		begins[a] = true
	}
	changed := make(node.Accounts, 0, len(f.Accounts)+len(begun))
	rest := f.Accounts
	for _, a := range slices.Compact(changes) {
		at, found := slices.BinarySearchFunc(rest, a, compare)
		changed, rest = append(changed, rest[:at]...), rest[at:]
		if found {
			rest = rest[1:]
		}
		if begins[a] {
			changed = append(changed, a)
		}
	}
	return append(changed, rest...)
}
