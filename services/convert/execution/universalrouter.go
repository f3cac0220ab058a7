package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Commands of the UniversalRouter, one byte each.
const (
	commandV3Swap     = 0x00 // V3_SWAP_EXACT_IN: recipient, amount, minimum, path, payer is the caller
	commandSweep      = 0x04 // SWEEP: token, recipient, minimum
	commandPayPortion = 0x06 // PAY_PORTION: token, recipient, basis points
	commandV2Swap     = 0x08 // V2_SWAP_EXACT_IN: recipient, amount, minimum, path, payer is the caller
	commandPermit     = 0x0a // PERMIT2_PERMIT: a PermitSingle of Permit2 and its signature
	commandWrap       = 0x0b // WRAP_ETH: recipient, amount
	commandUnwrap     = 0x0c // UNWRAP_WETH: recipient, minimum
)

var (
	// universalCaller and universalSelf are the recipients that the UniversalRouter maps to its caller and to itself.
	universalCaller = evm.Address{19: 1}
	universalSelf   = evm.Address{19: 2}
	// universalEther is the address that represents ether in commands.
	universalEther = evm.Address{}
	// universalBalance is the amount that the UniversalRouter reads as its whole balance of a token: 2^255.
	universalBalance = new(uint256.Int).Lsh(uint256.NewInt(1), 255)
)

// commands is a list of commands and their inputs.
type commands struct {
	codes  []byte
	inputs [][]byte
}

// commandInputs are the types of the commands' inputs.
var commandInputs = map[byte]calldata.Values{
	commandV3Swap:     calldata.Types("(address,uint256,uint256,bytes,bool)"),
	commandSweep:      calldata.Types("(address,address,uint256)"),
	commandPayPortion: calldata.Types("(address,address,uint256)"),
	commandV2Swap:     calldata.Types("(address,uint256,uint256,address[],bool)"),
	commandPermit:     calldata.Types("(((address,uint160,uint48,uint48),address,uint256),bytes)"),
	commandWrap:       calldata.Types("(address,uint256)"),
	commandUnwrap:     calldata.Types("(address,uint256)"),
}

func (c *commands) add(code byte, input ...any) {
	c.codes = append(c.codes, code)
	c.inputs = append(c.inputs, commandInputs[code].Write(input...))
}

// universalRouter returns the call of Uniswap's UniversalRouter. Sold ether is wrapped first, so that the router pays
// every leg from its own balance; the rest that pools do not use is unwrapped for the caller at the end. A sold token
// is transferred directly from the caller to the first pool of every leg, through Permit2, so nothing remains in the
// router.
func universalRouter(s *swap) Call {
	var c commands
	if s.payNative {
		c.add(commandWrap, universalSelf, s.amount())
	}
	if p := s.permit; p != nil {
		details := []any{s.sold(), p.Value, p.Single.Expiration, p.Single.Nonce}
		c.add(commandPermit, []any{details, s.router, p.Deadline}, p.signature())
	}
	for _, l := range s.legs {
		s.addLeg(&c, l)
	}
	if s.pooled() {
		s.addPayout(&c)
	}
	if s.mayLeaveEther() {
		c.add(commandUnwrap, universalCaller, 0)
	}
	data := encodeCall("execute(bytes,bytes[],uint256)", c.codes, c.inputs, s.deadline)
	return Call{To: s.router, Data: data, Value: s.value()}
}

// addPayout pays the router's balance of the bought token to the recipient, after the referral's share, and fails below the minimum.
func (s *swap) addPayout(c *commands) {
	if s.getNative && s.referral == nil {
		c.add(commandUnwrap, s.recipient, s.minimum)
		return
	}
	token := s.bought()
	if s.getNative {
		c.add(commandUnwrap, universalSelf, 0)
		token = universalEther
	}
	if r := s.referral; r != nil {
		c.add(commandPayPortion, token, r.Recipient, uint64(r.BPS))
	}
	c.add(commandSweep, token, s.recipient, s.minimum)
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
		c.add(code, recipient, amount, minimum, path, i == 0 && !s.payNative)
		amount = universalBalance
	}
}
