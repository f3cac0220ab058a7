package names

import (
	"context"
	"errors"
	"log/slog"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/universal"
)

// ensClient resolves names of the Ethereum Name Service: on a local chain that has one, else on the configured chain.
type ensClient struct {
	// chain is the CAIP-2 id of the configured chain, and universalResolver its contract; empty for none.
	chain, universalResolver string
	local                    devnet.Source
	// serves reports whether a chain is in the network table.
	serves   func(ctx context.Context, chainID string) (bool, error)
	connect  func(chainID string) chainclient.Transport
	gateways universal.Gateways
}

var errNoENS = errors.New("no chain here has the Ethereum Name Service")

// resolver returns the resolver contract. It fails with [errNoENS] if the chain is not in the network table.
func (o *ensClient) resolver(ctx context.Context) (universal.Resolver, error) {
	chainID, contract, err := o.contract()
	if err != nil {
		return universal.Resolver{}, err
	}
	has, err := o.serves(ctx, chainID)
	if err == nil && !has {
		err = errNoENS
	}
	return universal.Resolver{Chain: o.connect(chainID), Address: contract, Gateways: o.gateways}, err
}

func (o *ensClient) contract() (chainID string, contract evm.Address, err error) {
	for _, c := range o.local.Describe().Chains {
		if c.ENS != nil {
			return c.CAIP2, c.ENS.UniversalResolver, nil
		}
	}
	if o.universalResolver == "" {
		return "", contract, errNoENS
	}
	contract, err = evm.ParseAddress(o.universalResolver)
	return o.chain, contract, err
}

// severity returns a low level for nodes and servers that do not answer: the chains service logs the nodes, and the servers are not ours.
func severity(err error) slog.Level {
	if errors.Is(err, universal.ErrUnavailable) || errors.Is(err, universal.ErrGateway) {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
