// Package endpoint implements the JSON-RPC methods of bundlers and paymasters (ERC-7769, ERC-7677), with the executor
// or with the bundler that is configured for a chain.
package endpoint

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
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

var (
	// ErrChain is returned for a chain that is not configured.
	ErrChain = errors.New("no bundler is configured for the chain")
	// ErrUnavailable is returned while the keys of the executors cannot be opened.
	ErrUnavailable = errors.New("the keys of the executors are not available")
)

// Deps are what an endpoint needs.
type Deps struct {
	Clock   clock.Clock
	Connect func(chainID string) chainclient.Transport
	// URLs maps each configured chain to the URL of its bundler; empty for the executor.
	URLs     map[string]string
	Networks *network.Table
	// Executor returns the executor, or nil before its keys are opened.
	Executor func() *executor.Executor
	// Paymaster is nil if no operations are sponsored.
	Paymaster *paymaster.Paymaster
	Remote    *remote.Client
	// ForwardsPaymaster has the chains whose bundler also gets requests for its paymaster.
	ForwardsPaymaster map[string]bool
	// Count adds n to the operations that another bundler got. It fails with an [*executor.LimitError].
	Count func(ctx context.Context, project, chainID string, sender evm.Address, n int64) error
	// Limits returns the limits of losses of a chain, which take precedence where they are not empty.
	Limits func(chainID string) (project, all string)
}

// Endpoint sends user operations. It is safe for concurrent use.
type Endpoint struct{ Deps }

// New returns an endpoint.
func New(d Deps) *Endpoint { return &Endpoint{d} }

// target returns an EntryPoint of a configured chain. It fails with [ErrChain], and with an [*executor.Refusal] if the chain does not have the
// EntryPoint, or this bundler does not serve the chain.
func (e *Endpoint) target(ctx context.Context, chainID string, entryPoint evm.Address) (executor.Target, error) {
	n, err := e.Network(ctx, chainID)
	if err != nil {
		return executor.Target{}, err
	}
	if !slices.Contains(n.EntryPoints, entryPoint) {
		return executor.Target{}, &executor.Refusal{Code: executor.CodeInvalid, Message: "the EntryPoint is not supported"}
	}
	if n.FeesErr != nil && e.url(chainID) == "" {
		return executor.Target{}, &executor.Refusal{Code: executor.CodeRejected, Message: "this bundler serves no user operations on the network: " + n.FeesErr.Error()}
	}
	return executor.Target{Chain: e.chainOf(chainID, n), EntryPoint: entryPoint}, nil
}

func (e *Endpoint) chainOf(chainID string, n network.Network) executor.Chain {
	c := executor.Chain{ChainID: chainID, Number: n.Number, Fees: n.Fees, Accepted: n.Accepted}
	c.ProjectLossPerHour, c.LossPerHour = e.Limits(chainID)
	return c
}

// Chain returns a configured chain.
func (e *Endpoint) Chain(ctx context.Context, chainID string) (executor.Chain, error) {
	n, err := e.Network(ctx, chainID)
	return e.chainOf(chainID, n), err
}

// Network returns what smart accounts can do on a configured chain. It fails with [ErrChain].
func (e *Endpoint) Network(ctx context.Context, chainID string) (network.Network, error) {
	if _, ok := e.URLs[chainID]; !ok {
		return network.Network{}, ErrChain
	}
	return e.Networks.Of(ctx, chainID)
}

// url returns the URL of the bundler that is configured for a chain; it is empty if the executor is used.
func (e *Endpoint) url(chainID string) string { return e.URLs[chainID] }

func (e *Endpoint) executor() (*executor.Executor, error) {
	if x := e.Executor(); x != nil {
		return x, nil
	}
	return nil, ErrUnavailable
}

// Estimate returns the gas of an operation.
func (e *Endpoint) Estimate(ctx context.Context, t executor.Target, o *userop.Operation) (estimate.Gas, error) {
	return estimate.Measure(ctx, e.Connect(t.ChainID), t, o, e.Clock.Now())
}

// HashOf returns the hash of an operation.
func (e *Endpoint) HashOf(ctx context.Context, chainID string, entryPoint evm.Address, o *userop.Operation) (common.Hash, error) {
	t, err := e.target(ctx, chainID, entryPoint)
	if err != nil {
		return common.Hash{}, err
	}
	return o.Hash(t.EntryPoint, t.Number), nil
}

// Send sends an operation. It fails with an [*executor.Refusal] if it is refused.
func (e *Endpoint) Send(ctx context.Context, project, chainID string, entryPoint evm.Address, o *userop.Operation) error {
	t, err := e.target(ctx, chainID, entryPoint)
	if err != nil {
		return err
	}
	if url := e.url(chainID); url != "" {
		if err := e.countForwarded(ctx, project, chainID, o.Sender); err != nil {
			return err
		}
		var hash common.Hash
		err := e.Remote.Call(ctx, url, "eth_sendUserOperation", &hash, o, entryPoint)
		if refused, ok := errors.AsType[*remote.Error](err); ok {
			e.uncount(ctx, project, chainID, o.Sender)
			return &executor.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return err
	}
	_, err = e.execute(ctx, project, t, o)
	return err
}

// execute sends an operation by the executor.
func (e *Endpoint) execute(ctx context.Context, project string, t executor.Target, o *userop.Operation) (common.Hash, error) {
	x, err := e.executor()
	if err != nil {
		return common.Hash{}, err
	}
	hash, err := x.Send(ctx, project, t, o)
	if err != nil {
		return hash, err
	}
	return hash, e.Paymaster.Spend(ctx, t.ChainID, o)
}

// PaysRemovals reports whether the executor ends delegations for accounts of a project on a configured chain.
func (e *Endpoint) PaysRemovals(project, chainID string, n network.Network) bool {
	return e.Paymaster.Pays(project) && e.url(chainID) == "" && n.Delegation && n.FeesErr == nil
}

// Remove sends an account's authorization that ends its delegation, and returns a hash for it. It fails with an [*executor.Refusal] if it is refused.
func (e *Endpoint) Remove(ctx context.Context, project, chainID string, account evm.Address, a userop.Authorization) (common.Hash, error) {
	n, err := e.Network(ctx, chainID)
	if err != nil {
		return common.Hash{}, err
	}
	if !e.PaysRemovals(project, chainID, n) {
		return common.Hash{}, &executor.Refusal{Code: executor.CodePaymaster, Message: executor.ErrBudget.Error()}
	}
	x, err := e.executor()
	if err != nil {
		return common.Hash{}, err
	}
	return x.Remove(ctx, project, e.chainOf(chainID, n), account, a, e.Paymaster.Allows)
}

// FindReceipt returns the receipt of an operation or a removal: nil while it is pending. failed reports that it will not be included.
func (e *Endpoint) FindReceipt(ctx context.Context, chainID string, hash common.Hash) (receipt *calls.Receipt, failed bool, err error) {
	if url := e.url(chainID); url != "" {
		var answer *Receipt
		if err := e.Remote.Call(ctx, url, "eth_getUserOperationReceipt", &answer, hash); err != nil || answer == nil {
			return nil, false, err
		}
		receipt, err = calls.ParseReceipt(answer.Receipt)
		if receipt != nil {
			receipt.Success, receipt.Logs = answer.Success, answer.parsedLogs()
		}
		return receipt, false, err
	}
	x, err := e.executor()
	if err != nil {
		return nil, false, err
	}
	r, included, err := x.Receipt(ctx, chainID, hash)
	if errors.Is(err, executor.ErrUnknown) {
		// The process ended after storing the batch and before storing the operation.
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
