package pools

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// maxCodes bounds the addresses of which it is known whether they have code.
	maxCodes = 100_000
	// codeLifetime is how long an address counts as a contract, and noCodeLifetime how long it counts as none.
	codeLifetime   = 24 * time.Hour
	noCodeLifetime = 10 * time.Minute
)

// codes remembers which addresses have code: only these can be tokens.
type codes struct {
	known *cache.Cache[codeKey, bool]
}

type codeKey struct {
	chainID string
	address evm.Address
}

func newCodes() codes {
	return codes{cache.New(cache.Options[codeKey, bool]{MaxEntries: maxCodes, LifetimeOf: func(has bool) time.Duration {
		if has {
			return codeLifetime
		}
		return noCodeLifetime
	}})}
}

// with returns the addresses that have code, and reads which of the unknown ones do.
func (c codes) with(ctx context.Context, send chainclient.Transport, chainID string, addresses []evm.Address) ([]evm.Address, error) {
	var unknown []evm.Address
	var calls []chainclient.Call
	for _, a := range addresses {
		if _, known := c.known.Get(codeKey{chainID, a}); !known {
			unknown = append(unknown, a)
			calls = append(calls, chainclient.Call{Method: "eth_getCode", Params: []any{a.String(), "latest"}})
		}
	}
	has := map[evm.Address]bool{}
	if len(unknown) > 0 {
		results, err := send.Batch(ctx, calls...)
		if err != nil {
			return nil, err
		}
		for i, a := range unknown {
			code, err := results[i].Bytes()
			if err != nil {
				return nil, err
			}
			has[a] = len(code) > 0
			c.known.Set(codeKey{chainID, a}, has[a])
		}
	}
	var list []evm.Address
	for _, a := range addresses {
		known, _ := c.known.Get(codeKey{chainID, a})
		if known || has[a] {
			list = append(list, a)
		}
	}
	return list, nil
}

// pairsWithCode returns the pairs that matter for trades between those of the tokens that have code; between all of them if that cannot be read, as then
// their pools cannot either.
func (f *tracker) pairsWithCode(ctx context.Context, tokens []evm.Address) []pair {
	list, err := f.codes.with(ctx, f.node.send, f.chain.ID, tokens)
	if err != nil {
		list = tokens
	}
	return pairsAbout(f.chain.Hubs, list)
}
