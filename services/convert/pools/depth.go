package pools

import (
	"cmp"
	"math"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
)

// roomAfter is how much of the bound is left in use when pools are let go of, so that it does not happen at every new one.
const roomAfter = 0.9

// shrink lets go of the shallowest pools when there are more than most.
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

// keep lets go of all pools but those at some places. The blocks that were followed cannot be undone afterwards, and what was let go of is not
// looked for again: it would only have to go once more.
func (w *chainState) keep(places []int) {
	slices.Sort(places)
	entries := make([]entry, 0, len(places))
	doubtful := map[int]bool{}
	w.at = make(map[evm.Address]int, len(places))
	for _, place := range places {
		if distrusted, doubted := w.doubtful[place]; doubted {
			doubtful[len(entries)] = distrusted
		}
		w.at[w.entries[place].Address] = len(entries)
		entries = append(entries, w.entries[place])
	}
	w.entries, w.doubtful, w.changed = entries, doubtful, map[int]bool{}
	w.reshaped, w.logs = true, nil
	w.begin(w.head)
}

// depths are what pools hold, in units of the wrapped currency and as floats: for choosing among pools, never for amounts. Those that cannot
// be compared, because they hold none of the hubs, are the shallowest.
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

// hubPrices are what the hubs are worth in the wrapped currency, each by the pool that holds most of it.
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

// held are the reserves of a pool, for a v3 pool those that would make it trade as it does at its price.
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
