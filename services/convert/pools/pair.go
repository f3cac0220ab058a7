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
