package route

import (
	"errors"
	"fmt"

	"github.com/holiman/uint256"
)

// Tick is a price at which positions begin or end.
type Tick struct {
	// Index is a multiple of the pool's spacing.
	Index int32
	// Net is the liquidity that is added when the price rises through the tick, in two's complement of 256 bits, as a node returns an int128.
	Net uint256.Int
}

// ConcentratedState is a pool of Uniswap v3 at one block.
type ConcentratedState struct {
	// Fee is deducted from an input, in hundredths of a basis point.
	Fee     uint32
	Spacing int32
	// SqrtPrice is the square root of token1 per token0, both in base units, in Q64.96.
	SqrtPrice uint256.Int
	// Liquidity is the liquidity in range at the price.
	Liquidity uint256.Int
	// Tick is the contract's tick. Right after the price has fallen to a tick, it is one below that tick.
	Tick int32
	// Ticks are the initialised ticks, ascending.
	Ticks []Tick
	// Low and High bound the known ticks, inclusively: a swap that would leave them is refused. Both are zero if all ticks are known.
	Low, High int32
}

// Concentrated is a pool of Uniswap v3, or a fork with its arithmetic; one of Algebra V1 has the spacing 60 and a fee that changes.
type Concentrated struct {
	ladder *ladder
	position
}

// position is a pool's price and its place between the ticks.
type position struct {
	sqrtPrice, liquidity uint256.Int
	tick                 int32
}

// ladder is the part of a pool that a swap does not change.
type ladder struct {
	fee, keep uint256.Int
	spacing   int32
	rungs     []rung
	// low and high are the first and the last price that a swap may reach.
	low, high uint256.Int
}

type rung struct {
	index     int32
	net       uint256.Int
	sqrtPrice uint256.Int
}

// NewConcentrated returns a pool at a state. It fails for an impossible state.
func NewConcentrated(s ConcentratedState) (*Concentrated, error) {
	if s.Fee >= 1_000_000 {
		return nil, errors.New("the fee is all of the input")
	}
	if s.Spacing < 1 || s.Spacing > 16383 {
		return nil, fmt.Errorf("the spacing of ticks is %d", s.Spacing)
	}
	l := &ladder{spacing: s.Spacing, rungs: make([]rung, len(s.Ticks))}
	l.fee.SetUint64(uint64(s.Fee))
	l.keep.SetUint64(1_000_000 - uint64(s.Fee))
	for i, t := range s.Ticks {
		if t.Index < -maxTick || t.Index > maxTick || t.Index%s.Spacing != 0 || i > 0 && t.Index <= s.Ticks[i-1].Index {
			return nil, fmt.Errorf("tick %d is out of place", t.Index)
		}
		l.rungs[i] = rung{index: t.Index, net: t.Net, sqrtPrice: sqrtPriceAt(t.Index)}
	}
	if err := l.bound(s.Low, s.High); err != nil {
		return nil, err
	}
	return l.at(position{s.SqrtPrice, s.Liquidity, s.Tick})
}

// At returns the pool with the same ticks at another price, liquidity and tick, as after a block of swaps. It shares
// the ticks with the pool, and returns the errors of [NewConcentrated].
func (c *Concentrated) At(sqrtPrice, liquidity *uint256.Int, tick int32) (*Concentrated, error) {
	return c.ladder.at(position{*sqrtPrice, *liquidity, tick})
}

// WithFee returns the pool with another fee, in hundredths of a basis point, which must be less than the whole input.
func (c *Concentrated) WithFee(fee uint32) *Concentrated {
	l := *c.ladder
	l.fee.SetUint64(uint64(fee))
	l.keep.SetUint64(1_000_000 - uint64(fee))
	return &Concentrated{ladder: &l, position: c.position}
}

// Fee returns the fee in hundredths of a basis point.
func (c *Concentrated) Fee() uint32 { return uint32(c.ladder.fee.Uint64()) }

// SqrtPrice returns the square root of token1 per token0 in Q64.96.
func (c *Concentrated) SqrtPrice() *uint256.Int { return c.sqrtPrice.Clone() }

// Liquidity returns the liquidity in range at the price.
func (c *Concentrated) Liquidity() *uint256.Int { return c.liquidity.Clone() }

// Tick returns the contract's tick, see [ConcentratedState].
func (c *Concentrated) Tick() int32 { return c.tick }

// bound sets the range of the price: that of the known ticks, without the minimum and maximum price.
func (l *ladder) bound(low, high int32) error {
	l.low.AddUint64(&minSqrtPrice, 1)
	l.high.SubUint64(&maxSqrtPrice, 1)
	if low == 0 && high == 0 {
		return nil
	}
	if low > high || low < -maxTick || high > maxTick {
		return fmt.Errorf("the known ticks %d to %d are no range", low, high)
	}
	if price := sqrtPriceAt(low); price.Gt(&l.low) {
		l.low = price
	}
	if price := sqrtPriceAt(high); price.Lt(&l.high) {
		l.high = price
	}
	return nil
}

func (l *ladder) at(p position) (*Concentrated, error) {
	if p.sqrtPrice.Lt(&minSqrtPrice) || !p.sqrtPrice.Lt(&maxSqrtPrice) {
		return nil, errors.New("the price is off the scale")
	}
	below := tickAt(&p.sqrtPrice)
	exact := sqrtPriceAt(below)
	if p.tick != below && (p.tick != below-1 || !exact.Eq(&p.sqrtPrice)) {
		return nil, fmt.Errorf("the price is at tick %d, not %d", below, p.tick)
	}
	c := &Concentrated{ladder: l, position: p}
	if c.sqrtPrice.Lt(&l.low) && l.low.GtUint64(minSqrtPrice.Uint64()+1) || c.sqrtPrice.Gt(&l.high) {
		return nil, errors.New("the price has left the ticks that are known")
	}
	return c, c.check()
}

// check fails if the liquidity between any two ticks is negative or above 2^128-1.
func (c *Concentrated) check() error {
	if c.liquidity.BitLen() > 128 {
		return errors.New("the liquidity is above 2^128-1")
	}
	above := c.above()
	liquidity := c.liquidity
	for i := above; i < len(c.ladder.rungs); i++ {
		if liquidity.Add(&liquidity, &c.ladder.rungs[i].net); liquidity.BitLen() > 128 {
			return fmt.Errorf("the liquidity above tick %d is not between 0 and 2^128-1", c.ladder.rungs[i].index)
		}
	}
	liquidity = c.liquidity
	for i := above - 1; i >= 0; i-- {
		if liquidity.Sub(&liquidity, &c.ladder.rungs[i].net); liquidity.BitLen() > 128 {
			return fmt.Errorf("the liquidity below tick %d is not between 0 and 2^128-1", c.ladder.rungs[i].index)
		}
	}
	return nil
}

// above returns the index of the first rung above the pool's tick.
func (c *Concentrated) above() int {
	rungs := c.ladder.rungs
	low, high := 0, len(rungs)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if rungs[middle].index > c.tick {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// Swap implements [Model]. It refuses inputs above 2^255-1, and inputs beyond the liquidity or the known ticks, because
// partial fills are not supported.
func (c *Concentrated) Swap(in *uint256.Int, zeroForOne bool) (uint256.Int, Model, bool) {
	s := c.start(in, sideOf(zeroForOne))
	if !s.run() {
		return uint256.Int{}, nil, false
	}
	return s.out, &Concentrated{ladder: c.ladder, position: s.position}, true
}

func (c *Concentrated) quote(in *uint256.Int, from side) (uint256.Int, bool) {
	s := c.start(in, from)
	ok := s.run()
	return s.out, ok
}
