package route

import (
	"math"

	"github.com/holiman/uint256"
)

// maxTick is the largest tick of Uniswap v3, whose ticks are from -maxTick to maxTick; tick i is the price 1.0001^i of
// token0 in token1.
const maxTick = 887272

var (
	// minSqrtPrice and maxSqrtPrice are prices that no swap reaches: a swap is limited to one unit inside them.
	minSqrtPrice = sqrtPriceAt(-maxTick)
	maxSqrtPrice = sqrtPriceAt(maxTick)
)

// sqrtPriceFactors are sqrt(1.0001)^-(2^i) in Q128.128, the contract's own constants.
var sqrtPriceFactors = [20]uint256.Int{
	*uint256.MustFromHex("0xfffcb933bd6fad37aa2d162d1a594001"),
	*uint256.MustFromHex("0xfff97272373d413259a46990580e213a"),
	*uint256.MustFromHex("0xfff2e50f5f656932ef12357cf3c7fdcc"),
	*uint256.MustFromHex("0xffe5caca7e10e4e61c3624eaa0941cd0"),
	*uint256.MustFromHex("0xffcb9843d60f6159c9db58835c926644"),
	*uint256.MustFromHex("0xff973b41fa98c081472e6896dfb254c0"),
	*uint256.MustFromHex("0xff2ea16466c96a3843ec78b326b52861"),
	*uint256.MustFromHex("0xfe5dee046a99a2a811c461f1969c3053"),
	*uint256.MustFromHex("0xfcbe86c7900a88aedcffc83b479aa3a4"),
	*uint256.MustFromHex("0xf987a7253ac413176f2b074cf7815e54"),
	*uint256.MustFromHex("0xf3392b0822b70005940c7a398e4b70f3"),
	*uint256.MustFromHex("0xe7159475a2c29b7443b29c7fa6e889d9"),
	*uint256.MustFromHex("0xd097f3bdfd2022b8845ad8f792aa5825"),
	*uint256.MustFromHex("0xa9f746462d870fdf8a65dc1f90e061e5"),
	*uint256.MustFromHex("0x70d869a156d2a1b890bb3df62baf32f7"),
	*uint256.MustFromHex("0x31be135f97d08fd981231505542fcfa6"),
	*uint256.MustFromHex("0x9aa508b5b7a84e1c677de54f3e99bc9"),
	*uint256.MustFromHex("0x5d6af8dedb81196699c329225ee604"),
	*uint256.MustFromHex("0x2216e584f5fa1ea926041bedfe98"),
	*uint256.MustFromHex("0x48a170391f7dc42444e8fa2"),
}

// SqrtPriceAt returns the square root of a tick's price in Q64.96, as the contracts round it. The tick must be within
// -887272 and 887272.
func SqrtPriceAt(tick int32) uint256.Int { return sqrtPriceAt(tick) }

// sqrtPriceAt implements TickMath.getSqrtRatioAtTick: it returns the square root of a tick's price in Q64.96, rounded
// up.
func sqrtPriceAt(tick int32) (price uint256.Int) {
	distance := uint32(max(tick, -tick))
	price.Lsh(uint256.NewInt(1), 128)
	for i := range sqrtPriceFactors {
		if distance>>i&1 != 0 {
			price.Mul(&price, &sqrtPriceFactors[i])
			price.Rsh(&price, 128)
		}
	}
	if tick > 0 {
		var most uint256.Int
		price.Div(most.SetAllOne(), &price)
	}
	remainder := price.Uint64() & math.MaxUint32
	price.Rsh(&price, 32)
	if remainder != 0 {
		price.AddUint64(&price, 1)
	}
	return price
}

// tickAt implements TickMath.getTickAtSqrtRatio: it returns the greatest tick whose price is at most this one. The
// price must be within the bounds.
func tickAt(price *uint256.Int) int32 {
	// The logarithm is exact to 1e-9 of a tick, so only a price that close to a tick needs an exact comparison.
	estimate := (math.Log2(price.Float64()) - 96) * (2 * math.Ln2 / math.Log1p(0.0001))
	tick := int32(math.Floor(estimate + 1e-6))
	if at := sqrtPriceAt(tick); at.Gt(price) {
		return tick - 1
	}
	return tick
}
