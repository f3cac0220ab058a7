package vendors

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/evm"
)

// PinnedAddress reads an address of contracts.yaml; it panics on one that is mistyped.
func PinnedAddress(text string) evm.Address { return pinned(text) }

// Believes reports whether a guard lets a transaction pass that pays so much, and guarantees so much.
func Believes(a Ask, out, least *big.Int) bool {
	contract := evm.Address{1}
	g := &guard{name: "a", contracts: Contracts{a.ChainID: {contract}}}
	_, err := g.vetTransaction(a, Quote{Out: out}, Transaction{To: contract, Data: make([]byte, 4), Value: new(big.Int), Out: out, MinOut: least})
	return err == nil
}
