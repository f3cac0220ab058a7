package wire

import (
	"encoding/hex"
	"errors"
	"strings"
)

// ErrData is what call data gives that is not 0x and pairs of hex digits.
var ErrData = errors.New("not 0x and pairs of hex digits")

// Data is call data.
type Data []byte

// UnmarshalText reads 0x and hex digits.
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
