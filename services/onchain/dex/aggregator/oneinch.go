package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// OneInch lists swap of AggregationRouterV6 of 1inch: the shorter functions do not name the bought token.
func OneInch() []Call { return []Call{{oneInchSwap, oneInchTerms}} }

var oneInchSwap = calldata.Parse("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)")

func oneInchTerms(v calldata.Value, _ *big.Int) (Terms, bool) {
	d := v.At(1)
	return Terms{
		From: d.At(0).Address(), To: d.At(1).Address(), Receiver: d.At(3).Address(), Amount: d.At(4).Int(), MinOut: d.At(5).Int(),
	}, !flagged(d.At(6).Int(), flagPartial)
}
