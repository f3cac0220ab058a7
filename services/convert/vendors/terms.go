package vendors

import (
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
)

// Terms are what a transaction's call data say of the swap. Every router whose calls are read holds whoever carries the swap out to them.
type Terms struct {
	// From is sold and To bought; [evm.Native], or zero, is the chain's own currency.
	From, To evm.Address
	// Receiver is paid; zero is whoever calls.
	Receiver evm.Address
	// Amount is what is taken of the sold token, and MinOut the least that is paid, in base units.
	Amount, MinOut *big.Int
	// Unbounded: the call hands the amount to a contract that is not pinned. Only trying it tells whether the terms are kept.
	Unbounded bool
}

// Call is one function of a vendor's router, and how its arguments say the terms.
type Call struct {
	Function calldata.Function
	// Terms says false where the arguments allow for more than the swap: a fee, a part, another token's deposit. Value is what goes along, in wei.
	Terms func(arguments calldata.Value, value *big.Int) (Terms, bool)
}

// readTerms reads call data by the calls that are known of a router.
func readTerms(calls []Call, data []byte, value *big.Int) (Terms, error) {
	for _, c := range calls {
		arguments, ok := c.Function.Read(data)
		if !ok {
			continue
		}
		terms, ok := c.Terms(arguments, value)
		if !ok {
			return Terms{}, fmt.Errorf("%w: its call does more than the swap", ErrUnsafe)
		}
		return terms, nil
	}
	return Terms{}, fmt.Errorf("%w: its call cannot be read", ErrUnsafe)
}

// check refuses call data that are about another swap than the ask, or pay anybody but its sender.
func (t Terms) check(a Request) error {
	if err := a.Matches(t.From, t.To, t.Amount); err != nil {
		return fmt.Errorf("%w: its call is about another swap", ErrUnsafe)
	}
	if t.Receiver != a.Sender && t.Receiver != (evm.Address{}) {
		return fmt.Errorf("%w: its call pays %s", ErrUnsafe, t.Receiver)
	}
	return nil
}

// Flags of routers: a part of the amount may be sold only, and gas tokens are burnt for the sender.
const (
	FlagPartial = 0x01
	FlagBurns   = 0x18
)

// Flagged reports whether one of the bits is set.
func Flagged(flags *big.Int, bits int64) bool {
	return new(big.Int).And(flags, big.NewInt(bits)).Sign() != 0
}
