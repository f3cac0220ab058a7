package contracts

import (
	_ "embed"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
)

//go:embed spenders.gen.json
var generatedSpenders []byte

// Trust says what may happen with tokens that a contract is allowed to take.
type Trust int

const (
	// Unknown contracts may take all at any time.
	Unknown Trust = iota
	// Trusted contracts take tokens only for the account that calls them or signs for them.
	Trusted
	// Public contracts call any other contract for anyone.
	Public
)

// accounts are sets of contracts by CAIP-2 chain id.
type accounts map[string]map[common.Address]bool

func (a accounts) has(chainID string, contract common.Address) bool {
	return a[chainID][contract] || a[everyChain][contract]
}

// readSpenders fills in the built-in tables.
func (n *Names) readSpenders() {
	var table struct{ Trusted, Public, Wrapped, Vaults map[string][]common.Address }
	if err := json.Unmarshal(generatedSpenders, &table); err != nil {
		panic("spenders.gen.json: " + err.Error())
	}
	n.trusted, n.public, n.wrapped, n.vaults = sets(table.Trusted), sets(table.Public), sets(table.Wrapped), sets(table.Vaults)
}

func sets(lists map[string][]common.Address) accounts {
	all := accounts{}
	for chain, list := range lists {
		all[chain] = map[common.Address]bool{}
		for _, a := range list {
			all[chain][a] = true
		}
	}
	return all
}

// Spender returns the trust in a contract on the chain with a CAIP-2 id as a spender of tokens.
func (n *Names) Spender(chainID string, contract common.Address) Trust {
	switch {
	case n.public.has(chainID, contract):
		return Public
	case n.trusted.has(chainID, contract):
		return Trusted
	}
	chain, _ := n.local.Describe().Chain(chainID)
	for _, v := range chain.Venues {
		switch {
		case v.Router == contract:
			return Trusted
		case v.V2 != nil && v.V2.Factory == contract, v.V3 != nil && v.V3.Factory == contract, v.Algebra != nil && v.Algebra.Factory == contract:
			return Public
		}
	}
	return Unknown
}

// IsWrapped reports whether a contract is the wrapped native token of the chain with a CAIP-2 id.
func (n *Names) IsWrapped(chainID string, contract common.Address) bool {
	chain, _ := n.local.Describe().Chain(chainID)
	return n.wrapped.has(chainID, contract) || chain.Wrapped != nil && *chain.Wrapped == contract
}

// IsVault reports whether a contract on the chain with a CAIP-2 id keeps what it receives for the account that a call of it names.
func (n *Names) IsVault(chainID string, contract common.Address) bool {
	return n.vaults.has(chainID, contract)
}
