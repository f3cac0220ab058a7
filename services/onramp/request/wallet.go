package request

import (
	"math/big"
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
)

// The namespaces of CAIP-2 in which tokens are bought.
const (
	eip155 = "eip155"
	solana = "solana"
)

// ParseWallet parses an address of either namespace, and returns its canonical form.
func ParseWallet(field, text string) (address, namespace string, err error) {
	if a, err := evm.ParseAddress(text); err == nil {
		return a.String(), eip155, nil
	}
	if isSolanaKey(text) {
		return text, solana, nil
	}
	return "", "", apiparse.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid")
}

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// isSolanaKey reports whether text is a public key of Solana: 32 bytes in base 58.
func isSolanaKey(text string) bool {
	if len(text) < 32 || len(text) > 44 {
		return false
	}
	number, base := new(big.Int), big.NewInt(int64(len(base58Alphabet)))
	for _, r := range text {
		digit := strings.IndexRune(base58Alphabet, r)
		if digit < 0 {
			return false
		}
		number.Add(number.Mul(number, base), big.NewInt(int64(digit)))
	}
	// Each 1 in front stands for a byte that is zero.
	zeros := len(text) - len(strings.TrimLeft(text, "1"))
	return zeros+(number.BitLen()+7)/8 == 32
}

// namespaceOf returns the namespace of a CAIP-2 id.
func namespaceOf(chainID string) string {
	namespace, _, _ := strings.Cut(chainID, ":")
	return namespace
}
