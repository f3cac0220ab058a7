package statement

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// hasExtension is the bit of the traits of an order of 1inch that says that a contract sets its amounts.
const hasExtension = 249

// limitOrder reads an order of 1inch or 0x: it sells an amount for at least another one. An order without amounts is not read.
func (s *Statement) limitOrder(account evm.Address, m object) {
	sold, bought := m.either("makerAsset", "makerToken"), m.either("takerAsset", "takerToken")
	pays, receives := m.eitherNumber("makingAmount", "makerAmount"), m.eitherNumber("takingAmount", "takerAmount")
	if s.Contract == nil || sold == nil || bought == nil || pays == nil || receives == nil {
		return
	}
	s.Kind = Order
	s.Changes = append(s.Changes, effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: *sold}, Outgoing: true, Amount: pays, Other: *s.Contract})
	receiver := m.address("receiver")
	isOwn := m["receiver"] == nil || receiver != nil && (*receiver == account || *receiver == (evm.Address{}))
	if !isOwn || receives.Cmp(big.NewInt(1)) <= 0 || m.callsOthers() {
		return
	}
	s.Proceeds = true
	s.Changes = append(s.Changes, effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: *bought}, Amount: receives, Other: *s.Contract})
}

// callsOthers reports whether contracts that an order of 1inch does not name could set its amounts.
func (o object) callsOthers() bool {
	if traits := o.number("makerTraits"); o["makerTraits"] != nil && (traits == nil || traits.Bit(hasExtension) != 0) {
		return true
	}
	return o["interactions"] != nil && len(o.bytes("interactions")) > 0
}

// either returns the address of one of two members.
func (o object) either(first, second string) *evm.Address {
	if o[first] != nil {
		return o.address(first)
	}
	return o.address(second)
}

// eitherNumber returns the number of one of two members.
func (o object) eitherNumber(first, second string) *big.Int {
	if o[first] != nil {
		return o.number(first)
	}
	return o.number(second)
}
