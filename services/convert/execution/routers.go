package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// v3Router returns the call of Uniswap's first SwapRouter, for v3 pools. It maps a zero recipient to itself.
func v3Router(s *swap) Call { return firstRouter(s, packed, etherNames) }

// algebraRouter returns the call of the SwapRouter of Algebra V1: like the first SwapRouter, but with paths without fees and its own names for the native
// currency.
func algebraRouter(s *swap) Call { return firstRouter(s, joined, algebraNames) }

// firstRouter returns the call of a router with the first SwapRouter's functions, with its encoding of paths and its names for the native currency.
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

// v2Router returns one call of UniswapV2Router02, or a fork of it, for each leg. It uses the functions that compare the minimum with the change of the
// recipient's balance, so that it also holds for tokens with a fee on transfers.
func v2Router(s *swap) []Call {
	minimums := s.shares()
	calls := make([]Call, len(s.legs))
	for i, l := range s.legs {
		path, to, deadline := tokens(l.hops), s.recipient, s.deadline
		amount, minimum := l.in, minimums[i]
		call := Call{To: s.router, Value: new(uint256.Int)}
		switch {
		case s.payNative:
			call.Data = encodeCall("swapExact"+s.nativeName+"ForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)", minimum, path, to, deadline)
			call.Value = l.in
		case s.getNative:
			call.Data = encodeCall("swapExactTokensFor"+s.nativeName+"SupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", amount, minimum, path, to, deadline)
		default:
			call.Data = encodeCall("swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", amount, minimum, path, to, deadline)
		}
		calls[i] = call
	}
	return calls
}
