package holdings

import (
	"context"
	"slices"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// poolReadings bounds the reads of pools for one request: a new pool is read twice, and once more if it changed in
// between.
const poolReadings = 3

// unpriced returns the held tokens without a known price.
func (p plan) unpriced(answers [][]evm.Answer, price pricing) []prices.Unit {
	contracts := answers[1]
	var units []prices.Unit
	for _, s := range p.subjects {
		if s.asset.Address == evm.Native {
			continue
		}
		held, known := contracts[0].Amount()
		contracts = contracts[1:]
		if !known || s.nothing || held.Sign() == 0 && !s.forced {
			continue
		}
		if p, priced := price(s.asset); !priced || p.Source == prices.SourcePool {
			units = append(units, prices.Unit{Token: s.asset.Address, Decimals: s.decimals})
		}
	}
	return units
}

// pricePools prices tokens without a feed by their pools; held is set if an account holds them. Known pools were read with the balances, so it sends
// requests for new tokens only. Prices that cannot be read stay unknown.
func (r *Reader) pricePools(ctx context.Context, chainID string, tokens []prices.Unit, held bool) {
	if len(tokens) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pricesTimeout)
	defer cancel()
	search := r.Prices.SearchPools(chainID, tokens, held)
	if len(search.Queries) > 0 {
		reading, err := r.Nodes.Read(ctx, chainID, search.Queries)
		if err != nil {
			return
		}
		if r.Prices.StorePools(search, reading.Answers) && !slices.Contains(r.Local(), chainID) {
			// If the logs cannot be read, the pools count as older: what a holding is worth is limited in any case.
			young, _ := r.Logs.Young(ctx, chainID, search.Factories(), search.Tokens())
			r.Prices.StoreYoung(search, young)
		}
	}
	for range poolReadings {
		batch := r.Prices.PoolsDue(chainID, tokens)
		if len(batch.Queries) == 0 {
			return
		}
		reading, err := r.Nodes.Read(ctx, chainID, batch.Queries)
		if err != nil {
			return
		}
		r.Prices.Store(batch, reading.Answers, reading.At)
	}
}
