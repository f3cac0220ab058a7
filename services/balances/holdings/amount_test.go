package holdings

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumericKeepsEveryDigit(t *testing.T) {
	max := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	cases := []struct {
		units    string
		decimals uint8
		want     string
	}{
		{"0", 18, "0.000000000000000000"},
		{"1", 18, "0.000000000000000001"},
		{"100000000000000000", 18, "0.100000000000000000"},
		{"1000000000000000001", 18, "1.000000000000000001"},
		{"5", 0, "5"},
		{"0", 0, "0"},
		{"125320550", 6, "125.320550"},
		{"1234567890123456789012345678901234567", 36, "1.234567890123456789012345678901234567"},
		{max.String(), 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935"},
		{max.String(), 255, "0." + strings.Repeat("0", 255-78) + max.String()},
	}
	for _, c := range cases {
		units, _ := new(big.Int).SetString(c.units, 10)
		if got := Numeric(units, c.decimals); got != c.want {
			t.Errorf("%s with %d decimals: got %s, want %s", c.units, c.decimals, got, c.want)
		}
	}
}

func TestNumericRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "units"))
		decimals := rapid.Uint8().Draw(t, "decimals")
		checkNumeric(t, units, decimals)
	})
}

func FuzzNumeric(f *testing.F) {
	f.Add([]byte{1}, uint8(18))
	f.Fuzz(func(t *testing.T, units []byte, decimals uint8) {
		checkNumeric(t, new(big.Int).SetBytes(units), decimals)
	})
}

// checkNumeric checks that the text has exactly the requested decimal places, at least one digit before them, no
// superfluous zero, and the digits of the amount.
func checkNumeric(t interface {
	Errorf(format string, args ...any)
}, units *big.Int, decimals uint8) {
	text := Numeric(units, decimals)
	whole, places, dotted := strings.Cut(text, ".")
	if dotted != (decimals > 0) || len(places) != int(decimals) || whole == "" || len(whole) > 1 && whole[0] == '0' {
		t.Errorf("%s with %d decimals is not well formed: %s", units, decimals, text)
	}
	if back, ok := new(big.Int).SetString(whole+places, 10); !ok || back.Cmp(units) != 0 {
		t.Errorf("%s with %d decimals reads back as %s", units, decimals, back)
	}
}

func TestValueIsFiniteAndRoundedOnce(t *testing.T) {
	max := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	if got := Value(max, 0, 1e9); got < 1.1e86 || got > 1.2e86 {
		t.Errorf("got %v", got)
	}
	if got := Value(big.NewInt(1_500_000), 6, 2); got != 3 {
		t.Errorf("1.5 at 2: got %v, want 3", got)
	}
	if got := Value(big.NewInt(100), 0, 0.07); got != 7 {
		t.Errorf("100 at 0.07: got %v, want 7", got)
	}
}
