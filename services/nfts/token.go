package nfts

import (
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
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

// isTokenURI reports whether a URI names a token rather than a picture.
func isTokenURI(uri string) bool {
	scheme, _, _ := strings.Cut(uri, ":")
	return strings.EqualFold(scheme, "eip155")
}

// ParseToken reads the name of a token: `eip155:1/erc721:0x…/1` (CAIP-22) or `eip155:1/erc1155:0x…/1` (CAIP-29); false when it is none.
func ParseToken(uri string) (Token, bool) {
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

// Touched is a contract and its tokens that moved to an account, the most recent first.
type Touched struct {
	Contract Contract
	IDs      []ID
}

// Collection is what an account owns of one contract.
type Collection struct {
	Contract Contract
	// Name and Symbol are those of the contract; empty if it has none.
	Name, Symbol string
	// Hidden is the reason to hide the collection at first; empty for none.
	Hidden string
	// Owned is the number of tokens owned, including those that are not listed.
	Owned int
	// Items are the listed tokens, sorted by id.
	Items []Item
}

// Item is a token that an account owns.
type Item struct {
	Token Token
	// Quantity is how many the account owns; 1 for ERC-721.
	Quantity *big.Int
	// Metadata is nil if it could not be read.
	Metadata *metadata.Document
}

// Listing is what an account owns on one chain.
type Listing struct {
	Collections []Collection
	// Backfilling means that older blocks are still being indexed, so there may be more.
	Backfilling bool
	// Truncated means that more tokens moved to the account than were checked.
	Truncated bool
	// Describing means that the metadata of some tokens is still being fetched.
	Describing bool
}
