// Package asset has the identifiers of NFTs and the contract calls that return their owner.
package asset

import (
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Standard is the token standard of a contract.
type Standard string

// The supported standards.
const (
	ERC721  Standard = "erc721"
	ERC1155 Standard = "erc1155"
)

// Contract is one collection on one chain.
type Contract struct {
	// ChainID is the CAIP-2 id.
	ChainID  string
	Address  evm.Address
	Standard Standard
}

// ID is a token's number within its contract, as a big-endian word.
type ID [32]byte

// ParseID parses decimal text; false if it is invalid or above 2^256-1.
func ParseID(text string) (ID, bool) {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 256 || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		return ID{}, false
	}
	var id ID
	n.FillBytes(id[:])
	return id, true
}

// Int returns the number.
func (id ID) Int() *big.Int { return new(big.Int).SetBytes(id[:]) }

// String returns decimal text.
func (id ID) String() string { return id.Int().String() }

// Token names one NFT.
type Token struct {
	Contract Contract
	ID       ID
}

// IsTokenURI reports whether a URI names a token rather than a picture.
func IsTokenURI(uri string) bool {
	scheme, _, _ := strings.Cut(uri, ":")
	return strings.EqualFold(scheme, "eip155")
}

// Parse parses the id of a token: `eip155:1/erc721:0x…/1` (CAIP-22) or `eip155:1/erc1155:0x…/1` (CAIP-29); false for
// other text.
func Parse(uri string) (Token, bool) {
	asset, err := caip.ParseAsset(strings.ToLower(uri))
	if err != nil || asset.Chain.Namespace != "eip155" {
		return Token{}, false
	}
	standard := Standard(asset.Namespace)
	if standard != ERC721 && standard != ERC1155 {
		return Token{}, false
	}
	address, err := evm.ParseAddress(asset.Reference)
	if err != nil {
		return Token{}, false
	}
	id, ok := ParseID(asset.TokenID)
	return Token{Contract{asset.Chain.String(), address, standard}, id}, ok
}

// String returns the CAIP-19 style id of the token, unique over all chains.
func (t Token) String() string {
	return t.Contract.ChainID + "/" + string(t.Contract.Standard) + ":" + t.Contract.Address.String() + "/" + t.ID.String()
}

var (
	ownerOf   = evm.Selector("ownerOf(uint256)")
	balanceOf = evm.Selector("balanceOf(address,uint256)")
)

// OwnershipCall returns the call data of ownerOf for ERC-721, and of balanceOf for ERC-1155.
func OwnershipCall(t Token, owner evm.Address) []byte {
	if t.Contract.Standard == ERC721 {
		return append(append([]byte{}, ownerOf...), t.ID[:]...)
	}
	call := append(append([]byte{}, balanceOf...), evm.Word(owner)...)
	return append(call, t.ID[:]...)
}

// Quantity decodes the answer to [OwnershipCall]; 0 if the contract returned none.
func Quantity(s Standard, a evm.Answer, owner evm.Address) *big.Int {
	word, ok := a.Amount()
	if !ok {
		return new(big.Int)
	}
	if s == ERC1155 {
		return word
	}
	if word.Cmp(new(big.Int).SetBytes(owner[:])) == 0 {
		return big.NewInt(1)
	}
	return new(big.Int)
}
