package activity

import (
	"context"
	"errors"
	"log/slog"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/activity/etherscan"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/contracts"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is what -target and peers call the service.
const Name = "activity"

// Deps are what the service works with.
type Deps struct {
	Chain *chainclient.Client
	// Purchases may be nil: then nothing was bought of anybody.
	Purchases onrampv1.PurchaseServiceClient
	// Lists are the tokens whose transfers are believed, whoever sent the transaction.
	Lists Lists
	DB    *store.DB
	// Outbox is where events wait until they are published.
	Outbox *bus.Outbox
	Bus    *bus.Bus
	Clock  clock.Clock
	Log    *slog.Logger
}

// New opens the service's tables and returns the service, subscribed to new heads until ctx ends. Its work is to follow chains and to read old blocks.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	archive, err := etherscan.New(cfg.Archives)
	if err != nil {
		return run.Service{}, err
	}
	index, err := NewSQLStore(ctx, deps.DB, deps.Outbox, cfg.wholeBlocks(archive))
	if err != nil {
		return run.Service{}, err
	}
	s := newServer(cfg, deps, index, archive)
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
			return s.history.indexer.run(ctx)
		},
		Ready: func(ctx context.Context) error {
			return errors.Join(deps.DB.Ready(ctx), deps.Bus.Ready(ctx))
		},
	}, nil
}

type server struct {
	activityv1.UnimplementedActivityServiceServer
	history   *history
	purchases purchases
}

func newServer(cfg Config, deps Deps, index Store, archive Archive) *server {
	return &server{purchases: purchases{deps.Purchases}, history: &history{
		store:    index,
		networks: networkTable{deps.Chain},
		named:    contracts.New(deps.Chain),
		lists:    deps.Lists,
		clock:    deps.Clock,
		whole:    cfg.WholeBlocks,

		limiter: limit.NewLocal(deps.Clock, 0), newAccounts: limit.PerHour("new accounts", cfg.NewAccountsPerHour),
		indexer: newIndexer(&indexer{
			store:     index,
			chains:    node.NewReader(deps.Chain.Transport),
			contracts: describer{evm.NewReader(deps.Chain.Transport)},
			archive:   archive,
			whole:     cfg.WholeBlocks,
			lock:      deps.DB.Exclusively,
			clock:     deps.Clock,
			log:       deps.Log,
			keepFor:   cfg.KeepFor,
			followed:  cfg.Followed,
			kept:      cfg.Kept,
		}),
	}}
}

// onHead takes up a new head; one that does not parse is looked for when somebody asks.
func (s *server) onHead(_ context.Context, e *chainsv1.Head) error {
	hash, err := node.ParseHash(e.GetHash())
	if err != nil {
		return err
	}
	parent, err := node.ParseHash(e.GetParentHash())
	if err != nil {
		return err
	}
	s.history.indexer.onHead(e.GetChainId(), node.Header{Number: e.GetNumber(), Hash: hash, Parent: parent, Time: e.GetTimestamp()})
	return nil
}

// GetHistory lists an account's transactions, or what it bought.
func (s *server) GetHistory(ctx context.Context, r *activityv1.GetHistoryRequest) (*activityv1.GetHistoryResponse, error) {
	if r.GetOnramp() != "" {
		a, err := readPurchasesAsk(r)
		if err != nil {
			return nil, err
		}
		return s.purchases.page(ctx, a)
	}
	a, err := readAsk(r)
	if err != nil {
		return nil, err
	}
	page, err := s.history.page(ctx, a)
	if err != nil {
		return nil, explain(err, a.chainID)
	}
	return page.answer(readerOf(r)), nil
}

// holdings is the private face: a type of its own, because HoldingsService is never registered at the gateway.
type holdings struct {
	activityv1.UnimplementedHoldingsServiceServer
	*server
}

// ListTouched lists the contracts whose tokens moved to an account.
func (s holdings) ListTouched(ctx context.Context, r *activityv1.ListTouchedRequest) (*activityv1.ListTouchedResponse, error) {
	account, err := readAccount(r.GetAccount())
	if err != nil {
		return nil, err
	}
	list, progress, err := s.history.arrivals(ctx, account, r.GetWatched())
	if err != nil {
		return nil, explain(err, account.ChainID)
	}
	res := &activityv1.ListTouchedResponse{Backfilling: progress.Reading}
	for _, a := range list {
		res.Contracts = append(res.Contracts, &activityv1.Touched{Address: a.Contract.String(), Standard: string(a.Standard), TokenIds: a.TokenIDs})
	}
	return res, nil
}

// explain words a failure for the caller.
func explain(err error, chainID string) error {
	switch {
	case errors.Is(err, errUnserved):
		return apiparse.UnsupportedChain(chainID)
	case errors.Is(err, ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId",
			"Requested %s history provider is temporarily unavailable", chainID).Because(err)
	default:
		return fault.From(err)
	}
}
