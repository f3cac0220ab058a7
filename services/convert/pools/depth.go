package pools

import (
	"cmp"
	"math"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// roomAfter is the share of the bound that remains in use after pools were dropped, so that not every new pool drops others.
const roomAfter = 0.9

// shrink drops the shallowest pools if there are more than most.
func (w *chainState) shrink(most int) {
	if len(w.entries) <= most {
		return
	}
	depths := w.depths()
	order := make([]int, len(w.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depths[b], depths[a]) })
	w.keep(order[:int(float64(most)*roomAfter)])
}

// keep drops all pools except those at some indexes. It discards the trail, and the dropped pools are not searched again: they would only be dropped once
// more.
func (w *chainState) keep(places []int) {
	slices.Sort(places)
	before := w.entries
	stale := map[int]bool{}
	w.entries, w.at, w.charging = make([]entry, 0, len(places)), make(map[evm.Address]int, len(places)), nil
	for _, place := range places {
		if distrusted, isStale := w.stale[place]; isStale {
			stale[len(w.entries)] = distrusted
		}
		w.append(before[place])
	}
	w.stale, w.changed = stale, map[int]bool{}
	w.reshaped, w.renumbered, w.logs = true, true, nil
	w.begin(w.head)
}

// depths returns the liquidity of pools in units of the wrapped currency, as floats: for choosing among pools, never for amounts. A pool without a hub is
// the shallowest.
func (w *chainState) depths() []float64 {
	prices := w.hubPrices()
	depths := make([]float64, len(w.entries))
	for i := range w.entries {
		e := &w.entries[i]
		held0, held1 := held(e.state)
		depths[i] = max(held0*prices[e.Token0], held1*prices[e.Token1])
	}
	return depths
}

// hubPrices returns the prices of the hubs in the wrapped currency, each by the pool that holds most of it.
func (w *chainState) hubPrices() map[evm.Address]float64 {
	wrapped := w.chain.Wrapped
	prices := map[evm.Address]float64{wrapped: 1}
	deepest := map[evm.Address]float64{}
	for i := range w.entries {
		e := &w.entries[i]
		held0, held1 := held(e.state)
		hub, against := e.Token0, held1/held0
		if e.Token0 == wrapped {
			hub, held1, against = e.Token1, held0, held0/held1
		}
		if (e.Token0 == wrapped || e.Token1 == wrapped) && slices.Contains(w.chain.Hubs, hub) && held1 > deepest[hub] {
			deepest[hub], prices[hub] = held1, against
		}
	}
	return prices
}

// held returns the reserves of a pool; for a v3 pool the virtual ones at its price.
func held(s state) (held0, held1 float64) {
	switch s := s.(type) {
	case *reserves:
		return s[0].Float64(), s[1].Float64()
	case *position:
		if s.sqrtPrice.IsZero() {
			return 0, 0
		}
		root := s.sqrtPrice.Float64() / math.Exp2(96)
		liquidity := s.liquidity.Float64()
		return liquidity / root, liquidity * root
	default:
		return 0, 0
	}
}
