package statement

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// cowDomain is the name of the domain of orders of CoW Protocol.
const cowDomain = "Gnosis Protocol"

// cowNative is the address that stands for the native token in what such an order buys.
var cowNative = evm.MustAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")

// cow reads an order of CoW Protocol: it sells at most an amount, with its fee, for at least another one. An order that
// cannot be read counts as one for nothing.
func (s *Statement) cow(account evm.Address, m object) {
	s.Kind = Order
	sold, bought := m.address("sellToken"), m.address("buyToken")
	pays, receives := m.number("sellAmount"), m.number("buyAmount")
	if s.Contract == nil || sold == nil || bought == nil || pays == nil || receives == nil {
		return
	}
	if fee := m.number("feeAmount"); fee != nil {
		pays = new(big.Int).Add(pays, fee)
	}
	leaves := effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: *sold}, Outgoing: true, Amount: pays, Other: *s.Contract}
	s.Changes = append(s.Changes, leaves)
	// The zero address is the account itself.
	to := m.address("receiver")
	if to == nil || *to != account && *to != (evm.Address{}) || receives.Cmp(big.NewInt(1)) <= 0 {
		return
	}
	s.Proceeds = true
	arrives := effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: *bought}, Amount: receives, Other: *s.Contract}
	if *bought == cowNative {
		arrives.Asset = effect.Asset{Kind: effect.Native}
	}
	s.Changes = append(s.Changes, arrives)
}
