package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// Commands of the UniversalRouter, one byte each.
const (
	commandV3Swap     = 0x00 // V3_SWAP_EXACT_IN: recipient, amount, minimum, path, payer is the caller
	commandSweep      = 0x04 // SWEEP: token, recipient, minimum
	commandPayPortion = 0x06 // PAY_PORTION: token, recipient, basis points
	commandV2Swap     = 0x08 // V2_SWAP_EXACT_IN: recipient, amount, minimum, path, payer is the caller
	commandWrap       = 0x0b // WRAP_ETH: recipient, amount
	commandUnwrap     = 0x0c // UNWRAP_WETH: recipient, minimum
)

var (
	// universalCaller and universalSelf are how the UniversalRouter spells its caller and itself as recipients.
	universalCaller = evm.Address{19: 1}
	universalSelf   = evm.Address{19: 2}
	// universalBalance is the amount for which the UniversalRouter takes all that it holds of a token: 2^255.
	universalBalance = new(uint256.Int).Lsh(uint256.NewInt(1), 255)
)

// commands is a program of the UniversalRouter.
type commands struct {
	codes  []byte
	inputs [][]byte
}

func (c *commands) add(code byte, input ...argument) {
	c.codes = append(c.codes, code)
	c.inputs = append(c.inputs, sequence(input))
}

// universalRouter calls Uniswap's UniversalRouter once. It wraps the ether that is sold, so that the router pays for every leg itself and nobody
// must be allowed to take anything; what a pool leaves of it is unwrapped for the caller at the end.
func universalRouter(s *swap) Call {
	var c commands
	c.add(commandWrap, address(universalSelf), number(s.amount()))
	for _, l := range s.legs {
		s.addLeg(&c, l)
	}
	if s.pooled() {
		if r := s.referral; r != nil {
			c.add(commandPayPortion, address(s.bought()), address(r.Recipient), integer(uint64(r.BPS)))
		}
		c.add(commandSweep, address(s.bought()), address(s.recipient), number(s.minimum))
	}
	if s.mayLeaveEther() {
		c.add(commandUnwrap, address(universalCaller), integer(0))
	}
	data := encodeCall("execute(bytes,bytes[],uint256)", byteString(c.codes), byteStrings(c.inputs), integer(s.deadline))
	return Call{To: s.router, Data: data, Value: s.value()}
}

// addLeg sends one leg through its segments; only the last one may pay the recipient.
func (s *swap) addLeg(c *commands, l leg) {
	segments, amount := l.segments(), l.in
	for i, hops := range segments {
		recipient, minimum := universalSelf, new(uint256.Int)
		if i == len(segments)-1 && !s.pooled() {
			recipient, minimum = s.recipient, s.minimum
		}
		code, path := byte(commandV2Swap), addresses(tokens(hops))
		if hops[0].concentrated {
			code, path = commandV3Swap, byteString(packed(hops))
		}
		c.add(code, address(recipient), number(amount), number(minimum), path, integer(0))
		amount = universalBalance
	}
}
