package route

import "github.com/holiman/uint256"

// swap implements UniswapV3Pool.swap with an exact input and without a price limit.
type swap struct {
	position
	ladder *ladder
	falls  bool // token0 comes in: the price falls
	rung   int  // the next initialised tick in the direction of the swap
	left   uint256.Int
	out    uint256.Int
}

func (c *Concentrated) start(in *uint256.Int, from side) swap {
	s := swap{position: c.position, ladder: c.ladder, falls: from == 0, rung: c.above(), left: *in}
	if s.falls {
		s.rung--
	}
	return s
}

// run trades until the whole input is used; it returns false if that is not possible.
func (s *swap) run() bool {
	if s.left.IsZero() || s.left.BitLen() == 256 {
		return false
	}
	for !s.left.IsZero() {
		next, initialized := s.next()
		if s.liquidity.IsZero() && !initialized {
			// Without liquidity nothing is traded or rounded until the next initialised tick.
			if s.rung < 0 || s.rung >= len(s.ladder.rungs) {
				return false
			}
			next, initialized = s.ladder.rungs[s.rung].index, true
		}
		target, last := s.target(next, initialized)
		before := s.sqrtPrice
		if !s.step(&target) || s.sqrtPrice.Lt(&s.ladder.low) || s.sqrtPrice.Gt(&s.ladder.high) {
			return false
		}
		arrived := s.sqrtPrice.Eq(&target)
		switch {
		case arrived && !last:
			s.arrive(next, initialized)
		case !s.sqrtPrice.Eq(&before):
			s.tick = tickAt(&s.sqrtPrice)
		}
		if arrived && last {
			return s.left.IsZero()
		}
	}
	return true
}

// next implements TickBitmap.nextInitializedTickWithinOneWord: it returns the next initialised tick, or the edge of its
// word of 256 ticks. The pool rounds at the edges too, so each edge is a separate step.
func (s *swap) next() (tick int32, initialized bool) {
	l := s.ladder
	compressed := s.tick / l.spacing
	if s.tick < 0 && s.tick%l.spacing != 0 {
		compressed--
	}
	if s.falls {
		edge := compressed >> 8 << 8 * l.spacing
		if s.rung >= 0 && l.rungs[s.rung].index >= edge {
			return l.rungs[s.rung].index, true
		}
		return max(edge, -maxTick), false
	}
	edge := ((compressed+1)>>8<<8 + 255) * l.spacing
	if s.rung < len(l.rungs) && l.rungs[s.rung].index <= edge {
		return l.rungs[s.rung].index, true
	}
	return min(edge, maxTick), false
}

// target returns the price of a tick, within the price limits of every swap; last is true if it is such a limit.
func (s *swap) target(tick int32, initialized bool) (price uint256.Int, last bool) {
	switch {
	case tick == -maxTick:
		price.AddUint64(&minSqrtPrice, 1)
		return price, true
	case tick == maxTick:
		price.SubUint64(&maxSqrtPrice, 1)
		return price, true
	case initialized:
		return s.ladder.rungs[s.rung].sqrtPrice, false
	default:
		return sqrtPriceAt(tick), false
	}
}

// step implements SwapMath.computeSwapStep: it trades towards a price within constant liquidity. It returns false if
// the contract's arithmetic would revert.
func (s *swap) step(target *uint256.Int) bool {
	var usable, in, out, fee, price uint256.Int
	mulDiv(&usable, &s.left, &s.ladder.keep, million)
	s.need(&in, target)
	if usable.Lt(&in) {
		s.priceAfter(&price, &usable)
	} else {
		price.Set(target)
	}
	if price.Eq(target) {
		mulDivUp(&fee, &in, &s.ladder.fee, &s.ladder.keep)
	} else {
		s.need(&in, &price)
		fee.Sub(&s.left, &in)
	}
	s.pay(&out, &price)
	in.Add(&in, &fee)
	if in.Gt(&s.left) {
		return false
	}
	s.left.Sub(&s.left, &in)
	s.out.Add(&s.out, &out)
	s.sqrtPrice = price
	return true
}

// need sets z to the input that moves the price to the given one, rounded up, before the fee.
func (s *swap) need(z, price *uint256.Int) {
	if s.falls {
		amount0Up(z, price, &s.sqrtPrice, &s.liquidity)
	} else {
		amount1Up(z, &s.sqrtPrice, price, &s.liquidity)
	}
}

// pay sets z to the output for moving the price to the given one, rounded down.
func (s *swap) pay(z, price *uint256.Int) {
	if s.falls {
		amount1Down(z, price, &s.sqrtPrice, &s.liquidity)
	} else {
		amount0Down(z, &s.sqrtPrice, price, &s.liquidity)
	}
}

// priceAfter sets z to the price after an input.
func (s *swap) priceAfter(z, in *uint256.Int) {
	if s.falls {
		priceAfter0(z, &s.sqrtPrice, &s.liquidity, in)
	} else {
		priceAfter1(z, &s.sqrtPrice, &s.liquidity, in)
	}
}

// arrive sets the tick to the one that the price has reached, and crosses it if positions begin or end there.
func (s *swap) arrive(tick int32, initialized bool) {
	if s.falls {
		s.tick = tick - 1
		if initialized {
			s.liquidity.Sub(&s.liquidity, &s.ladder.rungs[s.rung].net)
			s.rung--
		}
		return
	}
	s.tick = tick
	if initialized {
		s.liquidity.Add(&s.liquidity, &s.ladder.rungs[s.rung].net)
		s.rung++
	}
}
