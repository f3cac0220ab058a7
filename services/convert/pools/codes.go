package pools

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// maxCodes bounds the addresses of which it is known whether they have code.
	maxCodes = 100_000
	// codeLifetime is how long an address counts as a contract, and noCodeLifetime how long it counts as none: a new contract is traded soon.
	codeLifetime   = 24 * time.Hour
	noCodeLifetime = 20 * time.Second
)

// codes remembers which addresses have code: only these can be tokens.
type codes struct {
	clock clock.Clock
	known *cache.Cache[codeKey, codeRead]
}

type codeKey struct {
	chainID string
	address evm.Address
}

// codeRead is whether an address has code, and when that was read.
type codeRead struct {
	has bool
	at  time.Time
}

func newCodes(c clock.Clock) codes {
	return codes{c, cache.New(cache.Options[codeKey, codeRead]{MaxEntries: maxCodes, Lifetime: codeLifetime})}
}

// get returns whether an address has code, if it is known.
func (c codes) get(key codeKey) (has, known bool) {
	read, known := c.known.Get(key)
	return read.has, known && (read.has || c.clock.Now().Sub(read.at) < noCodeLifetime)
}

// with returns the addresses that have code, and reads at a block which of the unknown ones do: a node that does not have the block fails, instead of
// having no code of a new contract.
func (c codes) with(ctx context.Context, send chainclient.Transport, chainID string, block uint64, addresses []evm.Address) ([]evm.Address, error) {
	var unknown []evm.Address
	var calls []chainclient.Call
	for _, a := range addresses {
		if _, known := c.get(codeKey{chainID, a}); !known {
			unknown = append(unknown, a)
			calls = append(calls, chainclient.Call{Method: "eth_getCode", Params: []any{a.String(), quantity(block)}})
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
			c.known.Set(codeKey{chainID, a}, codeRead{has[a], c.clock.Now()})
		}
	}
	var list []evm.Address
	for _, a := range addresses {
		known, _ := c.get(codeKey{chainID, a})
		if known || has[a] {
			list = append(list, a)
		}
	}
	return list, nil
}

// pairsWithCode returns the pairs that matter for trades between those of the tokens that have code; between all of them if that cannot be read, as then
// their pools cannot either.
func (f *tracker) pairsWithCode(ctx context.Context, tokens []evm.Address) []pair {
	list, err := f.codes.with(ctx, f.node.send, f.chain.ID, f.head(), tokens)
	if err != nil {
		list = tokens
	}
	return pairsAbout(f.chain.Hubs, list)
}

// head returns the number of the newest block that is known.
func (f *tracker) head() (number uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if v := f.view.Load(); v != nil {
		number = v.Block.Number
	}
	if f.target != nil {
		number = max(number, f.target.number)
	}
	return number
}
