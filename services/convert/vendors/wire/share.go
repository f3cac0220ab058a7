package wire

import (
	"fmt"
	"strings"
)

// Percent spells hundredths of a percent as percent: 50 is 0.5.
func Percent(bps uint32) string { return decimal(bps, 100, 2) }

// Fraction spells hundredths of a percent as a part of one: 50 is 0.005.
func Fraction(bps uint32) string { return decimal(bps, 10_000, 4) }

func decimal(n, one uint32, places int) string {
	text := fmt.Sprintf("%d.%0*d", n/one, places, n%one)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
