package pools

import (
	"fmt"
	"slices"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
)

// state is the state of a pool at one block. It is immutable except for its caches. Only the chain's tracker accesses it.
type state interface {
	// model returns the pool's arithmetic; nil if there is nothing to trade. It fails for an impossible state.
	model(p Pool, terms terms) (route.Model, error)
	// equal reports whether two states are the same in every bit.
	equal(other state) bool
}

// terms are the parameters of all pools of a factory.
type terms struct {
	// numerator / denominator is the share of an input that is left after a v2 pool's fee.
	numerator, denominator uint64
	// spacing is the distance of a concentrated pool's usable ticks.
	spacing int32
	// isFeeRead says that a pool's fee is part of its state.
	isFeeRead bool
}

// reserves is the state of a v2 pool, in base units.
type reserves [2]uint256.Int

func (r *reserves) model(_ Pool, t terms) (route.Model, error) {
	if r[0].IsZero() || r[1].IsZero() {
		return nil, nil
	}
	return route.NewConstantProduct(&r[0], &r[1], t.numerator, t.denominator)
}

func (r *reserves) equal(other state) bool {
	o, ok := other.(*reserves)
	return ok && *r == *o
}

// position is the state of a v3 pool: its price and the ticks around it.
type position struct {
	sqrtPrice, liquidity uint256.Int
	tick                 int32
	// fee is the fee at the block, in hundredths of a basis point, of a pool whose fee changes; 0 while it is unknown.
	fee    uint32
	ladder *ladder
}

// ladder holds the initialised ticks of a v3 pool.
type ladder struct {
	ticks []tick
	// low and high are the ends of the range whose ticks are known.
	low, high int32

	// base is a model with these ticks, from which models at other prices are made.
	base *route.Concentrated
}

// tick is an initialised tick: a price at which positions begin or end.
type tick struct {
	index int32
	// gross is the liquidity of all positions that begin or end here; the tick is initialised while it is not zero.
	gross uint256.Int
	// net is what is added to the liquidity when the price rises through the tick, in two's complement.
	net uint256.Int
}

func (s *position) model(p Pool, t terms) (route.Model, error) {
	fee := p.Fee
	if t.isFeeRead {
		fee = s.fee
	}
	if s.sqrtPrice.IsZero() || s.liquidity.IsZero() && len(s.ladder.ticks) == 0 || t.isFeeRead && fee == 0 {
		return nil, nil
	}
	if s.ladder.base != nil {
		if s.ladder.base.Fee() != fee {
			s.ladder.base = s.ladder.base.WithFee(fee)
		}
		return s.ladder.base.At(&s.sqrtPrice, &s.liquidity, s.tick)
	}
	known := route.ConcentratedState{
		Fee: fee, Spacing: t.spacing, SqrtPrice: s.sqrtPrice, Liquidity: s.liquidity, Tick: s.tick,
		Ticks: make([]route.Tick, len(s.ladder.ticks)), Low: s.ladder.low, High: s.ladder.high,
	}
	for i, tick := range s.ladder.ticks {
		known.Ticks[i] = route.Tick{Index: tick.index, Net: tick.net}
	}
	m, err := route.NewConcentrated(known)
	if err != nil {
		return nil, err
	}
	s.ladder.base = m
	return m, nil
}

func (s *position) equal(other state) bool {
	o, ok := other.(*position)
	return ok && s.sqrtPrice == o.sqrtPrice && s.liquidity == o.liquidity && s.tick == o.tick && s.fee == o.fee &&
		(s.ladder == o.ladder || s.ladder.low == o.ladder.low && s.ladder.high == o.ladder.high && slices.Equal(s.ladder.ticks, o.ladder.ticks))
}

// swapped returns the state after a swap that changed the price.
func (s *position) swapped(sqrtPrice, liquidity uint256.Int, tick int32) *position {
	return &position{sqrtPrice: sqrtPrice, liquidity: liquidity, tick: tick, fee: s.fee, ladder: s.ladder}
}

// charging returns the state with another fee.
func (s *position) charging(fee uint32) *position {
	next := *s
	next.fee = fee
	return &next
}

// moved returns the state after liquidity was added or removed between two ticks. It fails if that is impossible.
func (s *position) moved(lower, upper int32, amount *uint256.Int, added bool) (*position, error) {
	change := *amount
	if !added {
		change.Neg(amount)
	}
	next := &position{sqrtPrice: s.sqrtPrice, liquidity: s.liquidity, tick: s.tick, fee: s.fee}
	if lower <= s.tick && s.tick < upper {
		next.liquidity.Add(&next.liquidity, &change)
	}
	if lower >= upper || next.liquidity.BitLen() > 128 {
		return nil, fmt.Errorf("a position from tick %d to %d does not fit", lower, upper)
	}
	ticks := slices.Clone(s.ladder.ticks)
	negated := *new(uint256.Int).Neg(&change)
	for _, end := range []tick{{index: lower, gross: change, net: change}, {index: upper, gross: change, net: negated}} {
		if end.index < s.ladder.low || end.index > s.ladder.high {
			continue
		}
		var err error
		if ticks, err = turned(ticks, end); err != nil {
			return nil, err
		}
	}
	next.ladder = &ladder{ticks: ticks, low: s.ladder.low, high: s.ladder.high}
	return next, nil
}

// turned returns the ticks after a change of one, which appears with its first liquidity and disappears with its last.
func turned(ticks []tick, change tick) ([]tick, error) {
	i, found := slices.BinarySearchFunc(ticks, change.index, func(t tick, index int32) int { return int(t.index) - int(index) })
	if !found {
		ticks = slices.Insert(ticks, i, tick{index: change.index})
	}
	t := &ticks[i]
	t.gross.Add(&t.gross, &change.gross)
	t.net.Add(&t.net, &change.net)
	if t.gross.BitLen() > 128 {
		return nil, fmt.Errorf("tick %d has less liquidity than is taken away", change.index)
	}
	if t.gross.IsZero() {
		return slices.Delete(ticks, i, i+1), nil
	}
	return ticks, nil
}

// isNearEdge reports whether the price is so near to the end of the known ticks that large swaps would leave them.
func (s *position) isNearEdge(spacing int32) bool {
	if s.sqrtPrice.IsZero() {
		return false
	}
	low, high := span(wordOf(-maxTick, spacing), wordOf(maxTick, spacing), spacing)
	quarter := (s.ladder.high - s.ladder.low) / 4
	return s.ladder.low > low && s.tick < s.ladder.low+quarter || s.ladder.high < high && s.tick > s.ladder.high-quarter
}
