package holdings

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// discoveryTimeout bounds the question for tokens outside the lists: the listed ones must not wait for it.
	discoveryTimeout = time.Second
	// discoveredTokens bounds how many of them are counted, those touched last first.
	discoveredTokens = 500
)

// discovered are the tokens outside the lists that ever moved to the owner; none while nobody can tell.
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

// unlistedToken describes a token outside the lists as far as it is known; false for a contract that turned out to be none.
func (r *Reader) unlistedToken(asset prices.Asset) (candidate, bool) {
	id := asset.Chain + ":" + asset.Address.String()
	known, met := r.unlisted.GetIfPresent(asset)
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
