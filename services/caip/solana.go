package caip

import (
	"math/big"
	"strings"
)

// base58 is the alphabet of addresses on Solana.
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const (
	// solanaKey is the length of an address on Solana, in bytes.
	solanaKey = 32
	// solanaText is the most characters that base 58 needs for it.
	solanaText = 44
)

// IsSolanaAddress reports whether text is an address on Solana: 32 bytes in base 58, with a "1" for each leading zero byte.
func IsSolanaAddress(text string) bool {
	if len(text) < solanaKey || len(text) > solanaText {
		return false
	}
	value, radix := new(big.Int), big.NewInt(int64(len(base58)))
	for _, c := range text {
		digit := strings.IndexRune(base58, c)
		if digit < 0 {
			return false
		}
		value.Mul(value, radix).Add(value, big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, base58[:1]))
	return zeros+(value.BitLen()+7)/8 == solanaKey
}
