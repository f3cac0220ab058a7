package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// OpenOcean lists swap of OpenOceanExchange.
func OpenOcean() []Call { return []Call{{openOceanSwap, openOceanTerms}} }

var openOceanSwap = calldata.Parse("swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),(uint256,uint256,uint256,bytes)[])")

func openOceanTerms(v calldata.Value, _ *big.Int) (Terms, bool) {
	d := v.At(1)
	return Terms{
		From: d.At(0).Address(), To: d.At(1).Address(), Receiver: d.At(3).Address(), Amount: d.At(4).Int(), MinOut: d.At(5).Int(),
	}, len(d.At(9).Bytes()) == 0 && !flagged(d.At(7).Int(), flagPartial|flagBurns)
}
