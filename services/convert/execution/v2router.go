package execution

import (
	"github.com/holiman/uint256"
)

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
			call.Data = encodeCall("swapExact"+s.spelling+"ForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)", minimum, path, to, deadline)
			call.Value = l.in
		case s.getNative:
			call.Data = encodeCall("swapExactTokensFor"+s.spelling+"SupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", amount, minimum, path, to, deadline)
		default:
			call.Data = encodeCall("swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", amount, minimum, path, to, deadline)
		}
		calls[i] = call
	}
	return calls
}
