package pools

import (
	"slices"

	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
)

// pair is two tokens in the order in which pools have them.
type pair [2]evm.Address

func pairOf(a, b evm.Address) pair {
	token0, token1 := venues.Sort(a, b)
	return pair{token0, token1}
}

// pairsAbout are the pairs whose pools matter for trades between tokens: each with each hub, and each with each other.
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

// inPools are the tokens as pools know them: the chain's own currency is its wrapped token there.
func inPools(wrapped evm.Address, tokens []evm.Address) []evm.Address {
	inside := slices.Clone(tokens)
	for i, token := range inside {
		if token == evm.Native {
			inside[i] = wrapped
		}
	}
	return inside
}

// lookedAtMost bounds how many pairs are remembered of which the pools were looked for. The pairs of listed tokens and hubs come back by
// themselves, all others when they are asked for again.
const lookedAtMost = 50_000

// pairSet is the pairs whose pools were looked for.
type pairSet struct{ pairs map[pair]struct{} }

func newPairSet() pairSet { return pairSet{map[pair]struct{}{}} }

func (l pairSet) has(p pair) bool {
	_, looked := l.pairs[p]
	return looked
}

// missing are those of pairs that were not looked for.
func (l pairSet) missing(pairs []pair) (list []pair) {
	for _, p := range pairs {
		if !l.has(p) {
			list = append(list, p)
		}
	}
	return list
}

// note remembers pairs; some others are forgotten when they are too many.
func (l pairSet) note(pairs []pair) {
	for _, p := range pairs {
		l.pairs[p] = struct{}{}
	}
	for p := range l.pairs {
		if len(l.pairs) <= lookedAtMost {
			return
		}
		delete(l.pairs, p)
	}
}

// unique are the pairs without those that come twice.
func unique(pairs []pair) (list []pair) {
	seen := newPairSet()
	for _, p := range pairs {
		if !seen.has(p) {
			seen.pairs[p] = struct{}{}
			list = append(list, p)
		}
	}
	return list
}
