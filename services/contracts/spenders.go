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

// spenders returns the built-in tables.
func spenders() (trusted, public map[string]map[common.Address]bool) {
	var table struct{ Trusted, Public map[string][]common.Address }
	if err := json.Unmarshal(generatedSpenders, &table); err != nil {
		panic("spenders.gen.json: " + err.Error())
	}
	return sets(table.Trusted), sets(table.Public)
}

func sets(lists map[string][]common.Address) map[string]map[common.Address]bool {
	all := map[string]map[common.Address]bool{}
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
	for _, chain := range []string{chainID, everyChain} {
		switch {
		case n.public[chain][contract]:
			return Public
		case n.trusted[chain][contract]:
			return Trusted
		}
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
