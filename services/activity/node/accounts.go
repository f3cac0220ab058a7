package node

import (
	"bytes"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Accounts is a set of accounts: a sorted list, which takes 20 bytes for each. A chain may have very many that are followed, and each block is searched for few.
type Accounts []evm.Address

// AccountsOf returns the set of the accounts of a list, which is the list itself if that is sorted.
func AccountsOf(list []evm.Address) Accounts {
	if !slices.IsSortedFunc(list, compare) {
		list = slices.Clone(list)
		slices.SortFunc(list, compare)
	}
	return list
}

// Has reports whether an account is in the set.
func (s Accounts) Has(a evm.Address) bool {
	_, found := slices.BinarySearchFunc(s, a, compare)
	return found
}

func compare(a, b evm.Address) int { return bytes.Compare(a[:], b[:]) }
