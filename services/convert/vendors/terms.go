package vendors

import (
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// readTerms decodes call data by the known calls of a router.
func readTerms(calls []aggregator.Call, data []byte, value *big.Int) (aggregator.Terms, error) {
	for _, c := range calls {
		arguments, ok := c.Function.Read(data)
		if !ok {
			continue
		}
		terms, ok := c.Terms(arguments, value)
		if !ok {
			return aggregator.Terms{}, fmt.Errorf("%w: its call does more than the swap", ErrUnsafe)
		}
		return terms, nil
	}
	return aggregator.Terms{}, fmt.Errorf("%w: its call cannot be read", ErrUnsafe)
}

// checkTerms fails if the terms describe another swap than the request, or pay another account than its sender.
func checkTerms(t aggregator.Terms, a Request) error {
	if err := a.Matches(t.From, t.To, t.Amount); err != nil {
		return fmt.Errorf("%w: its call is about another swap", ErrUnsafe)
	}
	if t.Receiver != a.Sender && t.Receiver != (evm.Address{}) {
		return fmt.Errorf("%w: its call pays %s", ErrUnsafe, t.Receiver)
	}
	return nil
}
