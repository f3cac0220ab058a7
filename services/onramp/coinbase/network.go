package coinbase

import (
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// The namespaces of CAIP-2 in which Coinbase sells tokens.
const (
	namespaceEVM    = "eip155"
	namespaceSolana = "solana"
)

// networks are Coinbase's names of chains, by CAIP-2 id: the EVM chains that AppKit supports, and
// Solana. Other networks are not supported, because chains of other kinds have chain numbers too.
var networks = map[string]string{
	"eip155:1":     "ethereum",
	"eip155:10":    "optimism",
	"eip155:137":   "polygon",
	"eip155:8453":  "base",
	"eip155:42161": "arbitrum",
	"eip155:42220": "celo",
	"eip155:43114": "avalanche-c-chain",
	"eip155:80094": "berachain",

	"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "solana",
}

// chains is the inverse of networks, with further spellings.
var chains = func() map[string]string {
	all := map[string]string{"avalanche": "eip155:43114"}
	for chainID, network := range networks {
		all[network] = chainID
	}
	return all
}()

// chainOf returns the CAIP-2 id of a network; empty if it is not supported.
func chainOf(network string) string {
	return chains[strings.TrimSuffix(strings.ToLower(network), "-mainnet")]
}

// sameChain reports whether a chain number is that of the CAIP-2 id. An empty number matches every id; ids of Solana
// have no chain number.
func sameChain(chainID, number string) bool {
	return number == "" || number == "0" || namespaceOf(chainID) == namespaceSolana || namespaceEVM+":"+number == chainID
}

// namespaceOf returns the namespace of a CAIP-2 id.
func namespaceOf(chainID string) string {
	namespace, _, _ := strings.Cut(chainID, ":")
	return namespace
}

// namespaceOfAddress returns the namespace of an account; empty for an unsupported one.
func namespaceOfAddress(address string) string {
	if _, err := evm.ParseAddress(address); err == nil {
		return namespaceEVM
	}
	if _, err := svm.ParseAddress(address); err == nil {
		return namespaceSolana
	}
	return ""
}
