package chainclient

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// The types of this file are more lenient than hexutil of go-ethereum: null is the zero value, and a QUANTITY may have leading zeros, which nodes
// of some chains send.

// Uint64 is a JSON-RPC QUANTITY of up to 64 bits; null is 0.
type Uint64 uint64

// UnmarshalJSON parses 0x and hex digits, or null. It fails with [ErrAnswer].
func (q *Uint64) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil || digits == "" {
		return err
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return fmt.Errorf("%w: not a quantity", ErrAnswer)
	}
	*q = Uint64(n)
	return nil
}

// String returns the QUANTITY, such as 0x1b4.
func (q Uint64) String() string { return "0x" + strconv.FormatUint(uint64(q), 16) }

// Amount is a JSON-RPC QUANTITY of up to 256 bits; Int is nil for null or an absent member.
type Amount struct{ *big.Int }

// UnmarshalJSON parses 0x and hex digits, or null. It fails with [ErrAnswer].
func (a *Amount) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil || digits == "" {
		return err
	}
	n, ok := new(big.Int).SetString(digits, 16)
	if !ok || len(digits) > 64 || n.Sign() < 0 {
		return fmt.Errorf("%w: not an amount", ErrAnswer)
	}
	a.Int = n
	return nil
}

// OrZero returns the amount, or 0 for null.
func (a Amount) OrZero() *big.Int {
	if a.Int == nil {
		return new(big.Int)
	}
	return a.Int
}

// Bytes is JSON-RPC DATA; null is empty.
type Bytes []byte

// UnmarshalJSON parses 0x and an even number of hex digits, or null. It fails with [ErrAnswer].
func (b *Bytes) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		return fmt.Errorf("%w: not data", ErrAnswer)
	}
	*b = decoded
	return nil
}

// hexDigits returns the digits after 0x, or "" for null.
func hexDigits(raw []byte) (string, error) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if text == nil {
		return "", nil
	}
	digits, ok := strings.CutPrefix(*text, "0x")
	if !ok {
		return "", fmt.Errorf("%w: not hex", ErrAnswer)
	}
	return digits, nil
}

// DecodeBytes decodes a JSON string of 0x and an even number of hex digits. It does not unquote the string first, which would take longer than the
// decoding.
func DecodeBytes(raw json.RawMessage) ([]byte, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 4 || raw[0] != '"' || raw[1] != '0' || raw[2] != 'x' || raw[len(raw)-1] != '"' {
		return nil, fmt.Errorf("%w: want hex digits", ErrAnswer)
	}
	digits := raw[3 : len(raw)-1]
	b := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(b, digits); err != nil {
		return nil, fmt.Errorf("%w: want hex digits", ErrAnswer)
	}
	return b, nil
}
