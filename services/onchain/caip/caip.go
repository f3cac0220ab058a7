// Package caip parses and formats chain-agnostic identifiers: CAIP-2 chains, CAIP-10 accounts, CAIP-19 assets.
package caip

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// ChainID is a CAIP-2 chain id, such as eip155:1.
type ChainID struct{ Namespace, Reference string }

// AccountID is a CAIP-10 account, such as eip155:1:0xab16….
type AccountID struct {
	Chain   ChainID
	Address string
}

// AssetID is a CAIP-19 asset type or asset, such as eip155:1/erc20:0x6b17… or eip155:1/erc721:0x06012c…/771769.
type AssetID struct {
	Chain     ChainID
	Namespace string
	Reference string
	// TokenID is empty for an asset type.
	TokenID string
}

// Errors that the parsers wrap.
var (
	ErrChain   = errors.New("not a CAIP-2 chain id")
	ErrAccount = errors.New("not a CAIP-10 account")
	ErrAsset   = errors.New("not a CAIP-19 asset")
)

// ParseChain parses a CAIP-2 chain id. The error wraps [ErrChain].
func ParseChain(s string) (ChainID, error) {
	namespace, reference, ok := strings.Cut(s, ":")
	if !ok || !within(namespace, 3, 8, namespaceChar) || !within(reference, 1, 32, referenceChar) {
		return ChainID{}, fmt.Errorf("%w: %q", ErrChain, clip(s))
	}
	return ChainID{namespace, reference}, nil
}

// ParseAccount parses a CAIP-10 account. The error wraps [ErrAccount].
func ParseAccount(s string) (AccountID, error) {
	cut := strings.LastIndexByte(s, ':')
	if cut < 0 {
		return AccountID{}, fmt.Errorf("%w: %q", ErrAccount, clip(s))
	}
	chain, err := ParseChain(s[:cut])
	address := s[cut+1:]
	if err != nil || !within(address, 1, 128, addressChar) {
		return AccountID{}, fmt.Errorf("%w: %q", ErrAccount, clip(s))
	}
	return AccountID{chain, address}, nil
}

// ParseAsset parses a CAIP-19 asset type or asset. The error wraps [ErrAsset].
func ParseAsset(s string) (AssetID, error) {
	parts := strings.Split(s, "/")
	if len(parts) != 2 && len(parts) != 3 {
		return AssetID{}, fmt.Errorf("%w: %q", ErrAsset, clip(s))
	}
	chain, err := ParseChain(parts[0])
	namespace, reference, ok := strings.Cut(parts[1], ":")
	if err != nil || !ok || !within(namespace, 3, 8, namespaceChar) || !within(reference, 1, 128, addressChar) {
		return AssetID{}, fmt.Errorf("%w: %q", ErrAsset, clip(s))
	}
	asset := AssetID{Chain: chain, Namespace: namespace, Reference: reference}
	if len(parts) == 2 {
		return asset, nil
	}
	if !within(parts[2], 1, 78, addressChar) {
		return AssetID{}, fmt.Errorf("%w: %q", ErrAsset, clip(s))
	}
	asset.TokenID = parts[2]
	return asset, nil
}

// String formats the chain id (CAIP-2).
func (c ChainID) String() string { return c.Namespace + ":" + c.Reference }

// String formats the account (CAIP-10).
func (a AccountID) String() string { return a.Chain.String() + ":" + a.Address }

// String formats the asset (CAIP-19).
func (a AssetID) String() string {
	s := a.Chain.String() + "/" + a.Namespace + ":" + a.Reference
	if a.TokenID == "" {
		return s
	}
	return s + "/" + a.TokenID
}

// Equal compares two accounts. It ignores the case of addresses on eip155, where it is only a checksum (ERC-55).
func (a AccountID) Equal(b AccountID) bool {
	if a.Chain != b.Chain {
		return false
	}
	if a.Chain.Namespace == "eip155" {
		return strings.EqualFold(a.Address, b.Address)
	}
	return a.Address == b.Address
}

func within(s string, least, most int, allowed func(byte) bool) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return true
}

func namespaceChar(c byte) bool {
	return c == '-' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

func referenceChar(c byte) bool {
	return namespaceChar(c) || c == '_' || 'A' <= c && c <= 'Z'
}

func addressChar(c byte) bool {
	return namespaceChar(c) || c == '.' || c == '%' || 'A' <= c && c <= 'Z'
}

// clip shortens invalid input for an error.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return s[:80] + "…"
}

// base58 is the alphabet of addresses on Solana.
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// solanaKey is the length of an address on Solana, in bytes.
const solanaKey = 32

// IsSolanaAddress reports whether text is an address on Solana: 32 bytes in base 58, with a "1" for each leading zero byte.
func IsSolanaAddress(text string) bool {
	_, ok := DecodeBase58(text, solanaKey)
	return ok
}

// DecodeBase58 decodes size bytes from base 58, as Solana writes addresses and signatures: with a "1" for each leading zero byte. It returns
// false for any other text.
func DecodeBase58(text string, size int) ([]byte, bool) {
	// A character of base 58 encodes more than 5.8 bits.
	if len(text) < size || len(text) > size*138/100+1 {
		return nil, false
	}
	value, radix := new(big.Int), big.NewInt(int64(len(base58)))
	for _, c := range text {
		digit := strings.IndexRune(base58, c)
		if digit < 0 {
			return nil, false
		}
		value.Mul(value, radix).Add(value, big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, base58[:1]))
	if zeros+(value.BitLen()+7)/8 != size {
		return nil, false
	}
	return value.FillBytes(make([]byte, size)), true
}
