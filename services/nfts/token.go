package nfts

import (
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
)

// Standard is what a contract of NFTs follows.
type Standard string

// The standards that are read.
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

// ParseID reads decimal text; false when it is none or does not fit a word.
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

// String prints decimal text.
func (id ID) String() string { return id.Int().String() }

// Token names one NFT.
type Token struct {
	Contract Contract
	ID       ID
}

// namesToken reports whether a URI is meant to name a token.
func namesToken(uri string) bool {
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

// String names the token among those of all chains.
func (t Token) String() string {
	return t.Contract.ChainID + "/" + string(t.Contract.Standard) + ":" + t.Contract.Address.String() + "/" + t.ID.String()
}

// Touched is a contract that an account had to do with, and the tokens of it that moved there, those that moved last first.
type Touched struct {
	Contract Contract
	IDs      []ID
}

// Collection is what an account owns of one contract.
type Collection struct {
	Contract Contract
	// Name and Symbol are what the contract calls itself; empty when it does not.
	Name, Symbol string
	// Hidden says why the collection is better not shown at first; empty when nothing speaks against it.
	Hidden string
	// Owned counts the tokens owned, also those that are not listed.
	Owned int
	// Pieces are the tokens listed, by id.
	Pieces []Piece
}

// Piece is one token that an account owns.
type Piece struct {
	Token Token
	// Quantity is how many of it; 1 for ERC-721.
	Quantity *big.Int
	// Says is what the token's metadata says; nil when it could not be read.
	Says *metadata.Document
}

// Gallery is what an account owns on one chain.
type Gallery struct {
	Collections []Collection
	// Backfilling says that older blocks are still being read, so that more may come.
	Backfilling bool
	// Truncated says that more tokens moved to the account than were looked at.
	Truncated bool
	// Describing says that metadata of some tokens is still being fetched.
	Describing bool
}
