package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
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
	// universalCaller and universalSelf are the recipients that the UniversalRouter maps to its caller and to itself.
	universalCaller = evm.Address{19: 1}
	universalSelf   = evm.Address{19: 2}
	// universalBalance is the amount that the UniversalRouter reads as its whole balance of a token: 2^255.
	universalBalance = new(uint256.Int).Lsh(uint256.NewInt(1), 255)
)

// commands is a list of commands and their inputs.
type commands struct {
	codes  []byte
	inputs [][]byte
}

// commandInputs are what the commands take.
var commandInputs = map[byte]calldata.Values{
	commandV3Swap:     calldata.Types("(address,uint256,uint256,bytes,bool)"),
	commandSweep:      calldata.Types("(address,address,uint256)"),
	commandPayPortion: calldata.Types("(address,address,uint256)"),
	commandV2Swap:     calldata.Types("(address,uint256,uint256,address[],bool)"),
	commandWrap:       calldata.Types("(address,uint256)"),
	commandUnwrap:     calldata.Types("(address,uint256)"),
}

func (c *commands) add(code byte, input ...any) {
	c.codes = append(c.codes, code)
	c.inputs = append(c.inputs, commandInputs[code].Write(input...))
}

// universalRouter returns the call of Uniswap's UniversalRouter. It wraps the sold ether first, so that the router pays every leg from its own balance and no
// approval is needed; what pools leave of it is unwrapped for the caller at the end.
func universalRouter(s *swap) Call {
	var c commands
	c.add(commandWrap, universalSelf, s.amount())
	for _, l := range s.legs {
		s.addLeg(&c, l)
	}
	if s.pooled() {
		if r := s.referral; r != nil {
			c.add(commandPayPortion, s.bought(), r.Recipient, uint64(r.BPS))
		}
		c.add(commandSweep, s.bought(), s.recipient, s.minimum)
	}
	if s.mayLeaveEther() {
		c.add(commandUnwrap, universalCaller, 0)
	}
	data := encodeCall("execute(bytes,bytes[],uint256)", c.codes, c.inputs, s.deadline)
	return Call{To: s.router, Data: data, Value: s.value()}
}

// addLeg adds the swaps of one leg; only the last one may pay the recipient.
func (s *swap) addLeg(c *commands, l leg) {
	segments, amount := l.segments(), l.in
	for i, hops := range segments {
		recipient, minimum := universalSelf, new(uint256.Int)
		if i == len(segments)-1 && !s.pooled() {
			recipient, minimum = s.recipient, s.minimum
		}
		code, path := byte(commandV2Swap), any(tokens(hops))
		if hops[0].concentrated {
			code, path = commandV3Swap, packed(hops)
		}
		c.add(code, recipient, amount, minimum, path, false)
		amount = universalBalance
	}
}
