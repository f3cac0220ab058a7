package route

import (
	"errors"

	"github.com/holiman/uint256"
)

// maxFeeDenominator keeps every product of a swap within 256 bits: 112 bits of input, 32 of fee, 112 of reserve.
const maxFeeDenominator = 1 << 32

// maxReserve is the largest reserve of a pair: 2^112-1 base units. The contract reverts with OVERFLOW above it.
var maxReserve = new(uint256.Int).SubUint64(new(uint256.Int).Lsh(uint256.NewInt(1), 112), 1)

// ConstantProduct is a constant-product pool, as of Uniswap v2.
type ConstantProduct struct {
	reserves               [2]uint256.Int
	numerator, denominator uint256.Int
}

// NewConstantProduct returns a pool with reserves in base units. feeNumerator/feeDenominator of an input is left after
// the fee: 997/1000 for Uniswap v2. It fails for reserves above 2^112-1, and for a fraction above 1. A pool with an
// empty reserve refuses every swap.
func NewConstantProduct(reserve0, reserve1 *uint256.Int, feeNumerator, feeDenominator uint64) (*ConstantProduct, error) {
	if reserve0.Gt(maxReserve) || reserve1.Gt(maxReserve) {
		return nil, errors.New("a reserve is above 2^112-1")
	}
	if feeNumerator == 0 || feeNumerator > feeDenominator || feeDenominator > maxFeeDenominator {
		return nil, errors.New("the fee is not a share of the input")
	}
	p := &ConstantProduct{reserves: [2]uint256.Int{*reserve0, *reserve1}}
	p.numerator.SetUint64(feeNumerator)
	p.denominator.SetUint64(feeDenominator)
	return p, nil
}

// Swap implements [Model]. It refuses an input whose output is 0, or that would make a reserve exceed 2^112-1.
func (p *ConstantProduct) Swap(in *uint256.Int, zeroForOne bool) (uint256.Int, Model, bool) {
	from := sideOf(zeroForOne)
	out, ok := p.quote(in, from)
	if !ok {
		return uint256.Int{}, nil, false
	}
	after := *p
	after.reserves[from].Add(&p.reserves[from], in)
	after.reserves[1-from].Sub(&p.reserves[1-from], &out)
	return out, &after, true
}

func (p *ConstantProduct) quote(in *uint256.Int, from side) (out uint256.Int, ok bool) {
	reserveIn, reserveOut := &p.reserves[from], &p.reserves[1-from]
	if in.Gt(maxReserve) || reserveIn.IsZero() || reserveOut.IsZero() {
		return out, false
	}
	var held, counted, dividend, divisor uint256.Int
	if held.Add(reserveIn, in).Gt(maxReserve) {
		return out, false
	}
	counted.Mul(in, &p.numerator)
	dividend.Mul(&counted, reserveOut)
	divisor.Mul(reserveIn, &p.denominator)
	divisor.Add(&divisor, &counted)
	out.Div(&dividend, &divisor)
	return out, !out.IsZero()
}

func (p *ConstantProduct) curve() curve {
	c := curve{keep: p.numerator.Float64() / p.denominator.Float64()}
	if p.reserves[0].IsZero() || p.reserves[1].IsZero() {
		return c
	}
	for from := range p.reserves {
		var room uint256.Int
		room.Sub(maxReserve, &p.reserves[from])
		c.sides[from] = []segment{{
			x: p.reserves[from].Float64(), y: p.reserves[1-from].Float64(), room: room.Float64() * c.keep,
		}}
	}
	return c
}
