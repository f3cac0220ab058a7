package route

import (
	"math"

	"github.com/holiman/uint256"
)

// integer rounds a float down to a 256-bit integer: 2^256-1 for larger numbers, 0 for negative ones and NaN.
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
