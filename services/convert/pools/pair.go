package pools

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// pair is two tokens, sorted by address as in pools.
type pair [2]evm.Address

func pairOf(a, b evm.Address) pair {
	token0, token1 := dex.Sort(a, b)
	return pair{token0, token1}
}

// pairsAbout returns the pairs whose pools matter for trades between tokens: each token with each hub, and with every
// other token.
func pairsAbout(hubs, tokens []evm.Address) (pairs []pair) {
	seen := map[pair]bool{}
	add := func(a, b evm.Address) {
		p := pairOf(a, b)
		if a == b || seen[p] || a == (evm.Address{}) || b == (evm.Address{}) {
			return
		}
		seen[p] = true
		pairs = append(pairs, p)
	}
	for i, token := range tokens {
		for _, hub := range hubs {
			add(token, hub)
		}
		for _, other := range tokens[:i] {
			add(token, other)
		}
	}
	return pairs
}

// inPools replaces the native currency by its wrapped token.
func inPools(wrapped evm.Address, tokens []evm.Address) []evm.Address {
	inside := slices.Clone(tokens)
	for i, token := range inside {
		if token == evm.Native {
			inside[i] = wrapped
		}
	}
	return inside
}

// maxPairs bounds a pairSet. Of more pairs, the eighth that was used longest ago is dropped; such a pair is searched again when it is needed.
const maxPairs = 50_000

// pairSet is the set of pairs whose pools were searched, with the number of the last use of each.
type pairSet struct {
	pairs map[pair]uint64
	uses  *uint64
}

func newPairSet() pairSet { return pairSet{map[pair]uint64{}, new(uint64)} }

func (s pairSet) has(p pair) bool {
	_, ok := s.pairs[p]
	return ok
}

func (s pairSet) drop(p pair) { delete(s.pairs, p) }

// missing returns the pairs that are not in the set, and uses the others.
func (s pairSet) missing(pairs []pair) (list []pair) {
	*s.uses++
	for _, p := range pairs {
		if !s.has(p) {
			list = append(list, p)
			continue
		}
		s.pairs[p] = *s.uses
	}
	return list
}

// note adds pairs.
func (s pairSet) note(pairs []pair) {
	*s.uses++
	for _, p := range pairs {
		s.pairs[p] = *s.uses
	}
	if len(s.pairs) <= maxPairs {
		return
	}
	oldest := slices.SortedFunc(maps.Keys(s.pairs), func(a, b pair) int { return cmp.Compare(s.pairs[a], s.pairs[b]) })
	for _, p := range oldest[:len(oldest)-maxPairs*7/8] {
		delete(s.pairs, p)
	}
}

// unique returns the pairs without duplicates.
func unique(pairs []pair) (list []pair) {
	seen := make(map[pair]bool, len(pairs))
	for _, p := range pairs {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}
