package prices

import (
	"math"
	"strconv"
)

const (
	// probeUSD is the value of the simulated sale, in US dollars, by which a pool's depth is measured.
	probeUSD = 1000
	// minProbeReturn is the share of probeUSD that the simulated sale must return.
	minProbeReturn = 0.9
	// minLiquidityUSD is the least value of the anchor that a pool must hold, in US dollars.
	minLiquidityUSD = 10_000
	// feeScale is a fee of 100 %: fees are in hundredths of a basis point.
	feeScale = 1_000_000
)

// curve computes what a pool pays for a token, in base units of token and anchor.
type curve interface {
	// spot returns the price of one base unit, before fees and price impact.
	spot() float64
	// sell returns the least amount of the anchor that the pool pays for an amount of the token.
	sell(amount float64) float64
	// reserve returns the pool's balance of the anchor.
	reserve() float64
}

// worth returns a token's price in US dollars per whole unit, and the value of the anchor that the pool holds, in US dollars; false if the
// pool is not deep enough.
func worth(c curve, token, anchor Unit, anchorPrice float64) (price, liquidity float64, ok bool) {
	anchorUnit := anchorPrice / math.Pow10(int(anchor.Decimals))
	liquidity = c.reserve() * anchorUnit
	spot := c.spot() * anchorUnit
	price = significant(spot * math.Pow10(int(token.Decimals)))
	if liquidity < minLiquidityUSD || !validPrice(price) {
		return 0, 0, false
	}
	return price, liquidity, c.sell(probeUSD/spot)*anchorUnit >= probeUSD*minProbeReturn
}

// constantProduct is the curve of a v2 pool.
type constantProduct struct {
	token, anchor float64 // reserves
	fee           uint32
}

func (c constantProduct) spot() float64 { return c.anchor / c.token }

func (c constantProduct) sell(amount float64) float64 {
	amount = afterFee(amount, c.fee)
	return c.anchor * amount / (c.token + amount)
}

func (c constantProduct) reserve() float64 { return c.anchor }

// concentrated is the curve of a v3 pool. Prices are square roots of anchor per token; a sale lowers the root.
type concentrated struct {
	root      float64
	liquidity float64
	fee       uint32
	// steps are the prices at which the liquidity changes, in the order that a sale crosses them. Liquidity after the last is unknown.
	steps  []step
	anchor float64 // held by the pool
}

// step is a square root of a price at which the liquidity changes.
type step struct {
	root   float64
	change float64
}

func (c concentrated) spot() float64 { return c.root * c.root }

// sell crosses step after step. Liquidity after the last step counts as zero.
func (c concentrated) sell(amount float64) float64 {
	amount = afterFee(amount, c.fee)
	brought, root, liquidity := 0.0, c.root, c.liquidity
	for _, next := range c.steps {
		room := liquidity * (1/next.root - 1/root)
		if amount <= room {
			return brought + liquidity*(root-1/(1/root+amount/liquidity))
		}
		brought += liquidity * (root - next.root)
		amount -= room
		root, liquidity = next.root, max(0, liquidity+next.change)
	}
	return brought
}

func (c concentrated) reserve() float64 { return c.anchor }

// significant rounds to 12 digits, which removes rounding errors of floats.
func significant(price float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(price, 'g', 12, 64), 64)
	if err != nil {
		return price
	}
	return short
}

// afterFee subtracts a fee in hundredths of a basis point.
func afterFee(amount float64, fee uint32) float64 { return amount * float64(feeScale-fee) / feeScale }
