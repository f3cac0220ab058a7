package route

import "github.com/holiman/uint256"

// Model is one pool's arithmetic at one state, bit-equal to its contract. A model is immutable and safe for concurrent use.
type Model interface {
	// Swap trades an exact input, in base units: token0 for token1 when zeroForOne, else the other way. It returns what is paid, in base
	// units, and the pool as the trade leaves it. ok is false when the contract would revert or could not take all of the input.
	Swap(in *uint256.Int, zeroForOne bool) (out uint256.Int, after Model, ok bool)

	// quote is Swap without the state after it, and without allocation.
	quote(in *uint256.Int, side side) (out uint256.Int, ok bool)
	// curve is the pool as the search sees it.
	curve() curve
}

// side is the token that goes into a pool: 0 for token0, 1 for token1.
type side uint8

func sideOf(zeroForOne bool) side {
	if zeroForOne {
		return 0
	}
	return 1
}

func (s side) zeroForOne() bool { return s == 0 }
