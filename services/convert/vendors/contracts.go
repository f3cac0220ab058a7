package vendors

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Contracts are the contracts that a vendor's transactions may call or name as spender, by CAIP-2 chain id. The first of a chain is the default spender.
type Contracts map[string][]evm.Address

//go:embed contracts.yaml
var builtIn []byte

// Pinned returns the built-in contracts of a vendor. It panics for a vendor without any, or if the file is malformed.
func Pinned(vendor string) Contracts {
	var all map[string]map[string][]string
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		panic(fmt.Sprintf("contracts.yaml: %v", err))
	}
	contracts := Contracts{}
	for _, address := range slices.Sorted(maps.Keys(all[vendor])) {
		for _, chainID := range all[vendor][address] {
			contracts[chainID] = append(contracts[chainID], pinned(address))
		}
	}
	if len(contracts) == 0 {
		panic(vendor + ": contracts.yaml has none")
	}
	return contracts
}

// pinned parses a built-in address. It panics if the checksum (ERC-55) is wrong.
func pinned(contract string) evm.Address {
	address := evm.MustAddress(contract)
	if address.String() != contract {
		panic(contract + ": the checksum is wrong")
	}
	return address
}

// with returns the contracts together with configured ones.
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
