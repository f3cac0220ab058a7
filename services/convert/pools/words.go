package pools

import (
	"math"
	"math/bits"

	"github.com/holiman/uint256"
)

const (
	// maxTick is the last tick of the scale of prices; the first is its negative.
	maxTick = 887_272
	// wordTicks is how many ticks, counted in spacings, one word of a pool's bitmap holds.
	wordTicks = 256
	// wholeSpacing is the spacing from which on all words are read: at most 140 of them.
	wholeSpacing = 50
	// tickReach and wordReach bound how far from the price words are read where there are more: to about 3,600 times the price, or 64 words.
	tickReach = 81_920
	wordReach = 64
)

// words are the first and the last word of a pool's bitmap that are read for a price at a tick.
func words(tick, spacing int32) (first, last int32) {
	first, last = wordOf(-maxTick, spacing), wordOf(maxTick, spacing)
	if spacing >= wholeSpacing {
		return first, last
	}
	reach := min(wordReach, int32(math.Ceil(float64(tickReach)/float64(spacing*wordTicks))))
	middle := wordOf(tick, spacing)
	return max(first, middle-reach), min(last, middle+reach)
}

// wordOf is the word in which a tick stands.
func wordOf(tick, spacing int32) int32 {
	compressed := tick / spacing
	if tick%spacing < 0 {
		compressed--
	}
	return compressed >> 8
}

// span is the first and the last tick of some words.
func span(first, last, spacing int32) (low, high int32) {
	return max(-maxTick, first*wordTicks*spacing), min(maxTick, (last*wordTicks+wordTicks-1)*spacing)
}

// initialised are the ticks that a word marks, ascending.
func initialised(word *uint256.Int, place, spacing int32) (ticks []int32) {
	for limb, set := range word {
		for ; set != 0; set &= set - 1 {
			bit := int32(limb*64 + bits.TrailingZeros64(set))
			ticks = append(ticks, (place*wordTicks+bit)*spacing)
		}
	}
	return ticks
}
