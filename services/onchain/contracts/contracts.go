// Package contracts names well-known contracts: exchanges and their factories, wrapped native tokens, the ENS registry, Permit2 and others. The
// names come from tables of this repository, not from the contracts. A name is no sign of trust: which contracts may take tokens, and which ones
// anyone commands, are tables of their own.
package contracts

import (
	_ "embed"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
)

// everyChain is the entry of the table for contracts that have the same address on every EVM chain.
const everyChain = "*"

//go:embed contracts.gen.json
var generated []byte

// Names finds the names of contracts. It is safe for concurrent use.
type Names struct {
	known map[string]map[common.Address]string
	local devnet.Source

	trusted, public, wrapped, vaults accounts
}

// New returns the built-in names, and those of the contracts of development chains that local describes.
func New(local devnet.Source) *Names {
	n := &Names{local: local}
	if err := json.Unmarshal(generated, &n.known); err != nil {
		panic("contracts.gen.json: " + err.Error())
	}
	n.readSpenders()
	return n
}

// Name returns the name of a contract on the chain with a CAIP-2 id, and false for an unknown contract.
func (n *Names) Name(chainID string, contract common.Address) (string, bool) {
	for _, chain := range []string{chainID, everyChain} {
		if name, ok := n.known[chain][contract]; ok {
			return name, true
		}
	}
	chain, ok := n.local.Describe().Chain(chainID)
	if !ok {
		return "", false
	}
	return nameOn(chain, contract)
}

// nameOn returns the name of a contract of a development chain.
func nameOn(chain devnet.Chain, contract common.Address) (string, bool) {
	if chain.Wrapped != nil && *chain.Wrapped == contract {
		return "Wrapped " + chain.NativeCurrency.Symbol, true
	}
	if chain.SmartAccounts != nil && chain.SmartAccounts.Delegate == contract {
		return "MetaMask smart account", true
	}
	if chain.ENS != nil && chain.ENS.Registry == contract {
		return "ENS registry", true
	}
	for _, v := range chain.Venues {
		if v.Router == contract {
			return v.Name, true
		}
		if v.V2 != nil && v.V2.Factory == contract || v.V3 != nil && v.V3.Factory == contract || v.Algebra != nil && v.Algebra.Factory == contract {
			return v.Name + " factory", true
		}
	}
	return "", false
}
