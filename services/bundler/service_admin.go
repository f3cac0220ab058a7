package bundler

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// operationsPage is how many operations a page has.
	operationsPage = 50
	// mostProjects is how many projects of a chain are returned by what was sponsored, and by what was lost.
	mostProjects = 50
	// adminTimeout bounds how long the nodes of all chains are asked for the operator's console.
	adminTimeout = 5 * time.Second
	// lowOperations is how many operations of ordinaryGas an account that is not low can pay for.
	lowOperations = 100
	// ordinaryGas is the gas of an operation of an ordinary account.
	ordinaryGas = 300_000
)

// adminServer implements BundlerAdminService, for the operator's console.
type adminServer struct {
	bundlerv1.UnimplementedBundlerAdminServiceServer
	*server
}

// GetBundler returns what the bundler has and what it paid on each chain.
func (s adminServer) GetBundler(ctx context.Context, _ *bundlerv1.GetBundlerRequest) (*bundlerv1.GetBundlerResponse, error) {
	res := &bundlerv1.GetBundlerResponse{}
	if s.cfg.Paymaster.Signer != "" {
		res.ProjectLimitWei = s.cfg.Paymaster.ProjectPerDay
	}
	ids := slices.Sorted(maps.Keys(s.cfg.Chains))
	for _, found := range routine.Collect(ctx, len(ids), func(i int) (*bundlerv1.BundlerChain, error) { return s.describeChain(ctx, ids[i]) }) {
		if found.Err != nil {
			return nil, found.Err
		}
		res.Chains = append(res.Chains, found.Value)
	}
	return res, nil
}

// describeChain describes the bundler on a chain. Nodes that do not answer are no error.
func (s adminServer) describeChain(ctx context.Context, id string) (*bundlerv1.BundlerChain, error) {
	configured, now := s.cfg.Chains[id], s.deps.Clock.Now()
	c := &bundlerv1.BundlerChain{
		ChainId: id, Forwarded: configured.URL != "", LossLimitWei: cmp.Or(configured.LossPerHour, s.cfg.Limits.LossPerHour),
		ProjectLossLimitWei: cmp.Or(configured.ProjectLossPerHour, s.cfg.Limits.ProjectLossPerHour),
	}
	var err error
	if c.LostWei, err = s.store.Lost(ctx, id, now); err != nil {
		return nil, err
	}
	projects, err := s.store.MostPaid(ctx, id, now, mostProjects)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		c.Projects = append(c.Projects, &bundlerv1.BundlerProject{ProjectId: p.Project, LostWei: p.Lost, SponsoredWei: p.Sponsored})
	}
	asking, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	if network, ok, err := s.deps.Chain.Network(asking, id); err == nil && ok {
		c.Name, c.Symbol = network.Name, network.Native.Symbol
	}
	s.addFunds(asking, c)
	return c, nil
}

// addFunds adds what the bundler has to pay with on a chain.
func (s adminServer) addFunds(ctx context.Context, c *bundlerv1.BundlerChain) {
	read, err := s.readFunds(ctx, c.GetChainId())
	if err != nil {
		s.deps.Log.DebugContext(ctx, "funds of the bundler not read", attrChain, c.GetChainId(), "error", err)
		c.Unread = true
		return
	}
	low, err := s.lowBelow(ctx, c.GetChainId())
	if err == nil {
		c.LowBelowWei = low.String()
	}
	for _, f := range read {
		role := bundlerv1.FundsRole_FUNDS_ROLE_PAYMASTER
		if f.role == roleExecutor {
			role = bundlerv1.FundsRole_FUNDS_ROLE_EXECUTOR
		}
		if role == bundlerv1.FundsRole_FUNDS_ROLE_EXECUTOR && c.GetForwarded() {
			continue // it sends nothing there
		}
		c.Funds = append(c.Funds, &bundlerv1.BundlerFunds{Account: f.account.Hex(), Role: role, Wei: f.wei.String(), Low: err == nil && f.wei.Cmp(low) < 0})
	}
}

// lowBelow returns the wei below which an account of a chain is low, at the price of the newest block.
func (s adminServer) lowBelow(ctx context.Context, chainID string) (*big.Int, error) {
	price, err := executor.Suggest(ctx, s.deps.Chain.Transport(chainID))
	if err != nil {
		return nil, err
	}
	return new(big.Int).Mul(price.Max, big.NewInt(lowOperations*ordinaryGas)), nil
}

// ListOperations returns a page of operations.
func (s adminServer) ListOperations(ctx context.Context, r *bundlerv1.ListOperationsRequest) (*bundlerv1.ListOperationsResponse, error) {
	after, err := parsePlace(r.GetCursor())
	if err != nil {
		return nil, err
	}
	found, err := s.store.Page(ctx, r.GetWaiting(), after, operationsPage+1)
	if err != nil {
		return nil, err
	}
	res := &bundlerv1.ListOperationsResponse{}
	if len(found) > operationsPage {
		found = found[:operationsPage]
		last := found[operationsPage-1]
		res.Next = fmt.Sprintf("%d %s %s", last.Received.UnixMilli(), last.ChainID, last.Hash.Hex())
	}
	for _, o := range found {
		res.Operations = append(res.Operations, operationProto(o))
	}
	return res, nil
}

// parsePlace parses a cursor: Unix milliseconds, chain and hash of the operation before the page.
func parsePlace(cursor string) (sqlstore.Place, error) {
	if cursor == "" {
		return sqlstore.Place{}, nil
	}
	parts := strings.Split(cursor, " ")
	if len(parts) == 3 {
		if ms, err := strconv.ParseInt(parts[0], 10, 64); err == nil {
			return sqlstore.Place{ReceivedMs: ms, ChainID: parts[1], Hash: parts[2]}, nil
		}
	}
	return sqlstore.Place{}, request.Invalid(faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor provided is invalid")
}

func operationProto(o sqlstore.Summary) *bundlerv1.OperationRecord {
	p := &bundlerv1.OperationRecord{
		ChainId: o.ChainID, Hash: o.Hash.Hex(), ProjectId: o.Project, Sender: o.Sender.Hex(), Removal: o.Removal, State: operationStates[o.State],
		ReceivedAt: o.Received.UnixMilli(), Block: o.Block, Transactions: uint32(o.Transactions),
	}
	if o.Executor != (evm.Address{}) {
		p.Transaction, p.Executor = o.Latest.Hex(), o.Executor.Hex()
	}
	return p
}

var operationStates = map[executor.State]bundlerv1.OperationState{
	executor.Sent:     bundlerv1.OperationState_OPERATION_STATE_WAITING,
	executor.Included: bundlerv1.OperationState_OPERATION_STATE_INCLUDED,
	executor.Final:    bundlerv1.OperationState_OPERATION_STATE_FINAL,
	executor.Dropped:  bundlerv1.OperationState_OPERATION_STATE_DROPPED,
}
