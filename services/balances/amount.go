package balances

import (
	"math/big"
	"strconv"
	"strings"
)

// Numeric prints an amount in base units as whole units with all its decimal places: 10^17 with 18 decimals is
// `0.100000000000000000`, and 5 with none is `5`.
func Numeric(units *big.Int, decimals uint8) string {
	digits := units.String()
	if decimals == 0 {
		return digits
	}
	places := int(decimals)
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole := len(digits) - places
	return digits[:whole] + "." + digits[whole:]
}

// Value is what an amount in base units is worth at a price per whole unit, for display. The price counts as the decimal it is shown
// as, so that 100 units at 0.07 are 7 and not 7.000000000000001.
func Value(units *big.Int, decimals uint8, price float64) float64 {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(price, 'g', -1, 64))
	if !ok {
		return 0
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	value, _ := exact.Mul(exact, new(big.Rat).SetFrac(units, scale)).Float64()
	return value
}
