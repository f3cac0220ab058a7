package node

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// quantity is a JSON-RPC QUANTITY of up to 64 bits.
type quantity uint64

// UnmarshalJSON reads 0x and hex digits; null is zero.
func (q *quantity) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil || digits == "" {
		return err
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return fmt.Errorf("%w: not a quantity", ErrAnswer)
	}
	*q = quantity(n)
	return nil
}

func (q quantity) String() string { return "0x" + strconv.FormatUint(uint64(q), 16) }

// amount is a JSON-RPC QUANTITY of any size; nil where it was null or absent.
type amount struct{ *big.Int }

// UnmarshalJSON reads 0x and hex digits; null leaves it nil.
func (a *amount) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil || digits == "" {
		return err
	}
	n, ok := new(big.Int).SetString(digits, 16)
	if !ok || len(digits) > 64 {
		return fmt.Errorf("%w: not an amount", ErrAnswer)
	}
	a.Int = n
	return nil
}

// orZero is the amount, or zero where there was none.
func (a amount) orZero() *big.Int {
	if a.Int == nil {
		return new(big.Int)
	}
	return a.Int
}

// octets is JSON-RPC DATA.
type octets []byte

// UnmarshalJSON reads 0x and an even number of hex digits; null is empty.
func (o *octets) UnmarshalJSON(raw []byte) error {
	digits, err := hexDigits(raw)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return fmt.Errorf("%w: not data", ErrAnswer)
	}
	*o = b
	return nil
}

// hexDigits returns what follows 0x; nothing for null.
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

// Hash is the Keccak-256 hash of a block or a transaction.
type Hash [32]byte

// ParseHash reads 0x and 64 hex digits.
func ParseHash(text string) (Hash, error) {
	var h Hash
	return h, h.UnmarshalText([]byte(text))
}

// UnmarshalText reads the hash as [ParseHash] does.
func (h *Hash) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok || len(digits) != 2*len(h) {
		return fmt.Errorf("%w: not a hash", ErrAnswer)
	}
	if _, err := hex.Decode(h[:], []byte(digits)); err != nil {
		return fmt.Errorf("%w: not a hash", ErrAnswer)
	}
	return nil
}

// MarshalText prints the hash as [Hash.String] does.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// String prints 0x and 64 hex digits.
func (h Hash) String() string { return "0x" + hex.EncodeToString(h[:]) }
