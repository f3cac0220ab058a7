package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Velora lists swapExactAmountIn of Velora's Augustus v6.2: the other functions are each for one kind of pool.
func Velora() []Call { return []Call{{veloraSwap, veloraTerms}} }

var veloraSwap = calldata.Parse("swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)")

// partnerFee is the mask of a partner's fee in basis points, in an argument of Augustus.
const partnerFee = 0x3fff

// veloraTerms decodes the arguments, and refuses a fee or a permit. Augustus may keep the output above the quoted amount, which must not be below the minimum.
func veloraTerms(v calldata.Value, _ *big.Int) (Terms, bool) {
	d := v.At(1)
	minimum, quoted := d.At(3).Int(), d.At(4).Int()
	return Terms{
		From: d.At(0).Address(), To: d.At(1).Address(), Receiver: d.At(6).Address(), Amount: d.At(2).Int(), MinOut: minimum,
	}, quoted.Cmp(minimum) >= 0 && len(v.At(3).Bytes()) == 0 && !flagged(v.At(2).Int(), partnerFee)
}
