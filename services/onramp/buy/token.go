package buy

import (
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Token is the requested token; an empty chain means any chain.
type Token struct{ Symbol, ChainID string }

// ParseToken parses a token: a symbol, a provider's id, or a symbol with an underscore and the name of a network, such as USDC_BASE. If a
// name is ambiguous, an exact symbol wins.
func ParseToken(field, name, chainID string, known ramp.Options) (Token, error) {
	if chainID != "" {
		if _, err := caip.ParseChain(chainID); err != nil {
			return Token{}, Invalid("chainId", "a CAIP-2 id, such as eip155:1")
		}
	}
	for _, a := range known.Assets {
		if strings.EqualFold(a.Symbol, name) {
			return Token{a.Symbol, chainID}, nil
		}
	}
	for _, a := range known.Assets {
		if a.ID == name {
			return Token{a.Symbol, chainID}, nil
		}
	}
	if cut := strings.LastIndexByte(name, '_'); cut > 0 {
		for _, a := range known.Assets {
			if n, ok := networkNamed(a, name[cut+1:]); ok && strings.EqualFold(a.Symbol, name[:cut]) && (chainID == "" || chainID == n.ChainID) {
				return Token{a.Symbol, n.ChainID}, nil
			}
		}
	}
	if known.Partial {
		return Token{}, Explain(field, ramp.ErrUnavailable)
	}
	return Token{}, Unsupported(field, "No provider sells %s", Clip(name))
}

// ParseNetwork parses a network: CAIP-2, a chain number, or a provider's name. An empty text, and the token's own
// symbol, which older clients send, mean any network.
func ParseNetwork(field, name, symbol string, known ramp.Options) (chainID string, err error) {
	if name == "" || strings.EqualFold(name, symbol) {
		return "", nil
	}
	for _, a := range known.Assets {
		if !strings.EqualFold(a.Symbol, symbol) {
			continue
		}
		if n, ok := networkNamed(a, name); ok {
			return n.ChainID, nil
		}
	}
	if known.Partial {
		return "", Explain(field, ramp.ErrUnavailable)
	}
	return "", Unsupported(field, "No provider sells %s on %s", symbol, Clip(name))
}

func networkNamed(a ramp.Asset, name string) (ramp.Network, bool) {
	if chainID, usual := usualNames[strings.ToLower(name)]; usual {
		if n, ok := a.On(chainID); ok {
			return n, true
		}
	}
	i := slices.IndexFunc(a.Networks, func(n ramp.Network) bool {
		_, reference, _ := strings.Cut(n.ChainID, ":")
		return n.ChainID == name || reference == name || strings.EqualFold(n.Name, name) || strings.EqualFold(n.Title, name)
	})
	if i < 0 {
		return ramp.Network{}, false
	}
	return a.Networks[i], true
}

// usualNames are the network names of AppKit's API.
var usualNames = map[string]string{
	"ethereum": "eip155:1", "optimism": "eip155:10", "bnb-chain": "eip155:56", "polygon": "eip155:137", "base": "eip155:8453",
	"arbitrum": "eip155:42161", "avalanche-c-chain": "eip155:43114", "celo": "eip155:42220", "berachain": "eip155:80094", "solana": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
}

// Clip shortens a caller's text for an error.
func Clip(s string) string {
	if len(s) <= 64 {
		return s
	}
	return strings.ToValidUTF8(s[:64], "") + "…"
}
