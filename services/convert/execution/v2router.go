package execution

import (
	"github.com/holiman/uint256"
)

// v2Router calls UniswapV2Router02, or what was copied from it, once a leg. The functions are those that hold the minimum against what
// the recipient has really got, so that a token that takes a fee of transfers cannot pay less than it.
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
