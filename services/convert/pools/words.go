package pools

import (
	"math/bits"

	"github.com/holiman/uint256"
)

const (
	// maxTick is the highest tick; the lowest is its negative.
	maxTick = 887_272
	// wordTicks is how many ticks, in units of the spacing, one word of a pool's bitmap holds.
	wordTicks = 256
	// wordReach is how many words on either side of the price are read: up to 1.6 times the price with a spacing of 1, for pools of tokens of equal worth,
	// 160 times with a spacing of 10, and more with wider ones.
	wordReach = 20
)

// words returns the first and the last word of a pool's bitmap that are read for a price at a tick.
func words(tick, spacing int32) (first, last int32) {
	middle := wordOf(tick, spacing)
	return max(wordOf(-maxTick, spacing), middle-wordReach), min(wordOf(maxTick, spacing), middle+wordReach)
}

// wordOf returns the word of a tick.
func wordOf(tick, spacing int32) int32 {
	compressed := tick / spacing
	if tick%spacing < 0 {
		compressed--
	}
	return compressed >> 8
}

// span returns the first and the last tick of some words.
func span(first, last, spacing int32) (low, high int32) {
	return max(-maxTick, first*wordTicks*spacing), min(maxTick, (last*wordTicks+wordTicks-1)*spacing)
}

// initialised returns the ticks that a word marks, ascending.
func initialised(word *uint256.Int, place, spacing int32) (ticks []int32) {
	for limb, set := range word {
		for ; set != 0; set &= set - 1 {
			bit := int32(limb*64 + bits.TrailingZeros64(set))
			ticks = append(ticks, (place*wordTicks+bit)*spacing)
		}
	}
	return ticks
}
