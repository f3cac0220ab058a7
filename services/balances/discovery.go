package balances

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
func (r *reader) discovered(ctx context.Context, n Network, q Query) []subject {
	ctx, cancel := context.WithTimeout(ctx, discoveryTimeout)
	defer cancel()
	touched, err := r.touched.Touched(ctx, n.ChainID, q.Owner, q.Watched)
	if err != nil {
		return nil
	}
	var found []subject
	for _, address := range touched {
		if _, listed := r.tokens.Find(n.ChainID, address); listed || address == evm.Native {
			continue
		}
		if s, worth := r.stranger(prices.Asset{Chain: n.ChainID, Address: address}); worth {
			found = append(found, s)
		}
		if len(found) == discoveredTokens {
			break
		}
	}
	return found
}

// stranger describes a token outside the lists as far as it is known; false for a contract that turned out to be none.
func (r *reader) stranger(asset prices.Asset) (subject, bool) {
	id := asset.Chain + ":" + asset.Address.String()
	known, met := r.strangers.GetIfPresent(asset)
	if !met {
		return subject{asset: asset, id: id, nameless: true}, true
	}
	if known == nil {
		return subject{}, false
	}
	s := tokenSubject(asset.Chain, *known)
	s.id, s.listed = id, false
	return s, true
}
