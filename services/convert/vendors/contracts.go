package vendors

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
)

// Contracts are those that a vendor's transactions may call, or ask an allowance for, by CAIP-2 chain id. The first of a chain is the one
// that an allowance is given to unless the vendor's answer names another of them.
type Contracts map[string][]evm.Address

// At returns one contract that stands at the same address on several chains.
func At(contract string, chainIDs ...string) Contracts {
	c := Contracts{}
	for _, id := range chainIDs {
		c[id] = []evm.Address{pinned(contract)}
	}
	return c
}

// And adds a contract of one chain.
func (c Contracts) And(contract, chainID string) Contracts {
	c[chainID] = append(c[chainID], pinned(contract))
	return c
}

// pinned reads a constant; it panics on one whose checksum (ERC-55) shows that it was mistyped.
func pinned(contract string) evm.Address {
	address := evm.MustAddress(contract)
	if address.String() != contract {
		panic(contract + ": the checksum is wrong")
	}
	return address
}

// with returns the contracts and what an operator adds to them.
func (c Contracts) with(added map[string][]string) (Contracts, error) {
	all := maps.Clone(c)
	for id, addresses := range added {
		if chain, err := caip.ParseChain(id); err != nil || chain.Namespace != "eip155" {
			return nil, fmt.Errorf("contracts: %q is not the CAIP-2 id of an EVM chain", id)
		}
		for _, text := range addresses {
			address, err := evm.ParseAddress(text)
			if err != nil {
				return nil, fmt.Errorf("contracts: %s: %w", id, err)
			}
			all[id] = append(slices.Clone(all[id]), address)
		}
	}
	return all, nil
}

func (c Contracts) has(chainID string, a evm.Address) bool { return slices.Contains(c[chainID], a) }
