package resolver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Client resolves names of the Ethereum Name Service: on a local chain that has one, otherwise on the configured chain.
type Client struct {
	// Chain is the CAIP-2 id of the configured chain, and UniversalResolver its contract; empty for none.
	Chain, UniversalResolver string
	Local                    devnet.Source
	// Serves reports whether a chain is in the network table.
	Serves   func(ctx context.Context, chainID string) (bool, error)
	Connect  func(chainID string) chainclient.Transport
	Gateways Gateways
}

var errNoENS = errors.New("no chain here has the Ethereum Name Service")

// resolver returns the resolver contract. It fails with [errNoENS] if the chain is not in the network table.
func (o *Client) resolver(ctx context.Context) (Universal, error) {
	chainID, contract, err := o.contract()
	if err != nil {
		return Universal{}, err
	}
	has, err := o.Serves(ctx, chainID)
	if err == nil && !has {
		err = errNoENS
	}
	return Universal{Chain: o.Connect(chainID), Address: contract, Gateways: o.Gateways}, err
}

func (o *Client) contract() (chainID string, contract evm.Address, err error) {
	for _, c := range o.Local.Describe().Chains {
		if c.ENS != nil {
			return c.CAIP2, c.ENS.UniversalResolver, nil
		}
	}
	if o.UniversalResolver == "" {
		return "", contract, errNoENS
	}
	contract, err = evm.ParseAddress(o.UniversalResolver)
	return o.Chain, contract, err
}

// severity returns a low level for nodes and servers that do not answer: failures of nodes are logged by the chains
// service, and the servers belong to third parties.
func severity(err error) slog.Level {
	if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrGateway) {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

// share returns the result of find. Concurrent callers with the same key share one call of find, which continues for
// the timeout if a caller's context ends. It fails with [ErrUnavailable] if the timeout passes, or with the error of
// find.
func share[V any](ctx context.Context, flights *routine.Flights, key string, timeout time.Duration, find func(ctx context.Context) (V, error)) (found V, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	flight := flights.DoChan(ctx, key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		return find(ctx)
	})
	select {
	case <-ctx.Done():
		return found, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	case result := <-flight:
		found, _ = result.Val.(V)
		return found, result.Err
	}
}
