package prices

import (
	"math"
	"strconv"
)

const (
	// probe is the sale, in US dollars, that a pool must bear for its price to count.
	probe = 1000
	// probeKept is what of the probe's worth the sale must bring.
	probeKept = 0.9
	// leastLiquidity is what a pool must hold of its anchor, in US dollars.
	leastLiquidity = 10_000
	// millionth is the scale of fees: hundredths of a basis point.
	millionth = 1_000_000
)

// curve is a pool's offer for a token, in base units of token and anchor.
type curve interface {
	// spot is what one base unit brings while next to nothing is sold.
	spot() float64
	// sell is what an amount brings, at least.
	sell(amount float64) float64
	// held is how much of the anchor the pool has.
	held() float64
}

// worth returns a token's price in US dollars per whole unit by the curve of one pool, and what the pool holds of its anchor; false when
// the pool is too shallow for its price to mean anything.
func worth(c curve, token, anchor Unit, anchorPrice float64) (price, liquidity float64, ok bool) {
	anchorUnit := anchorPrice / math.Pow10(int(anchor.Decimals))
	liquidity = c.held() * anchorUnit
	spot := c.spot() * anchorUnit
	price = significant(spot * math.Pow10(int(token.Decimals)))
	if liquidity < leastLiquidity || !believable(price) {
		return 0, 0, false
	}
	return price, liquidity, c.sell(probe/spot)*anchorUnit >= probe*probeKept
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

func (c constantProduct) held() float64 { return c.anchor }

// concentrated is the curve of a v3 pool, with prices as roots of anchor per token: a sale moves the root down.
type concentrated struct {
	root      float64
	liquidity float64
	fee       uint32
	// steps are where the liquidity changes, in the order that a sale meets them; nothing is known past the last.
	steps  []step
	anchor float64 // held by the pool
}

// step is a root of the price at which the liquidity changes.
type step struct {
	root   float64
	change float64
}

func (c concentrated) spot() float64 { return c.root * c.root }

// sell goes from step to step; what would be sold past the last one brings nothing.
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

func (c concentrated) held() float64 { return c.anchor }

// significant drops the digits that say nothing but how floats are rounded.
func significant(price float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(price, 'g', 12, 64), 64)
	if err != nil {
		return price
	}
	return short
}

func afterFee(amount float64, fee uint32) float64 { return amount * float64(millionth-fee) / millionth }
