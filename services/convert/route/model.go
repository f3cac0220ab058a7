package route

import "github.com/holiman/uint256"

// Model is one pool's arithmetic at one state, bit-equal to its contract. A model is immutable and safe for concurrent use.
type Model interface {
	// Swap trades an exact input in base units: token0 for token1 if zeroForOne, else token1 for token0. It returns the output in base units, and the pool
	// after the trade. ok is false if the contract would revert or could not take the whole input.
	Swap(in *uint256.Int, zeroForOne bool) (out uint256.Int, after Model, ok bool)

	// quote is Swap without the state after it, and without allocation.
	quote(in *uint256.Int, side side) (out uint256.Int, ok bool)
	// curve returns the pool in floats, for the search.
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
