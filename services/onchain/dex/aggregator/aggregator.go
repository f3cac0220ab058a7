// Package aggregator decodes what calls of swap aggregators' routers promise: the tokens, the amount, the recipient and the least output.
//
// Swaps check the transactions that vendors build by it, and previews what a router brings at least. It knows the routers of more aggregators than swaps
// request quotes from: sites call them too.
package aggregator

import (
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Terms are the terms of a swap in a transaction's call data, which the router enforces.
type Terms struct {
	// From is sold and To bought; [evm.Native], or zero, is the native currency.
	From, To evm.Address
	// Receiver is paid; zero is the caller.
	Receiver evm.Address
	// Amount is sold, and MinOut the least output, in base units.
	Amount, MinOut *big.Int
	// Unbounded says that the call passes the amount to a contract that is not pinned, so that only a simulation shows whether the terms are kept.
	Unbounded bool
}

// Call is one function of an aggregator's router, with the decoder of its arguments.
type Call struct {
	Function calldata.Function
	// Terms decodes the arguments; false if they allow more than the swap: a fee, a partial fill, a deposit of another token. Value is sent with the call, in wei.
	Terms func(arguments calldata.Value, value *big.Int) (Terms, bool)
}

// All lists the functions of every router that this package knows. No two have the same selector.
func All() []Call {
	return slices.Concat(OneInch(), ZeroX(), KyberSwap(), LIFI(), OpenOcean(), Velora())
}

// Flags of routers: allow a partial fill, and burn gas tokens of the sender.
const (
	flagPartial = 0x01
	flagBurns   = 0x18
)

// flagged reports whether one of the bits is set.
func flagged(flags *big.Int, bits int64) bool {
	return new(big.Int).And(flags, big.NewInt(bits)).Sign() != 0
}
