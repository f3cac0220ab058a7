package convert

import (
	"context"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Networks knows the chains of this installation; false for one that is not in its table.
type Networks interface {
	Network(ctx context.Context, chainID string) (Network, bool, error)
}

// TokenList knows which tokens are offered; [tokens.Lists] is the real one.
type TokenList interface {
	On(chainID string) []tokens.Token
	Find(chainID string, address evm.Address) (tokens.Token, bool)
}

// Venues knows where tokens are traded; [venues.Table] is the real one.
type Venues interface {
	On(chainID string) (venues.Chain, bool)
}

// Views knows a chain's pools at its newest block; [pools.Keeper] is the real one.
type Views interface {
	View(ctx context.Context, chainID string, about ...evm.Address) (*pools.View, error)
	OnHead(chainID string, number uint64, hash string)
}

// Trials simulates swaps before anyone sees them; [execution.Simulator] is the real one.
type Trials interface {
	Confirm(ctx context.Context, o execution.Order) ([]execution.Call, execution.Outcome, error)
	Try(ctx context.Context, chainID string, t execution.Trial) (execution.Outcome, error)
}

// Gas knows what gas costs; [execution.GasPrices] is the real one.
type Gas interface {
	On(ctx context.Context, chainID string) (execution.Prices, error)
	DataFee(ctx context.Context, chainID string, calls []execution.Call) (execution.DataFee, error)
}

// Allowances knows what spenders may take; [execution.Allowances] is the real one.
type Allowances interface {
	Of(ctx context.Context, chainID string, token, owner, spender evm.Address) (*uint256.Int, error)
	Approve(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int) (execution.Approve, error)
}

// Permits knows approvals that are signed; [execution.Permits] is the real one.
type Permits interface {
	Among(ctx context.Context, chainID string, tokens []evm.Address) map[evm.Address]bool
	TypedData(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int, deadline time.Time) (string, error)
}

// Accounts knows what accounts hold.
type Accounts interface {
	Balance(ctx context.Context, chainID string, token, owner evm.Address) (*uint256.Int, error)
	Decimals(ctx context.Context, chainID string, token evm.Address) (uint8, error)
	Facts(ctx context.Context, chainID string, token evm.Address) (*evm.TokenFact, error)
}

// Panel asks vendors; [vendors.Panel] is the real one.
type Panel interface {
	Ask(ctx context.Context, a vendors.Ask) vendors.Answers
	AskOne(ctx context.Context, a vendors.Ask, vendor string) (vendors.Quote, error)
	Build(ctx context.Context, a vendors.Ask, q vendors.Quote) (vendors.Transaction, error)
}
