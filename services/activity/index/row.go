// Package index defines what the index of activity holds: the rows of accounts, what is still to be read for them, and the store of both.
package index

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Account is an address on one chain.
type Account struct {
	// ChainID is the CAIP-2 chain id.
	ChainID string
	Address evm.Address
}

// Standard is the kind of an asset.
type Standard string

// The kinds of assets.
const (
	Native  Standard = "native"
	ERC20   Standard = "erc20"
	ERC721  Standard = "erc721"
	ERC1155 Standard = "erc1155"
)

// Fungible reports whether all units of an asset are alike.
func (s Standard) Fungible() bool { return s == Native || s == ERC20 }

// Direction is the direction of a transfer from the account's view.
type Direction string

// The directions. Self is a transfer from the account to itself.
const (
	In   Direction = "in"
	Out  Direction = "out"
	Self Direction = "self"
)

// Asset identifies a token on the chain of its row.
type Asset struct {
	Standard Standard
	// Contract is zero for the native token.
	Contract evm.Address
	// TokenID is decimal; empty for fungible tokens, and for an approval of all tokens.
	TokenID string
}

// Transfer is a transfer of an asset, or an allowance.
type Transfer struct {
	Asset
	Direction Direction
	From      evm.Address
	// To is the recipient, or the spender of an allowance.
	To evm.Address
	// Units is in base units.
	Units *big.Int
}

// Operation is the kind of a transaction from the account's view.
type Operation string

// The operations.
const (
	Send    Operation = "send"
	Receive Operation = "receive"
	Trade   Operation = "trade"
	Approve Operation = "approve"
	Mint    Operation = "mint"
	Burn    Operation = "burn"
	Deploy  Operation = "deploy"
	Execute Operation = "execute"
)

// Row is one transaction in an account's history.
type Row struct {
	Account Account
	Place
	Hash node.Hash
	// BlockHash is the hash of the transaction's block.
	BlockHash node.Hash
	Detail
	// Approvals are those that the account gave or took back in the transaction, in the order of its logs. The store keeps them apart: rows that it
	// returns have none.
	Approvals []Approval
}

// Detail is the content of a row.
type Detail struct {
	Operation Operation
	Failed    bool
	From      evm.Address
	// To is nil if the transaction created a contract.
	To    *evm.Address
	Nonce uint64
	// Fee is in wei; nil unless the account paid it.
	Fee *big.Int
	// Transfers is never empty.
	Transfers []Transfer
}

// Token is what a contract returns about itself. Fields that it does not return are empty.
type Token struct {
	Contract     evm.Address
	Name, Symbol string
	Decimals     uint8
	// Listed is set if the name and the symbol are those of a token list. Icon is a URL, or empty.
	Listed bool
	Icon   string
	// Warning is what is wrong with the name of an unlisted token: link or look_alike; empty for nothing.
	Warning string
}

// Place orders rows: by time first, so that the rows of several chains form one history.
type Place struct {
	// Time is the timestamp of the block, in seconds since 1970.
	Time    int64
	ChainID string
	Block   uint64
	// Index is the position of the transaction in its block.
	Index uint64
}

// cursorVersion is the first byte of a cursor. A change of the form of cursors requires a new version.
const cursorVersion = 1

// errCursor is returned for text that [Place.Cursor] did not write.
var errCursor = errors.New("not a cursor")

// Cursor writes a place as opaque text for callers, which stays valid while newer rows are added.
func (p Place) Cursor() string {
	b := []byte{cursorVersion}
	b = binary.AppendVarint(b, p.Time)
	b = binary.AppendUvarint(b, p.Block)
	b = binary.AppendUvarint(b, p.Index)
	b = append(b, p.ChainID...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor parses the text of [Place.Cursor].
func ParseCursor(text string) (p Place, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 5 {
		return Place{}, errCursor
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum || body[0] != cursorVersion {
		return Place{}, errCursor
	}
	rest := body[1:]
	read := func(n int) bool {
		if n > 0 {
			rest = rest[n:]
		}
		return n > 0
	}
	var n int
	if p.Time, n = binary.Varint(rest); !read(n) {
		return Place{}, errCursor
	}
	if p.Block, n = binary.Uvarint(rest); !read(n) {
		return Place{}, errCursor
	}
	if p.Index, n = binary.Uvarint(rest); !read(n) {
		return Place{}, errCursor
	}
	p.ChainID = string(rest)
	// A caller can compute the checksum of any text: this is what a database accepts.
	if _, err := caip.ParseChain(p.ChainID); err != nil || p.Block > math.MaxInt64 || p.Index > math.MaxInt64 {
		return Place{}, errCursor
	}
	return p, nil
}
