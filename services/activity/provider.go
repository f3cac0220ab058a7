package activity

import (
	"context"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

// Chains reads blocks, and what touches accounts in them. What it reads in one call is of one shape of the chain; where it is not, or not
// the shape that was asked for, it fails with [node.ErrMoved].
type Chains interface {
	// Head reads the newest block's header.
	Head(ctx context.Context, chainID string) (node.Header, error)
	// Headers reads linked headers.
	Headers(ctx context.Context, chainID string, from, to uint64) ([]node.Header, error)
	// Block reads one block whole.
	Block(ctx context.Context, chainID string, h node.Header, accounts []evm.Address) ([]node.Found, error)
	// Blocks reads many, from and to included.
	Blocks(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address) ([]node.Header, []node.Found, error)
	// Logged reads what left a log, and the transactions that are known to be there.
	Logged(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address, known []node.Hash) ([]node.Found, error)
}

// Archive is somebody's index of whole chains. It is asked where an account's old transactions are; what they are, nodes say.
type Archive interface {
	// Covers reports whether it knows the chain.
	Covers(chainID string) bool
	// Transactions lists what the account sent or received, failures included.
	Transactions(ctx context.Context, chainID string, account evm.Address, from, to uint64) ([]node.Hash, error)
}

// Contracts tells what contracts say of themselves: one token each, empty where a contract is silent. The error is for when nobody
// could be asked.
type Contracts interface {
	Describe(ctx context.Context, chainID string, contracts []evm.Address) ([]Token, error)
}

// Networks tells what a chain's native currency is called; false for a chain that is not served.
type Networks interface {
	Native(ctx context.Context, chainID string) (Token, bool, error)
}

// Named names well-known contracts; [contracts.Names] is the real one.
type Named interface {
	// Name returns the name of a contract, and false for one that is not known.
	Name(chainID string, contract evm.Address) (string, bool)
}
