package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

const (
	// digitsLimit is how many decimal digits 2^256-1 has, hexLimit how many in hex.
	digitsLimit = 78
	hexLimit    = 64
	bitsLimit   = 256
)

// ErrAmount is the error of an amount that is not a whole number from 0 to 2^256-1.
var ErrAmount = errors.New("not a whole number from 0 to 2^256-1")

// Amount is a whole number of base units, as decimal digits or 0x and hex digits, in quotes or not. Its Int is nil if the field is absent or null.
type Amount struct{ *big.Int }

// UnmarshalJSON decodes the number. It refuses a fraction or an exponent, which come from a float.
func (a *Amount) UnmarshalJSON(raw []byte) error {
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	text := string(raw)
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := parse(text)
	if err != nil {
		return err
	}
	a.Int = n
	return nil
}

func parse(text string) (*big.Int, error) {
	base, limit := 10, digitsLimit
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		text, base, limit = hex, 16, hexLimit
	}
	if text == "" || len(text) > limit || strings.ContainsFunc(text, func(r rune) bool { return !isDigit(r, base) }) {
		return nil, ErrAmount
	}
	n, ok := new(big.Int).SetString(text, base)
	if !ok || n.BitLen() > bitsLimit {
		return nil, ErrAmount
	}
	return n, nil
}

func isDigit(r rune, base int) bool {
	return r >= '0' && r <= '9' || base == 16 && (r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F')
}

// Gas is an estimate of gas in units; zero if it is absent or malformed.
type Gas uint64

// UnmarshalJSON decodes the estimate, in the forms of an [Amount].
func (g *Gas) UnmarshalJSON(raw []byte) error {
	*g = 0
	var a Amount
	if err := a.UnmarshalJSON(raw); err == nil && a.Int != nil && a.IsUint64() {
		*g = Gas(a.Uint64())
	}
	return nil
}

// Percent returns basis points as decimal percent: 50 is 0.5.
func Percent(bps uint32) string {
	text := fmt.Sprintf("%d.%02d", bps/100, bps%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// ErrData is the error of call data that is not 0x and pairs of hex digits.
var ErrData = errors.New("not 0x and pairs of hex digits")

// Data is call data.
type Data []byte

// UnmarshalText decodes 0x and hex digits.
func (d *Data) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return ErrData
	}
	data, err := hex.DecodeString(digits)
	if err != nil {
		return ErrData
	}
	*d = data
	return nil
}
