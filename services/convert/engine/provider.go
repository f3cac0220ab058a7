package engine

import (
	"context"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// Networks looks up networks by CAIP-2 id, false for one that is not in the table; [chainclient.Client] implements it.
type Networks interface {
	Network(ctx context.Context, chainID string) (chainclient.Network, bool, error)
}

// TokenList holds the listed tokens of each chain; [tokens.Lists] implements it.
type TokenList interface {
	On(chainID string) []tokens.Token
	Find(chainID string, address evm.Address) (tokens.Token, bool)
}

// Venues returns the venues of each chain; [dex.Table] implements it.
type Venues interface {
	On(chainID string) (dex.Chain, bool)
	// Chains lists the CAIP-2 ids of the chains that On knows, sorted.
	Chains() []string
}

// Views returns a chain's pools at its newest block; [pools.Keeper] implements it.
type Views interface {
	View(ctx context.Context, chainID string, about ...evm.Address) (*pools.View, error)
	OnHead(chainID string, number uint64, hash string)
}

// Simulator simulates swaps by eth_call; [execution.Simulator] implements it.
type Simulator interface {
	Confirm(ctx context.Context, o execution.Order) ([]execution.Call, execution.Outcome, error)
	Try(ctx context.Context, chainID string, t execution.Trial) (execution.Outcome, error)
}

// Gas returns gas prices, and the fee that a rollup charges for data; [execution.GasPrices] implements it.
type Gas interface {
	On(ctx context.Context, chainID string) (execution.Prices, error)
	DataFee(ctx context.Context, chainID string, calls []execution.Call) (execution.DataFee, error)
}

// Allowances reads allowances of ERC-20 tokens and of Permit2, and builds approvals; [execution.Allowances] implements it.
type Allowances interface {
	Of(ctx context.Context, chainID string, token, owner, spender evm.Address) (*uint256.Int, error)
	Permit2(ctx context.Context, chainID string, token, owner, spender evm.Address) (execution.Permit2Grant, error)
	Approve(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int) (execution.Approve, error)
}

// Permits reports which tokens take permits (EIP-2612), and builds their typed data (EIP-712); [execution.Permits] implements it.
type Permits interface {
	Among(ctx context.Context, chainID string, tokens []evm.Address) map[evm.Address]bool
	TypedData(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int, deadline time.Time) (string, error)
}

// Accounts reads balances in base units and facts of tokens; [AccountReader] implements it.
type Accounts interface {
	Balance(ctx context.Context, chainID string, token, owner evm.Address) (*uint256.Int, error)
	Facts(ctx context.Context, chainID string, token evm.Address) (*evm.TokenFact, error)
}

// Vendors requests quotes and transactions from vendors; [vendors.Panel] implements it.
type Vendors interface {
	Quotes(ctx context.Context, r vendors.Request) vendors.Answers
	Quote(ctx context.Context, r vendors.Request, vendor string) (vendors.Quote, error)
	Build(ctx context.Context, r vendors.Request, q vendors.Quote) (vendors.Transaction, error)
}
