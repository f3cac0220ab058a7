package challenge

import (
	"testing"
)

// Each digit must be equally likely at each of the six places: chi-squared with 9 degrees of freedom exceeds 40 only
// once in 100,000 runs.
func TestDigitsOfCodesAreEquallyLikely(t *testing.T) {
	const n = 20_000
	var count [6][10]int
	for range n {
		code := newCode()
		if len(code) != 6 {
			t.Fatalf("code %q", code)
		}
		for i, digit := range code {
			count[i][digit-'0']++
		}
	}
	for i, digits := range count {
		var chi float64
		for _, got := range digits {
			off := float64(got) - n/10
			chi += off * off / (n / 10)
		}
		if chi > 40 {
			t.Errorf("digit %d: chi-squared %.1f, counts %v", i, chi, digits)
		}
	}
}
