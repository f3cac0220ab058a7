package route

import (
	"math"

	"github.com/holiman/uint256"
)

// integer rounds a float down to an integer of 256 bits; what is above is the greatest, and what is no positive number is 0.
func integer(f float64) (n uint256.Int) {
	if !(f >= 1) {
		return n
	}
	if f >= 1<<256 {
		n.SetAllOne()
		return n
	}
	fraction, exponent := math.Frexp(f)
	n.SetUint64(uint64(math.Ldexp(fraction, 53)))
	if exponent >= 53 {
		n.Lsh(&n, uint(exponent-53))
	} else {
		n.Rsh(&n, uint(53-exponent))
	}
	return n
}
