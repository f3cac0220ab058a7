package balances

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/caip"
)

// nativePlaceholder is the address of the native currency in namespaces without tokens.
const nativePlaceholder = "0x"

// native is the native currency of a network whose accounts other services read: Bitcoin or Polkadot.
type native struct {
	// id is its CAIP-10 id in the caller's spelling.
	id, chain string
}

// parseNative parses the CAIP-10 id of such a currency; false for any other id.
func parseNative(id string) (native, bool) {
	chain, isPlaceholder := strings.CutSuffix(id, ":"+nativePlaceholder)
	if !isPlaceholder || !strings.HasPrefix(chain, "bip122:") && !strings.HasPrefix(chain, "polkadot:") {
		return native{}, false
	}
	_, err := caip.ParseChain(chain)
	return native{id, chain}, err == nil
}

// nativeQuotes returns prices in US dollars, in the order of list, without those that are unknown. Only a vendor has
// these prices. The error is a [holdings.UnknownChainError], or wraps [holdings.ErrUnavailable].
func (s *server) nativeQuotes(ctx context.Context, list []native) ([]holdings.Quote, error) {
	networks, err := s.reader.Networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", holdings.ErrUnavailable, err)
	}
	var quotes []holdings.Quote
	for _, c := range list {
		i := slices.IndexFunc(networks, func(n holdings.Network) bool { return n.ChainID == c.chain })
		if i < 0 {
			return nil, &holdings.UnknownChainError{ID: c.chain}
		}
		if price, ok := s.priceTable.Vendor().Price(prices.Coin{Chain: c.chain}, prices.Held(ctx)); ok {
			n := networks[i]
			quotes = append(quotes, holdings.Quote{ID: c.id, Name: n.Name, Symbol: n.Symbol, Decimals: n.Decimals, Price: price})
		}
	}
	return quotes, nil
}
