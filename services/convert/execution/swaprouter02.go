package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// self is the recipient that SwapRouter02 maps to itself.
var self = evm.Address{19: 2}

// wholeBalance is the amount that SwapRouter02 reads as its whole balance of the token.
var wholeBalance = new(uint256.Int)

// nativeNames are the names of a router's functions for the native currency.
type nativeNames struct{ unwrap, refund string }

var (
	etherNames   = nativeNames{unwrap: "unwrapWETH9", refund: "refundETH"}
	algebraNames = nativeNames{unwrap: "unwrapWNativeToken", refund: "refundNativeToken"}
)

// swapRouter02 returns the call of Uniswap's router for v2 and v3 pools. The router pays a leg from the ether of the
// call as long as that covers the leg's amount, so legs have explicit amounts. A segment that follows a segment of the
// other kind of pool spends the router's whole balance.
func swapRouter02(s *swap) Call {
	var steps [][]byte
	if s.permit != nil {
		steps = append(steps, s.permit.call(s.sold()))
	}
	for _, l := range s.legs {
		steps = append(steps, s.walk(l)...)
	}
	if s.pooled() {
		steps = append(steps, s.payOut(etherNames))
	}
	if s.mayLeaveEther() {
		steps = append(steps, encodeCall(etherNames.refund+"()"))
	}
	data := encodeCall("multicall(uint256,bytes[])", s.deadline, steps)
	return Call{To: s.router, Data: data, Value: s.value()}
}

// walk returns the calls of one leg; only the last may pay the recipient.
func (s *swap) walk(l leg) [][]byte {
	segments := l.segments()
	calls := make([][]byte, len(segments))
	amount := l.in
	for i, hops := range segments {
		recipient, minimum := self, new(uint256.Int)
		if i == len(segments)-1 && !s.pooled() {
			recipient, minimum = s.recipient, s.minimum
		}
		calls[i] = segmentCall(hops, amount, minimum, recipient)
		amount = wholeBalance
	}
	return calls
}

func segmentCall(hops []hop, amount, minimum *uint256.Int, recipient evm.Address) []byte {
	first := hops[0]
	switch {
	case !first.concentrated:
		return encodeCall("swapExactTokensForTokens(uint256,uint256,address[],address)",
			amount, minimum, tokens(hops), recipient)
	case len(hops) == 1:
		return encodeCall("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
			[]any{first.from, first.to, uint64(first.fee), recipient, amount, minimum, 0})
	default:
		return encodeCall("exactInput((bytes,address,uint256,uint256))",
			[]any{packed(hops), recipient, amount, minimum})
	}
}

// payOut pays the router's balance of the bought token to the recipient, and fails below the minimum.
func (s *swap) payOut(names nativeNames) []byte {
	minimum := s.minimum
	if r := s.referral; r != nil {
		fee := []any{r.before(s.minimum), s.recipient, uint64(r.BPS), r.Recipient}
		if s.getNative {
			return encodeCall(names.unwrap+"WithFee(uint256,address,uint256,address)", fee...)
		}
		return encodeCall("sweepTokenWithFee(address,uint256,address,uint256,address)", append([]any{s.bought()}, fee...)...)
	}
	if s.getNative {
		return encodeCall(names.unwrap+"(uint256,address)", minimum, s.recipient)
	}
	return encodeCall("sweepToken(address,uint256,address)", s.bought(), minimum, s.recipient)
}

// mayLeaveEther reports whether a pool may use less ether than it is sent: a v3 pool stops where its liquidity ends.
// Anyone could take the remaining ether from the router.
func (s *swap) mayLeaveEther() bool {
	if !s.payNative {
		return false
	}
	for _, l := range s.legs {
		if l.hops[0].concentrated {
			return true
		}
	}
	return false
}
