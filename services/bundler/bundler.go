package bundler

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/bundler/estimate"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/network"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/bundler/remote"
	"github.com/hawser-dev/hawser/services/bundler/userop"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
)

// ErrChain is returned for a chain that is not configured.
var ErrChain = errors.New("no bundler is configured for the chain")

// Bundler sends user operations, through its executor or through the configured bundler of a chain. It is safe for concurrent use.
type Bundler struct {
	connect   func(chainID string) chainclient.Transport
	chains    map[string]Chain
	networks  *network.Table
	executor  *executor.Executor
	paymaster *paymaster.Paymaster
	remote    *remote.Client
}

// target returns an EntryPoint of a configured chain. It fails with [ErrChain], and with an [*executor.Refusal] if the chain does not have the
// EntryPoint.
func (b *Bundler) target(ctx context.Context, chainID string, entryPoint evm.Address) (executor.Target, error) {
	n, err := b.network(ctx, chainID)
	if err != nil {
		return executor.Target{}, err
	}
	if !slices.Contains(n.EntryPoints, entryPoint) {
		return executor.Target{}, &executor.Refusal{Code: executor.CodeInvalid, Message: "the EntryPoint is not supported"}
	}
	return executor.Target{ChainID: chainID, Number: n.Number, EntryPoint: entryPoint}, nil
}

func (b *Bundler) network(ctx context.Context, chainID string) (network.Network, error) {
	if _, ok := b.chains[chainID]; !ok {
		return network.Network{}, ErrChain
	}
	return b.networks.Of(ctx, chainID)
}

// url returns the URL of the configured bundler of a chain; it is empty for this one.
func (b *Bundler) url(chainID string) string { return b.chains[chainID].URL }

// Estimate returns the gas of an operation.
func (b *Bundler) Estimate(ctx context.Context, t executor.Target, o *userop.Operation) (estimate.Gas, error) {
	return estimate.Measure(ctx, b.connect(t.ChainID), t, o)
}

// HashOf returns the hash of an operation.
func (b *Bundler) HashOf(ctx context.Context, chainID string, entryPoint evm.Address, o *userop.Operation) (common.Hash, error) {
	t, err := b.target(ctx, chainID, entryPoint)
	if err != nil {
		return common.Hash{}, err
	}
	return o.Hash(t.EntryPoint, t.Number), nil
}

// Send sends an operation. It fails with an [*executor.Refusal] if it is refused.
func (b *Bundler) Send(ctx context.Context, project, chainID string, entryPoint evm.Address, o *userop.Operation) error {
	t, err := b.target(ctx, chainID, entryPoint)
	if err != nil {
		return err
	}
	if url := b.url(chainID); url != "" {
		var hash common.Hash
		err := b.remote.Call(ctx, url, "eth_sendUserOperation", &hash, o, entryPoint)
		if refused, ok := errors.AsType[*remote.Error](err); ok {
			return &executor.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return err
	}
	_, err = b.executor.Send(ctx, project, t, o)
	return err
}

// FindReceipt returns the receipt of an operation: nil while it is pending. failed reports that it will not be included.
func (b *Bundler) FindReceipt(ctx context.Context, chainID string, hash common.Hash) (receipt *calls.Receipt, failed bool, err error) {
	if url := b.url(chainID); url != "" {
		var answer *operationReceipt
		if err := b.remote.Call(ctx, url, "eth_getUserOperationReceipt", &answer, hash); err != nil || answer == nil {
			return nil, false, err
		}
		receipt, err = calls.ParseReceipt(answer.Receipt)
		if receipt != nil {
			receipt.Success, receipt.Logs = answer.Success, answer.parsedLogs()
		}
		return receipt, false, err
	}
	if b.executor == nil {
		return nil, false, ErrChain
	}
	r, included, err := b.executor.Receipt(ctx, chainID, hash)
	if errors.Is(err, executor.ErrUnknown) {
		// The process ended after it stored the batch and before it stored the operation.
		return nil, true, nil
	}
	if err != nil || !included {
		return nil, err == nil && r.State == executor.Dropped, err
	}
	receipt, err = calls.ParseReceipt(r.JSON)
	if receipt != nil {
		receipt.Success, receipt.Logs = r.Success, r.Logs
	}
	return receipt, false, err
}
