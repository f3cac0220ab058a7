package vendors

import (
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Terms are the terms of a swap in a transaction's call data, which the vendor's router enforces.
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

// Call is one function of a vendor's router, with the decoder of its arguments.
type Call struct {
	Function calldata.Function
	// Terms decodes the arguments; false if they allow more than the swap: a fee, a partial fill, a deposit of another token. Value is sent with the call, in wei.
	Terms func(arguments calldata.Value, value *big.Int) (Terms, bool)
}

// readTerms decodes call data by the known calls of a router.
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

// check fails if the terms are of another swap than the request's, or pay another account than its sender.
func (t Terms) check(a Request) error {
	if err := a.Matches(t.From, t.To, t.Amount); err != nil {
		return fmt.Errorf("%w: its call is about another swap", ErrUnsafe)
	}
	if t.Receiver != a.Sender && t.Receiver != (evm.Address{}) {
		return fmt.Errorf("%w: its call pays %s", ErrUnsafe, t.Receiver)
	}
	return nil
}

// Flags of routers: allow a partial fill, and burn gas tokens of the sender.
const (
	FlagPartial = 0x01
	FlagBurns   = 0x18
)

// Flagged reports whether one of the bits is set.
func Flagged(flags *big.Int, bits int64) bool {
	return new(big.Int).And(flags, big.NewInt(bits)).Sign() != 0
}
