package prices

import (
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// feedQueryCount is the number of queries that read all feeds of a chain.
const feedQueryCount = 3

var (
	latestRoundData = evm.Selector("latestRoundData()")
	decimals        = evm.Selector("decimals()")
	description     = evm.Selector("description()")
	getAssetPrice   = evm.Selector("getAssetPrice(address)")
)

// feedQueries returns the queries for the latest round, the decimals and the description of AggregatorV3Interface contracts.
func feedQueries(feeds []feed) []evm.Query {
	if len(feeds) == 0 {
		return nil
	}
	targets := make([]evm.Address, len(feeds))
	for i, f := range feeds {
		targets[i] = f.at
	}
	return []evm.Query{
		{Call: latestRoundData, Keep: 5 * 32, Targets: targets},
		{Call: decimals, Keep: 32, Targets: targets},
		{Call: description, Keep: 128, Targets: targets},
	}
}

// oracleQuery returns the query for one asset's price of an AaveOracle. Each asset has its own call, because one without a source reverts.
func oracleQuery(oracle, asset evm.Address) evm.Query {
	return evm.Query{Call: append(slices.Clone(getAssetPrice), evm.Word(asset)...), Keep: 32, Targets: []evm.Address{oracle}}
}

// takeFeeds stores the answers that are fresh, positive and of the expected pair.
func (q *feedPrices) takeFeeds(feeds []feed, answers [][]evm.Answer, at time.Time) {
	for i, f := range feeds {
		usd, ok := f.price(answers[0][i], answers[1][i], answers[2][i], at)
		if !ok {
			continue
		}
		q.byBase[f.base] = usd.Amount
		if f.token != nil {
			q.byToken[*f.token] = usd
		}
	}
}

// price decodes (roundId, answer, startedAt, updatedAt, answeredInRound). A feed is stale if its update is more than two heartbeats older
// than at, the time of the block that it was read in.
func (f feed) price(round, scale, name evm.Answer, at time.Time) (Price, bool) {
	if !round.OK || len(round.Data) != 5*32 || !slices.Contains(f.descriptions, name.Text()) {
		return Price{}, false
	}
	places, ok := scale.Amount()
	if !ok || !places.IsUint64() {
		return Price{}, false
	}
	updated, ok := evm.Answer{OK: true, Data: round.Data[3*32 : 4*32]}.Amount()
	if !ok || !updated.IsInt64() || at.Sub(time.Unix(updated.Int64(), 0)) > 2*f.heartbeat {
		return Price{}, false
	}
	usd, ok := scaled(evm.Answer{OK: true, Data: round.Data[32:64]}, places.Uint64())
	return Price{Amount: usd, Source: SourceFeed, At: time.Unix(updated.Int64(), 0)}, ok
}
