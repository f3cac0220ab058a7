// Package depth computes the price of a token in a pool, and whether the pool is deep enough to sell into. It is for display only.
package depth

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
	// FeeScale is a fee of 100 %: fees are in hundredths of a basis point.
	FeeScale = 1_000_000
)

// Curve computes what a pool pays for a token, in base units of the token and of the anchor, which is the pool's other
// token and has its own price.
type Curve interface {
	// Spot returns the price of one base unit, before fees and price impact.
	Spot() float64
	// Sell returns the least amount of the anchor that the pool pays for an amount of the token.
	Sell(amount float64) float64
	// Reserve returns the pool's balance of the anchor.
	Reserve() float64
}

// Worth returns a token's price in US dollars per whole unit, and the value of the anchor that the pool holds, in US dollars; false if the
// pool is not deep enough. token and anchor are numbers of decimals; anchorPrice is in US dollars per whole unit.
func Worth(c Curve, token, anchor uint8, anchorPrice float64) (price, liquidity float64, ok bool) {
	anchorUnit := anchorPrice / math.Pow10(int(anchor))
	liquidity = c.Reserve() * anchorUnit
	spot := c.Spot() * anchorUnit
	price = significant(spot * math.Pow10(int(token)))
	if liquidity < minLiquidityUSD || !ValidPrice(price) {
		return 0, 0, false
	}
	return price, liquidity, c.Sell(probeUSD/spot)*anchorUnit >= probeUSD*minProbeReturn
}

// maxShare is how much of what is in the pools of a token a holding is worth at most.
const maxShare = 0.1

// Market is what the pools of a token pay for it.
type Market struct {
	offers []offer
	// liquidity is the value of the anchors in the pools.
	liquidity float64
}

// offer is a pool. unit is the value of one base unit of its anchor.
type offer struct {
	Curve

	unit float64
}

// value returns what the pool pays for an amount.
func (o offer) value(amount float64) float64 { return o.Sell(amount) * o.unit }

// Add adds a pool whose anchor has that price per whole unit, and that number of decimals.
func (m *Market) Add(c Curve, anchor uint8, anchorPrice float64) {
	unit := anchorPrice / math.Pow10(int(anchor))
	m.offers = append(m.offers, offer{c, unit})
	m.liquidity += c.Reserve() * unit
}

// In returns the market in a currency of which one unit costs rate.
func (m *Market) In(rate float64) *Market {
	if m == nil {
		return nil
	}
	converted := &Market{liquidity: m.liquidity / rate}
	for _, o := range m.offers {
		converted.offers = append(converted.offers, offer{o.Curve, o.unit / rate})
	}
	return converted
}

// saleParts is how many parts an amount is sold in, each in the pool that pays most for it.
const saleParts = 64

// Limit returns the most that an amount of the token, in base units, is worth: what the pools pay if it is split between them well, but at most a tenth of
// what is in them.
func (m *Market) Limit(amount float64) float64 {
	if len(m.offers) == 0 {
		return 0
	}
	part := amount / saleParts
	sold, next := make([]float64, len(m.offers)), make([]float64, len(m.offers))
	gain := func(i int) float64 { return m.offers[i].value(sold[i]+part) - m.offers[i].value(sold[i]) }
	for i := range next {
		next[i] = gain(i)
	}
	var paid float64
	for range saleParts {
		best := 0
		for i := range next {
			if next[i] > next[best] {
				best = i
			}
		}
		paid += next[best]
		sold[best] += part
		next[best] = gain(best)
	}
	return significant(min(paid, maxShare*m.liquidity))
}

// maxSupplyShare is how many times what is in the pools of a token all of it may be worth. More of it is a price that no market made.
const maxSupplyShare = 10_000

// Bears reports whether pools with this value of anchors can have made a price at which all of a token is worth that much.
func (m *Market) Bears(supply float64) bool { return supply <= maxSupplyShare*m.liquidity }

// ConstantProduct is the curve of a pool whose reserves have a constant product.
type ConstantProduct struct {
	// Token and Anchor are the reserves.
	Token, Anchor float64
	// Fee is in hundredths of a basis point.
	Fee uint32
}

// Spot implements [Curve].
func (c ConstantProduct) Spot() float64 { return c.Anchor / c.Token }

// Sell implements [Curve].
func (c ConstantProduct) Sell(amount float64) float64 {
	amount = afterFee(amount, c.Fee)
	return c.Anchor * amount / (c.Token + amount)
}

// Reserve implements [Curve].
func (c ConstantProduct) Reserve() float64 { return c.Anchor }

// Concentrated is the curve of a pool with concentrated liquidity. Prices are square roots of anchor per token; a sale lowers the root.
type Concentrated struct {
	Root      float64
	Liquidity float64
	// Fee is in hundredths of a basis point.
	Fee uint32
	// Steps are the prices at which the liquidity changes, in the order that a sale crosses them. Liquidity after the last is unknown.
	Steps []Step
	// Anchor is the amount of the anchor that the pool holds.
	Anchor float64
}

// Step is a square root of a price at which the liquidity changes.
type Step struct{ Root, Change float64 }

// Spot implements [Curve].
func (c Concentrated) Spot() float64 { return c.Root * c.Root }

// Sell crosses step after step. Liquidity after the last step counts as zero.
func (c Concentrated) Sell(amount float64) float64 {
	if amount = afterFee(amount, c.Fee); amount <= 0 {
		return 0 // A pool may have no liquidity at its price.
	}
	brought, root, liquidity := 0.0, c.Root, c.Liquidity
	for _, next := range c.Steps {
		room := liquidity * (1/next.Root - 1/root)
		if amount <= room {
			return brought + liquidity*(root-1/(1/root+amount/liquidity))
		}
		brought += liquidity * (root - next.Root)
		amount -= room
		root, liquidity = next.Root, max(0, liquidity+next.Change)
	}
	return brought
}

// Reserve implements [Curve].
func (c Concentrated) Reserve() float64 { return c.Anchor }

// significant rounds to 12 digits, which removes rounding errors of floats.
func significant(price float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(price, 'g', 12, 64), 64)
	if err != nil {
		return price
	}
	return short
}

// afterFee subtracts a fee in hundredths of a basis point.
func afterFee(amount float64, fee uint32) float64 { return amount * float64(FeeScale-fee) / FeeScale }

// ValidPrice reports whether a price is positive and finite.
func ValidPrice(price float64) bool {
	return price > 0 && !math.IsInf(price, 0) && !math.IsNaN(price)
}
