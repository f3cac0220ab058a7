package route

import (
	"math"

	"github.com/holiman/uint256"
)

// curve is a pool in floats for the search: in each direction a chain of constant-product segments. Its output is at
// least that of the model.
type curve struct {
	// keep is the share of an input that is traded; the rest is the fee.
	keep  float64
	sides [2][]segment
}

// segment trades r, the part of an input that it takes, for y*r/(x+r).
type segment struct {
	x, y    float64 // virtual reserves at the start
	room    float64 // the maximum input of the segment
	in, out float64 // input and output of the segments before this one
}

// find returns the last segment that begins below a traded amount.
func find(chain []segment, traded float64) *segment {
	low, high := 0, len(chain)-1
	for low < high {
		middle := int(uint(low+high+1) >> 1)
		if chain[middle].in <= traded {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return &chain[low]
}

// forward returns the output for an input; false if the pool cannot take the input.
func (c *curve) forward(in float64, from side) (float64, bool) {
	chain := c.sides[from]
	if len(chain) == 0 {
		return 0, false
	}
	traded := in * c.keep
	s := find(chain, traded)
	r := traded - s.in
	return s.out + s.y*r/(s.x+r), r <= s.room
}

// marginal returns the output for one more unit after an input.
func (c *curve) marginal(in float64, from side) float64 {
	chain := c.sides[from]
	if len(chain) == 0 {
		return 0
	}
	traded := in * c.keep
	s := find(chain, traded)
	left := s.x + min(traded-s.in, s.room)
	return c.keep * s.x / left * (s.y / left)
}

// spot returns the marginal output before any trade.
func (c *curve) spot(from side) float64 {
	if len(c.sides[from]) == 0 {
		return 0
	}
	s := &c.sides[from][0]
	return c.keep * (s.y / s.x)
}

// exploit returns the arbitrage trade with the largest profit. It continues until one more unit of input has an output
// of less than 1/worth; worth is the price of the output token in units of the input token.
func (c *curve) exploit(from side, worth float64) (in, out float64) {
	gain := c.keep * worth
	s := reach(c.sides[from], gain)
	if s == nil {
		return 0, 0
	}
	r := min(s.room, s.x*(math.Sqrt(gain*(s.y/s.x))-1))
	return (s.in + r) / c.keep, s.out + s.y*r/(s.x+r)
}

// yield returns the derivative of the optimal input with respect to the logarithm of worth; 0 at the end of a segment.
func (c *curve) yield(from side, worth float64) float64 {
	gain := c.keep * worth
	s := reach(c.sides[from], gain)
	if s == nil {
		return 0
	}
	root := s.x * math.Sqrt(gain*(s.y/s.x))
	if root-s.x > s.room {
		return 0
	}
	return root / 2 / c.keep
}

// reach returns the last segment whose first unit has a profit; nil if there is none.
func reach(chain []segment, gain float64) *segment {
	if len(chain) == 0 || !(gain*chain[0].y > chain[0].x) {
		return nil
	}
	low, high := 0, len(chain)-1
	for low < high {
		middle := int(uint(low+high+1) >> 1)
		if gain*chain[middle].y > chain[middle].x {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return &chain[low]
}

// curve returns a chain with one segment for each range of ticks with liquidity.
func (c *Concentrated) curve() curve {
	var result curve
	result.keep = c.ladder.keep.Float64() / 1e6
	above := c.above()

	d := draw{price: c.sqrtPrice, liquidity: c.liquidity}
	for i := above - 1; i >= 0 && c.ladder.rungs[i].sqrtPrice.Gt(&c.ladder.low); i-- {
		d.fall(&c.ladder.rungs[i].sqrtPrice)
		d.liquidity.Sub(&d.liquidity, &c.ladder.rungs[i].net)
	}
	d.fall(&c.ladder.low)
	result.sides[0] = d.chain

	d = draw{price: c.sqrtPrice, liquidity: c.liquidity}
	for i := above; i < len(c.ladder.rungs) && c.ladder.rungs[i].sqrtPrice.Lt(&c.ladder.high); i++ {
		d.rise(&c.ladder.rungs[i].sqrtPrice)
		d.liquidity.Add(&d.liquidity, &c.ladder.rungs[i].net)
	}
	d.rise(&c.ladder.high)
	result.sides[1] = d.chain
	return result
}

// draw walks along a pool's price and appends segments.
type draw struct {
	price, liquidity uint256.Int
	chain            []segment
	in, out          float64
}

// fall appends the liquidity down to a price: token0 is the input.
func (d *draw) fall(to *uint256.Int) {
	if d.price.Gt(to) && !d.liquidity.IsZero() {
		from, end, width := d.roots(to, &d.price)
		liquidity := d.liquidity.Float64()
		d.note(segment{x: liquidity / from, y: liquidity * from, room: liquidity * (width / from / end)}, liquidity*width)
	}
	d.price = *to
}

// rise appends the liquidity up to a price: token1 is the input.
func (d *draw) rise(to *uint256.Int) {
	if d.price.Lt(to) && !d.liquidity.IsZero() {
		from, end, width := d.roots(&d.price, to)
		from, end = end, from
		liquidity := d.liquidity.Float64()
		d.note(segment{x: liquidity * from, y: liquidity / from, room: liquidity * width}, liquidity*(width/from/end))
	}
	d.price = *to
}

// roots returns two square root prices and their difference as floats, the higher one first. The difference is computed
// exactly before it is rounded.
func (*draw) roots(low, high *uint256.Int) (highRoot, lowRoot, width float64) {
	var distance uint256.Int
	distance.Sub(high, low)
	const q = 1.0 / (1 << 48) / (1 << 48)
	return high.Float64() * q, low.Float64() * q, distance.Float64() * q
}

func (d *draw) note(s segment, out float64) {
	s.in, s.out = d.in, d.out
	d.chain = append(d.chain, s)
	d.in += s.room
	d.out += out
}
