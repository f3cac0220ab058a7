package evm

import (
	"encoding/hex"
	"errors"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Address is an account or a contract of an EVM chain.
type Address [20]byte

// Native stands for the chain's own currency where a token's address is expected (EIP-7528).
var Native = Address{0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee}

// ErrAddress is what a text gives that is not 0x and 40 hex digits.
var ErrAddress = errors.New("not an address: want 0x and 40 hex digits")

// ParseAddress reads 0x and 40 hex digits of any case; the checksum is not verified (ERC-55 makes it optional).
func ParseAddress(s string) (Address, error) {
	var a Address
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 2*len(a) {
		return a, ErrAddress
	}
	if _, err := hex.Decode(a[:], []byte(digits)); err != nil {
		return Address{}, ErrAddress
	}
	return a, nil
}

// UnmarshalText reads the address as [ParseAddress] does.
func (a *Address) UnmarshalText(text []byte) error {
	parsed, err := ParseAddress(string(text))
	*a = parsed
	return err
}

// MustAddress is [ParseAddress] for constants; it panics on a bad one.
func MustAddress(s string) Address {
	a, err := ParseAddress(s)
	if err != nil {
		panic(s + ": " + err.Error())
	}
	return a
}

// String prints the address with its checksum in the letters' case (ERC-55).
func (a Address) String() string {
	text := []byte(hex.EncodeToString(a[:]))
	hash := keccak(text)
	for i, c := range text {
		if nibble := hash[i/2] >> (4 * (1 - i%2)) & 0xf; c >= 'a' && nibble >= 8 {
			text[i] = c - 'a' + 'A'
		}
	}
	return "0x" + string(text)
}

// Word returns the address as one word of call data: twelve zero bytes, then the address.
func (a Address) Word() []byte {
	return append(make([]byte, 12, 32), a[:]...)
}

// Selector returns the first four bytes of the hash of a function's signature, such as `balanceOf(address)`.
func Selector(signature string) []byte { return keccak([]byte(signature))[:4] }

func keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	h.Write(b)
	return h.Sum(nil)
}
