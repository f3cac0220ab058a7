package holdings

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
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

// NodeReader reads contracts of a chain; [evm.Reader] implements it.
type NodeReader interface {
	Read(ctx context.Context, chainID string, queries []evm.Query) (evm.Reading, error)
}

// TokenList returns the listed tokens; [tokens.Lists] implements it.
type TokenList interface {
	On(chainID string) []tokens.Token
	Find(chainID string, address evm.Address) (tokens.Token, bool)
}

// PoolLogs finds pools by the logs of their factories.
type PoolLogs interface {
	// Young returns the pools of some tokens that factories created within the last hour.
	Young(ctx context.Context, chainID string, factories, tokens []evm.Address) (map[evm.Address]bool, error)
}

// Pricer prices tokens, for display; [prices.Table] implements it.
type Pricer interface {
	Due(chainID string) prices.Batch
	Store(b prices.Batch, answers [][]evm.Answer, at time.Time)
	OtherChains(chainID, currency string) []string
	Price(asset prices.Asset, currency string, d prices.Demand) (prices.Price, bool)
	Unpriced(asset prices.Asset) string
	Rate(currency string) (float64, bool)
	Unsellable(asset prices.Asset) bool
	SearchPools(chainID string, tokens []prices.Unit, held bool) prices.PoolSearch
	StorePools(s prices.PoolSearch, answers [][]evm.Answer) (found bool)
	StoreYoung(s prices.PoolSearch, young map[evm.Address]bool)
	PoolsDue(chainID string, tokens []prices.Unit) prices.Batch
}

// Touched lists the token contracts that moved tokens to an account, the most recent first.
type Touched interface {
	Touched(ctx context.Context, chainID string, owner evm.Address, watched bool) ([]evm.Address, error)
}
