package coinbase

import "strings"

// networks are how Coinbase calls EVM chains, by CAIP-2: those that clients of the incumbent name. What is not among them is not sold: other
// ledgers number their chains as well.
var networks = map[string]string{
	"eip155:1":     "ethereum",
	"eip155:10":    "optimism",
	"eip155:137":   "polygon",
	"eip155:8453":  "base",
	"eip155:42161": "arbitrum",
	"eip155:42220": "celo",
	"eip155:43114": "avalanche-c-chain",
	"eip155:80094": "berachain",
}

// chains are the same the other way round, and further spellings.
var chains = func() map[string]string {
	all := map[string]string{"avalanche": "eip155:43114"}
	for chainID, network := range networks {
		all[network] = chainID
	}
	return all
}()

// chainOf returns the CAIP-2 id of a network; empty for one that is not served.
func chainOf(network string) string {
	return chains[strings.TrimSuffix(strings.ToLower(network), "-mainnet")]
}

// sameChain reports whether a chain's number, where Coinbase says one, is that of the CAIP-2 id.
func sameChain(chainID, number string) bool {
	return number == "" || number == "0" || "eip155:"+number == chainID
}
