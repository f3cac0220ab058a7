package holdings

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Network is a chain.
type Network struct {
	// ChainID is the CAIP-2 id.
	ChainID string
	// Name, Symbol and Decimals describe the native currency.
	Name     string
	Symbol   string
	Decimals uint8
	// Testnet reports that tokens of the chain have no value.
	Testnet bool
}

// Networks lists the chains of the network table, in its order.
type Networks interface {
	Networks(ctx context.Context) ([]Network, error)
}

// NodeReader reads contracts of a chain; [evm.Reader] is the real one.
type NodeReader interface {
	Read(ctx context.Context, chainID string, queries []evm.Query) (evm.Reading, error)
}

// TokenList has the listed tokens; [tokens.Lists] is the real one.
type TokenList interface {
	On(chainID string) []tokens.Token
	Find(chainID string, address evm.Address) (tokens.Token, bool)
}

// Pricer has prices, for display; [prices.Book] is the real one.
type Pricer interface {
	Due(chainID string) prices.Round
	Learn(r prices.Round, answers [][]evm.Answer, at time.Time)
	Elsewhere(chainID, currency string) []string
	Price(asset prices.Asset, currency string) (prices.Price, bool)
	Unsellable(asset prices.Asset) bool
	Search(chainID string, tokens []prices.Unit) prices.Search
	Found(s prices.Search, answers [][]evm.Answer)
	PoolsDue(chainID string, tokens []prices.Unit) prices.Round
}

// Touched lists the token contracts that moved tokens to an account, the most recent first.
type Touched interface {
	Touched(ctx context.Context, chainID string, owner evm.Address, watched bool) ([]evm.Address, error)
}
