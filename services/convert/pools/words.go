package pools

import (
	"math/bits"

	"github.com/holiman/uint256"
)

const (
	// maxTick is the last tick of the scale of prices; the first is its negative.
	maxTick = 887_272
	// wordTicks is how many ticks, counted in spacings, one word of a pool's bitmap holds.
	wordTicks = 256
	// wordReach is how many words to either side of the price's are read: to 1.6 times the price where ticks are closest, for pools of tokens
	// that are worth the same, to 160 times with the usual spacing of 10, and to more than there is of any token with wider ones.
	wordReach = 20
)

// words are the first and the last word of a pool's bitmap that are read for a price at a tick.
func words(tick, spacing int32) (first, last int32) {
	middle := wordOf(tick, spacing)
	return max(wordOf(-maxTick, spacing), middle-wordReach), min(wordOf(maxTick, spacing), middle+wordReach)
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
