package route

import "github.com/holiman/uint256"

var (
	q96     = new(uint256.Int).Lsh(uint256.NewInt(1), 96)
	max160  = new(uint256.Int).SubUint64(new(uint256.Int).Lsh(uint256.NewInt(1), 160), 1)
	million = uint256.NewInt(1_000_000)
)

// mulDiv sets z = floor(x*y/d) with a product of 512 bits.
func mulDiv(z, x, y, d *uint256.Int) { z.MulDivOverflow(x, y, d) }

// mulDivUp sets z = ceil(x*y/d); z must not alias the other arguments.
func mulDivUp(z, x, y, d *uint256.Int) {
	z.MulDivOverflow(x, y, d)
	// The remainder is below 2^256, so its low word shows whether it is zero.
	var product, whole uint256.Int
	product.Mul(x, y)
	if whole.Mul(z, d); !whole.Eq(&product) {
		z.AddUint64(z, 1)
	}
}

// divUp sets z = ceil(x/y).
func divUp(z, x, y *uint256.Int) {
	var remainder uint256.Int
	z.DivMod(x, y, &remainder)
	if !remainder.IsZero() {
		z.AddUint64(z, 1)
	}
}

// amount0Up and amount0Down set z to the amount of token0 between two square root prices, low <= high: L*(1/low - 1/high).
func amount0Up(z, low, high, liquidity *uint256.Int) {
	var scaled, width, t uint256.Int
	scaled.Lsh(liquidity, 96)
	width.Sub(high, low)
	mulDivUp(&t, &scaled, &width, high)
	divUp(z, &t, low)
}

func amount0Down(z, low, high, liquidity *uint256.Int) {
	var scaled, width, t uint256.Int
	scaled.Lsh(liquidity, 96)
	width.Sub(high, low)
	mulDiv(&t, &scaled, &width, high)
	z.Div(&t, low)
}

// amount1Up and amount1Down set z to the amount of token1 between two square root prices, low <= high: L*(high - low).
func amount1Up(z, low, high, liquidity *uint256.Int) {
	var width uint256.Int
	width.Sub(high, low)
	mulDivUp(z, liquidity, &width, q96)
}

func amount1Down(z, low, high, liquidity *uint256.Int) {
	var width uint256.Int
	width.Sub(high, low)
	mulDiv(z, liquidity, &width, q96)
}

// priceAfter0 sets z to the square root price after an input of token0, rounded up. The liquidity must not be zero.
func priceAfter0(z, price, liquidity, in *uint256.Int) {
	var scaled, product, divisor uint256.Int
	scaled.Lsh(liquidity, 96)
	if _, overflow := product.MulOverflow(in, price); !overflow {
		if _, overflow = divisor.AddOverflow(&scaled, &product); !overflow {
			var after uint256.Int
			mulDivUp(&after, &scaled, price, &divisor)
			z.Set(&after)
			return
		}
	}
	divisor.Div(&scaled, price)
	divisor.Add(&divisor, in)
	divUp(z, &scaled, &divisor)
}

// priceAfter1 sets z to the square root price after an input of token1, rounded down. The liquidity must not be zero.
func priceAfter1(z, price, liquidity, in *uint256.Int) {
	var rise uint256.Int
	if in.Gt(max160) {
		mulDiv(&rise, in, q96, liquidity)
	} else {
		rise.Lsh(in, 96)
		rise.Div(&rise, liquidity)
	}
	z.Add(price, &rise)
}
