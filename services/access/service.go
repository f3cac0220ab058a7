package access

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	accessv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the name of the service in -target and peers.
const Name = "access"

// defaultCurrency is that of values if a request names none.
const defaultCurrency = "usd"

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	// Holdings is the index of activity.
	Holdings activityv1.HoldingsServiceClient
	Lists    *tokens.Lists
	Prices   PriceSource
}

// New returns the service.
func New(cfg Config, deps Deps) run.Service {
	return run.Service{
		Name:     Name,
		Register: func(r grpc.ServiceRegistrar) { accessv1.RegisterAccessServiceServer(r, newServer(cfg, deps)) },
	}
}

// server implements hawser.access.v1.AccessService.
type server struct {
	accessv1.UnimplementedAccessServiceServer
	chain  *chainclient.Client
	evm    *lister
	solana *solanaLister
}

func newServer(cfg Config, deps Deps) *server {
	prices := priceTable{deps.Prices}
	native := func(ctx context.Context, chainID string) chainclient.Currency {
		network, _, _ := deps.Chain.Network(ctx, chainID)
		return network.Native
	}
	return &server{
		chain: deps.Chain,
		evm: &lister{
			index: historyIndex{deps.Holdings}, reader: evm.NewReader(deps.Chain.Transport), connect: deps.Chain.Transport,
			lists: deps.Lists, names: contracts.New(deps.Chain), prices: prices, native: native, timeout: cfg.Timeout,
		},
		solana: &solanaLister{
			connect: deps.Chain.Transport, facts: svm.NewFacts(deps.Chain.Transport), lists: deps.Lists, prices: prices, native: native, timeout: cfg.Timeout,
		},
	}
}

// ListApprovals lists who may move the assets of one account on one chain.
func (s *server) ListApprovals(ctx context.Context, r *accessv1.ListApprovalsRequest) (*accessv1.ListApprovalsResponse, error) {
	if r.GetChainId() == "" {
		return nil, request.Missing("chainId")
	}
	currency := cmp.Or(r.GetCurrency(), defaultCurrency)
	if err := request.Currency("currency", currency); err != nil {
		return nil, err
	}
	owner, err := request.ParseOwner("chainId", r.GetChainId(), r.GetAddress())
	if err != nil {
		return nil, err
	}
	served, err := s.chain.Serves(ctx, owner.ChainID)
	if err != nil {
		return nil, explain(unavailable(owner.ChainID, err))
	}
	if !served {
		return nil, request.UnsupportedChain(owner.ChainID)
	}
	var list Listing
	if owner.IsSolana() {
		list, err = s.solana.List(ctx, owner.ChainID, owner.SVM, currency)
	} else {
		list, err = s.evm.List(ctx, owner.ChainID, owner.EVM, currency)
	}
	if err != nil {
		return nil, explain(err)
	}
	return response(list), nil
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return fault.From(context.Canceled)
	case errors.Is(err, ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The chain is temporarily unavailable").Because(err)
	default:
		return fault.From(err)
	}
}

func response(list Listing) *accessv1.ListApprovalsResponse {
	res := &accessv1.ListApprovalsResponse{Backfilling: list.Backfilling, Truncated: list.Truncated}
	if list.FromBlock != nil {
		res.FromBlock = strconv.FormatUint(*list.FromBlock, 10)
	}
	if d := list.Delegation; d != nil {
		res.Delegation = &accessv1.Delegation{Address: d.ID, Name: d.Name}
	}
	for _, a := range list.Approvals {
		res.Approvals = append(res.Approvals, approval(a))
	}
	return res
}

func approval(a Approval) *accessv1.Approval {
	out := &accessv1.Approval{
		Kind: string(a.Kind),
		Token: &accessv1.ApprovedToken{
			Address: a.Token.ID, Name: a.Token.Name, Symbol: a.Token.Symbol, Decimals: uint32(a.Token.Decimals), IconUrl: a.Token.Icon, Warning: a.Token.Warning,
		},
		TokenId:      a.TokenID,
		Spender:      &accessv1.Spender{Address: a.Spender.ID, Name: a.Spender.Name, HasNoCode: a.Spender.HasNoCode},
		Allowance:    decimal(a.Allowance),
		Unlimited:    a.Unlimited,
		ExpiresAt:    a.ExpiresAt,
		AtRisk:       decimal(a.AtRisk),
		Value:        a.Value,
		ChangedBy:    a.ChangedBy,
		TokenAccount: a.TokenAccount,
	}
	if !a.ChangedAt.IsZero() {
		out.ChangedAt = a.ChangedAt.Format(time.RFC3339)
	}
	return out
}

// decimal returns an amount as decimal text; empty for nil.
func decimal(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}
