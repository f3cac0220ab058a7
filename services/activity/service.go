package activity

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/activity/etherscan"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/indexer"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/activity/purchases"
	"github.com/hawser-dev/hawser/services/activity/solana"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "activity"

// Deps are what the service needs.
type Deps struct {
	Chain *chainclient.Client
	// Tracer traces blocks, and may be nil. Without it histories lack native tokens that contracts paid out.
	Tracer node.Tracer
	// Purchases may be nil. Then there are no purchases.
	Purchases onrampv1.PurchaseServiceClient
	// Lists are the tokens whose transfers are trusted in transactions of any sender.
	Lists Lists
	// Mints are the listed tokens of Solana.
	Mints solana.TokenList
	DB    *store.DB
	// Outbox holds events until they are published.
	Outbox *bus.Outbox
	Bus    *bus.Bus
	Clock  clock.Clock
	Log    *slog.Logger
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
	// Memory bounds the bytes that the process holds for callers; nil is no limit.
	Memory *limit.Memory
}

// New creates the service's tables and returns the service, subscribed to new heads until ctx ends. The Work of the
// service follows chains and reads old blocks.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	archive, err := etherscan.New(cfg.Archives)
	if err != nil {
		return run.Service{}, err
	}
	rows, err := sqlstore.New(ctx, deps.DB, deps.Outbox, cfg.wholeBlocks(archive))
	if err != nil {
		return run.Service{}, err
	}
	s := newServer(cfg, deps, rows, archive)
	if err := bus.Subscribe(ctx, deps.Bus, bus.SubscribeOptions{}, s.onHead); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			activityv1.RegisterActivityServiceServer(r, s)
			activityv1.RegisterHoldingsServiceServer(r, holdings{server: s})
		},
		Work: func(ctx context.Context) error {
			return s.history.indexer.Run(ctx)
		},
		Ready: run.Checks(deps.DB.Ready, deps.Bus.Ready),
	}, nil
}

// server implements ActivityService.
type server struct {
	activityv1.UnimplementedActivityServiceServer
	history   *history
	solana    *solana.History
	purchases purchases.Lister
}

func newServer(cfg Config, deps Deps, rows index.Store, archive indexer.Archive) *server {
	limiter, blocks := limit.OrLocal(deps.Limiter, deps.Clock), node.NewReader(deps.Chain.Transport, deps.Tracer, deps.Memory)
	return &server{purchases: purchases.Lister{Client: deps.Purchases}, solana: solana.New(deps.Chain.Transport, deps.Mints, deps.Clock), history: &history{
		store:       rows,
		networks:    networkTable{deps.Chain},
		names:       contracts.New(deps.Chain),
		lists:       deps.Lists,
		clock:       deps.Clock,
		wholeBlocks: cfg.WholeBlocks,
		limiter:     limiter,
		newAccounts: limit.PerHour("new accounts", cfg.NewAccountsPerHour),
		indexer: indexer.New(indexer.Config{
			Store:       rows,
			Blocks:      blocks,
			Traces:      blocks.Traces,
			Contracts:   tokenReader{evm.NewReader(deps.Chain.Transport)},
			Archive:     archive,
			WholeBlocks: cfg.WholeBlocks,
			Lock:        deps.DB.Exclusively,
			Clock:       deps.Clock,
			Log:         deps.Log,
			KeepFor:     cfg.KeepFor,
			Followed:    cfg.Followed,
			Kept:        cfg.Kept,

			Limiter:        limiter,
			CallsPerHour:   cfg.OldCallsPerHour,
			CallsPerCaller: cfg.OldCallsPerCaller,
		}),
	}}
}

// onHead passes a published head to the indexer.
func (s *server) onHead(_ context.Context, e *chainsv1.Head) error {
	if !strings.HasPrefix(e.GetChainId(), "eip155:") {
		return nil
	}
	hash, err := node.ParseHash(e.GetHash())
	if err != nil {
		return err
	}
	parent, err := node.ParseHash(e.GetParentHash())
	if err != nil {
		return err
	}
	s.history.indexer.OnHead(e.GetChainId(), node.Header{Number: e.GetNumber(), Hash: hash, Parent: parent, Time: e.GetTimestamp()})
	return nil
}

// GetHistory lists the transactions of an account, or its purchases.
func (s *server) GetHistory(ctx context.Context, r *activityv1.GetHistoryRequest) (*activityv1.GetHistoryResponse, error) {
	if r.GetOnramp() != "" {
		return s.purchases.GetHistory(ctx, r)
	}
	owner, err := request.ParseOwner("chainId", r.GetChainId(), r.GetAddress())
	if err != nil {
		return nil, err
	}
	if owner.IsSolana() {
		return s.getSolanaHistory(ctx, owner, r)
	}
	q, err := parseQuery(owner, r)
	if err != nil {
		return nil, err
	}
	page, err := s.history.page(ctx, q)
	if err != nil {
		return nil, toFault(err, q.chainID)
	}
	return page.response(clientOf(r)), nil
}

// parseQuery parses a request for a page of transactions.
func parseQuery(owner request.Owner, r *activityv1.GetHistoryRequest) (query, error) {
	q := query{spam: r.GetIncludeSpam(), chainID: owner.ChainID, address: owner.EVM}
	if r.GetCursor() != "" {
		place, err := index.ParseCursor(r.GetCursor())
		if err != nil {
			return query{}, invalidCursor()
		}
		q.after = &place
	}
	return q, nil
}

// holdings implements HoldingsService. It is a separate type because HoldingsService is for other services only and is
// never registered at the gateway.
type holdings struct {
	activityv1.UnimplementedHoldingsServiceServer
	*server
}

// ListTouched lists the contracts whose tokens were transferred to an account.
func (s holdings) ListTouched(ctx context.Context, r *activityv1.ListTouchedRequest) (*activityv1.ListTouchedResponse, error) {
	id, err := request.AccountID("chainId", r.GetAccount())
	if err != nil {
		return nil, err
	}
	list, progress, err := s.history.touched(ctx, index.Account{ChainID: id.ChainID, Address: id.Address}, r.GetWatched())
	if err != nil {
		return nil, toFault(err, id.ChainID)
	}
	res := &activityv1.ListTouchedResponse{Backfilling: progress.Reading}
	for _, t := range list {
		res.Contracts = append(res.Contracts, &activityv1.Touched{Address: t.Contract.String(), Standard: string(t.Standard), TokenIds: t.TokenIDs})
	}
	return res, nil
}

// ListApproved lists the approvals of an account.
func (s holdings) ListApproved(ctx context.Context, r *activityv1.ListApprovedRequest) (*activityv1.ListApprovedResponse, error) {
	id, err := request.AccountID("chainId", r.GetAccount())
	if err != nil {
		return nil, err
	}
	list, more, progress, err := s.history.approved(ctx, index.Account{ChainID: id.ChainID, Address: id.Address})
	if err != nil {
		return nil, toFault(err, id.ChainID)
	}
	res := &activityv1.ListApprovedResponse{More: more, Backfilling: progress.Reading}
	if !progress.NotStarted {
		res.FromBlock = &progress.From
	}
	for _, a := range list {
		res.Approvals = append(res.Approvals, &activityv1.Approved{
			Kind: string(a.Kind), Contract: a.Contract.String(), Spender: a.Spender.String(), TokenId: a.TokenID, Units: a.Units.String(),
			Hash: a.Hash.String(), Block: a.Block, Time: a.Time,
		})
	}
	return res, nil
}

// toFault turns an error into one for the caller.
func toFault(err error, chainID string) error {
	switch {
	case errors.Is(err, errUnserved):
		return request.UnsupportedChain(chainID)
	case errors.Is(err, ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId",
			"Requested %s history provider is temporarily unavailable", chainID).Because(err)
	default:
		return fault.From(err)
	}
}
