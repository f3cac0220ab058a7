package index

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// ApprovalKind is what an approval lets its spender move.
type ApprovalKind string

// The kinds of approvals.
const (
	// AllowanceApproval is an allowance of a token (ERC-20).
	AllowanceApproval ApprovalKind = "erc20"
	// Permit2Approval is an allowance of a token that Permit2 enforces.
	Permit2Approval ApprovalKind = "permit2"
	// NFTApproval is an approval of one token (ERC-721). A token has one spender at most.
	NFTApproval ApprovalKind = "nft"
	// OperatorApproval is an approval of all tokens of a contract (ERC-721 and ERC-1155).
	OperatorApproval ApprovalKind = "operator"
)

// Approval is one event by which an account gave an approval, or took it back.
type Approval struct {
	Kind ApprovalKind
	// Contract is the token; that of Permit2 is in no approval.
	Contract evm.Address
	// Spender is the zero address if the approval of an NFT was taken back.
	Spender evm.Address
	// TokenID is decimal; empty unless it is an NFTApproval.
	TokenID string
	// Units is what the event states: base units of a token, 1 for NFTs, and 0 if the approval was taken back.
	Units *big.Int
	// Position is the place of the event among the logs of its transaction.
	Position uint64
}

// Approved is the latest event about an approval, which was given by it.
type Approved struct {
	Approval
	Place
	// Hash is that of the transaction.
	Hash node.Hash
}
