package vendors

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// PinnedAddress parses an address of contracts.yaml; it panics if the checksum is wrong.
func PinnedAddress(text string) evm.Address { return pinned(text) }

// Believes reports whether a guard accepts a transaction with this output and this minimum.
func Believes(a Request, out, least *big.Int) bool {
	contract := evm.Address{1}
	swap := calldata.Parse("swap(uint256)")
	g := &guard{name: "a", contracts: Contracts{a.ChainID: {contract}}, calls: []aggregator.Call{{Function: swap, Terms: func(v calldata.Value, _ *big.Int) (aggregator.Terms, bool) {
		return aggregator.Terms{From: a.From, To: a.To, Amount: a.Amount, MinOut: v.At(0).Int()}, true
	}}}}
	_, err := g.checkTransaction(a, Quote{Out: out}, Transaction{To: contract, Data: swap.Write(least), Value: new(big.Int), Out: out, MinOut: least})
	return err == nil
}
