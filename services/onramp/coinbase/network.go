package coinbase

import "strings"

// networks are Coinbase's names of EVM chains, by CAIP-2: those that clients of the incumbent know. Other networks are not supported, because
// chains of other kinds have numbers as well.
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

// sameChain reports whether a chain number is that of the CAIP-2 id; no number matches every id.
func sameChain(chainID, number string) bool {
	return number == "" || number == "0" || "eip155:"+number == chainID
}
