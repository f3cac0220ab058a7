package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// v3Router calls Uniswap's first SwapRouter, which knows v3 pools only, once. It spells itself as a recipient by zero.
func v3Router(s *swap) Call { return firstRouter(s, packed, etherNames) }

// algebraRouter calls the SwapRouter of Algebra V1 once: as the first SwapRouter, but that paths have no fees, for there is one pool a pair, and
// that the own currency has a name for every chain.
func algebraRouter(s *swap) Call { return firstRouter(s, joined, algebraNames) }

// firstRouter calls a router of the first SwapRouter's shape, with its way to write paths and its names for the own currency.
func firstRouter(s *swap, pack func([]hop) []byte, names nativeNames) Call {
	var steps [][]byte
	if s.permit != nil {
		steps = append(steps, s.permit.call(s.sold()))
	}
	recipient, minimum := s.recipient, s.minimum
	if s.pooled() {
		recipient, minimum = evm.Address{}, new(uint256.Int)
	}
	for _, l := range s.legs {
		steps = append(steps, encodeCall("exactInput((bytes,address,uint256,uint256,uint256))",
			[]any{pack(l.hops), recipient, s.deadline, l.in, minimum}))
	}
	if s.pooled() {
		steps = append(steps, s.payOut(names))
	}
	if s.mayLeaveEther() {
		steps = append(steps, encodeCall(names.refund+"()"))
	}
	return Call{To: s.router, Data: encodeCall("multicall(bytes[])", steps), Value: s.value()}
}
