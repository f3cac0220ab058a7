package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// v3Router calls Uniswap's first SwapRouter, which knows v3 pools only, once. It spells itself as a recipient by zero.
func v3Router(s *swap) Call {
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
			tuple(byteString(packed(l.hops)), address(recipient), integer(s.deadline), number(l.in), number(minimum))))
	}
	if s.pooled() {
		steps = append(steps, s.payOut())
	}
	if s.mayLeaveEther() {
		steps = append(steps, encodeCall("refundETH()"))
	}
	return Call{To: s.router, Data: encodeCall("multicall(bytes[])", byteStrings(steps)), Value: s.value()}
}
