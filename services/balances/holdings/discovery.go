package holdings

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// discoveryTimeout bounds the request for tokens outside the lists, so that listed tokens do not wait for it.
	discoveryTimeout = time.Second
	// discoveredTokens bounds the number of such tokens; those that moved last come first.
	discoveredTokens = 500
)

// discovered returns the tokens outside the lists that moved to the owner; none if the history is unavailable.
func (r *Reader) discovered(ctx context.Context, n Network, q Query) []candidate {
	ctx, cancel := context.WithTimeout(ctx, discoveryTimeout)
	defer cancel()
	touched, err := r.Touched.Touched(ctx, n.ChainID, q.Owner, q.Watched)
	if err != nil {
		return nil
	}
	var found []candidate
	for _, address := range touched {
		if _, listed := r.Tokens.Find(n.ChainID, address); listed || address == evm.Native {
			continue
		}
		if s, worth := r.unlistedToken(prices.Asset{Chain: n.ChainID, Address: address}); worth {
			found = append(found, s)
		}
		if len(found) == discoveredTokens {
			break
		}
	}
	return found
}

// unlistedToken returns a candidate for a token outside the lists, with its cached facts; false for a contract that is
// not a token.
func (r *Reader) unlistedToken(asset prices.Asset) (candidate, bool) {
	id := asset.Chain + ":" + asset.Address.String()
	known, met := r.fact(asset)
	if !met {
		return candidate{asset: asset, id: id, nameless: true}, true
	}
	if known == nil {
		return candidate{}, false
	}
	s := tokenCandidate(asset.Chain, *known)
	s.id, s.listed = id, false
	return s, true
}
