package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// KyberSwap lists the functions of KyberSwap's MetaAggregationRouterV2.
func KyberSwap() []Call {
	return []Call{
		{kyberSwap, func(v calldata.Value, _ *big.Int) (Terms, bool) { return kyberTerms(v.At(0).At(3)) }},
		{kyberSimple, func(v calldata.Value, _ *big.Int) (Terms, bool) { return kyberTerms(v.At(1)) }},
	}
}

// kyberDescription is SwapDescriptionV2 of MetaAggregationRouterV2.
const kyberDescription = "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"

var (
	kyberSwap   = calldata.Parse("swap((address,address,bytes," + kyberDescription + ",bytes))")
	kyberSimple = calldata.Parse("swapSimpleMode(address," + kyberDescription + ",bytes,bytes)")
)

// kyberTerms decodes a description, and refuses a partial fill, a fee, a permit, or more sent to pools than is sold.
func kyberTerms(d calldata.Value) (Terms, bool) {
	amount, sent := d.At(7).Int(), new(big.Int)
	for i := range d.At(3).Len() {
		sent.Add(sent, d.At(3).At(i).Int())
	}
	plain := sent.Cmp(amount) <= 0 && d.At(4).Len() == 0 && len(d.At(10).Bytes()) == 0 && !flagged(d.At(9).Int(), flagPartial|flagBurns)
	return Terms{From: d.At(0).Address(), To: d.At(1).Address(), Receiver: d.At(6).Address(), Amount: amount, MinOut: d.At(8).Int()}, plain
}
