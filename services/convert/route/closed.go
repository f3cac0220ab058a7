package route

import "github.com/holiman/uint256"

// Closed is the model of a pool that cannot be traded at its state. It keeps the place of the pool in a graph, which so need not be built again when the pool
// can be traded.
var Closed Model = closed{}

type closed struct{}

// Swap implements [Model]. It refuses every input.
func (closed) Swap(*uint256.Int, bool) (out uint256.Int, after Model, ok bool) {
	return out, nil, false
}

func (closed) quote(*uint256.Int, side) (out uint256.Int, ok bool) { return out, false }

func (closed) curve() curve { return curve{keep: 1} }
