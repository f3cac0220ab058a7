package evm

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Address is an account or a contract of an EVM chain. Its String method adds the checksum (ERC-55).
type Address = common.Address

// Native is the address of the chain's native token (EIP-7528).
var Native = Address{0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee}

// ErrAddress is returned for text that is not 0x and 40 hex digits.
var ErrAddress = errors.New("not an address: want 0x and 40 hex digits")

// ParseAddress parses 0x and 40 hex digits of any case. The checksum, which is optional in ERC-55, is not verified. [common.HexToAddress] cuts or
// pads other text, and [common.IsHexAddress] accepts digits without 0x.
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

// MustAddress is [ParseAddress] for constants. It panics on an error.
func MustAddress(s string) Address {
	a, err := ParseAddress(s)
	if err != nil {
		panic(s + ": " + err.Error())
	}
	return a
}

// Word returns an address as one word of calldata: twelve zero bytes, then the address.
func Word(a Address) []byte { return common.LeftPadBytes(a[:], wordSize) }

// Selector returns the selector of a function: the first four bytes of the hash of its signature, such as `balanceOf(address)`.
func Selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4:4] }
