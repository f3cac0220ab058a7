package activity

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

// Account is an address on one chain.
type Account struct {
	// ChainID is CAIP-2.
	ChainID string
	Address evm.Address
}

// Standard is what kind of asset moved.
type Standard string

// The kinds of assets.
const (
	Native  Standard = "native"
	ERC20   Standard = "erc20"
	ERC721  Standard = "erc721"
	ERC1155 Standard = "erc1155"
)

// Fungible reports whether one unit is like another.
func (s Standard) Fungible() bool { return s == Native || s == ERC20 }

// Direction is where something moved, as the account sees it.
type Direction string

// The directions; self is from the account to itself.
const (
	In   Direction = "in"
	Out  Direction = "out"
	Self Direction = "self"
)

// Asset is what may move.
type Asset struct {
	Standard Standard
	// Contract is zero for the native currency.
	Contract evm.Address
	// TokenID is decimal text; empty for what is fungible, and for an approval of all.
	TokenID string
}

// Transfer is one thing that moved, or an allowance that was given.
type Transfer struct {
	Asset
	Direction Direction
	From      evm.Address
	To        evm.Address
	// Units is in base units.
	Units *big.Int
}

// Operation is what a transaction was to the account.
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
	// BlockHash is the hash of the block that the row is of.
	BlockHash node.Hash
	Detail
}

// Place orders rows: the time first, so that rows of several chains form one history.
type Place struct {
	// Time is the block's, in seconds since 1970.
	Time    int64
	ChainID string
	Block   uint64
	// Index is the transaction's place in its block.
	Index uint64
}

// Detail is what the transaction was.
type Detail struct {
	Operation Operation
	Failed    bool
	From      evm.Address
	// To is nil when the transaction created a contract.
	To    *evm.Address
	Nonce uint64
	// Fee is in wei; nil unless the account paid.
	Fee *big.Int
	// Transfers is never empty.
	Transfers []Transfer
}

// Token is what a contract says of itself; what it does not say is empty.
type Token struct {
	Contract     evm.Address
	Name, Symbol string
	Decimals     uint8
	// Listed says that the name and the symbol are those of a list. Icon is a URL, or empty.
	Listed bool
	Icon   string
	// Warning is what is wrong with the name of a token outside the lists, link or look_alike.
	Warning string
}
