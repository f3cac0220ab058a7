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

// outside is the Ethereum Name Service: on a local chain if one says so, else where the operator says.
type outside struct {
	cfg      ENSConfig
	local    *devnet.File
	networks Networks
	connect  func(chainID string) chainclient.Transport
	gateways universal.Gateways
}

func newOutside(cfg ENSConfig, networks Networks, connect func(chainID string) chainclient.Transport, gateways universal.Gateways, log *slog.Logger) *outside {
	return &outside{cfg: cfg, local: devnet.Open(cfg.DevnetFile, log), networks: networks, connect: connect, gateways: gateways}
}

var errNoENS = errors.New("no chain here has the Ethereum Name Service")

// resolver is whom to ask. It fails with [errNoENS] where the chain is not in the network table.
func (o *outside) resolver(ctx context.Context) (universal.Resolver, error) {
	chainID, contract, err := o.place()
	if err != nil {
		return universal.Resolver{}, err
	}
	has, err := o.networks.Serves(ctx, chainID)
	if err == nil && !has {
		err = errNoENS
	}
	return universal.Resolver{Chain: o.connect(chainID), Address: contract, Gateways: o.gateways}, err
}

func (o *outside) place() (chainID string, contract evm.Address, err error) {
	for _, c := range o.local.Describe().Chains {
		if c.ENS != nil {
			return c.CAIP2, c.ENS.UniversalResolver, nil
		}
	}
	if o.cfg.UniversalResolver == "" {
		return "", contract, errNoENS
	}
	contract, err = evm.ParseAddress(o.cfg.UniversalResolver)
	return o.cfg.Chain, contract, err
}

// severity is low for nodes and servers that do not answer: who keeps nodes tells of those, and strangers keep the servers.
func severity(err error) slog.Level {
	if errors.Is(err, universal.ErrUnavailable) || errors.Is(err, universal.ErrGateway) {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
