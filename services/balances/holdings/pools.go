package holdings

import (
	"context"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/evm"
)

// poolReadings bounds how often pools are read for one answer: a pool that was never seen is looked at twice, and once more if it moved.
const poolReadings = 3

// unpriced are the tokens held that no price is known of.
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

// pricePools finds out what tokens that no feed prices could be sold for. Pools that are known were read with all the rest, so this
// asks nodes only about tokens that are new here; what cannot be read leaves the price unknown.
func (r *Reader) pricePools(ctx context.Context, chainID string, tokens []prices.Unit) {
	if len(tokens) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pricesTimeout)
	defer cancel()
	search := r.Prices.Search(chainID, tokens)
	if len(search.Queries) > 0 {
		reading, err := r.Nodes.Read(ctx, chainID, search.Queries)
		if err != nil {
			return
		}
		r.Prices.Found(search, reading.Answers)
	}
	for range poolReadings {
		round := r.Prices.PoolsDue(chainID, tokens)
		if len(round.Queries) == 0 {
			return
		}
		reading, err := r.Nodes.Read(ctx, chainID, round.Queries)
		if err != nil {
			return
		}
		r.Prices.Learn(round, reading.Answers, reading.At)
	}
}
