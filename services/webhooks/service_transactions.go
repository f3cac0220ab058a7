package webhooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/transactions"
)

// follows implements TransactionsService.
type follows struct {
	webhooksv1.UnimplementedTransactionsServiceServer

	registry *deliveries.Registry
	store    *transactions.Store
	follower *transactions.Follower
	chains   transactions.Chains
	limiter  limit.Limiter
	rate     limit.Rate
	rules    transactions.Rules
	clock    clock.Clock
}

// newFollows returns the RPC handlers with the follower of their transactions. wake says that a webhook waits.
func newFollows(cfg Config, deps Deps, registry *deliveries.Registry, wake func()) *follows {
	kept := transactions.NewStore(deps.DB)
	tell := func(ctx context.Context, f transactions.Followed, r transactions.Result) error {
		stored, err := registry.Take(ctx, transactionFinal(f, r, deps.Clock.Now()))
		if stored {
			wake()
		}
		return err
	}
	return &follows{
		registry: registry, store: kept, chains: deps.Chains, clock: deps.Clock,
		limiter: limit.OrLocal(deps.Limiter, deps.Clock), rate: limit.PerHour("followed transactions", cfg.FollowsPerHour),
		rules:    transactions.Rules{OfProject: cfg.Followed, Total: projectsFollowed * cfg.Followed},
		follower: transactions.New(transactions.Deps{Store: kept, Chains: deps.Chains, Lock: deps.DB.Exclusively, Tell: tell, Clock: deps.Clock, Log: deps.Log}),
	}
}

// subscribe takes the new blocks of chains.
func (s *follows) subscribe(ctx context.Context, b *bus.Bus) error {
	return bus.Subscribe(ctx, b, bus.SubscribeOptions{}, func(_ context.Context, e *chainsv1.Head) error {
		s.follower.OnHead(e.GetChainId())
		return nil
	})
}

// FollowTransaction has a transaction followed for the caller's project.
func (s *follows) FollowTransaction(ctx context.Context, r *webhooksv1.FollowTransactionRequest) (*webhooksv1.FollowTransactionResponse, error) {
	project := caller.From(ctx).Project
	served := false
	if strings.HasPrefix(r.GetChainId(), request.EIP155+":") {
		var err error
		if _, served, err = s.chains.Network(ctx, r.GetChainId()); err != nil {
			return nil, err
		}
	}
	if !served {
		return nil, request.UnsupportedChain(r.GetChainId())
	}
	if err := limit.Spend(ctx, s.limiter, s.rate, "followed transactions"); err != nil {
		return nil, err
	}
	wanted, err := s.registry.Wants(ctx, project, deliveries.TransactionConfirmed, deliveries.TransactionFailed)
	if err != nil {
		return nil, err
	}
	if !wanted {
		return &webhooksv1.FollowTransactionResponse{}, nil
	}
	err = s.store.Insert(ctx, transactions.Followed{
		Project: project, ChainID: r.GetChainId(), Hash: common.HexToHash(r.GetHash()), Reference: r.GetReference(), FollowedAt: s.clock.Now(),
	}, s.rules)
	if errors.Is(err, transactions.ErrFull) {
		return nil, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many followed transactions at once. Try again later").Because(err)
	}
	if err != nil {
		return nil, err
	}
	s.follower.Follow(r.GetChainId())
	return &webhooksv1.FollowTransactionResponse{}, nil
}

// transaction is a transaction as webhooks have it: what the chain says, and the reference of the site.
type transaction struct {
	ChainID string `json:"chainId"`
	Hash    string `json:"hash"`
	Status  string `json:"status"`
	From    string `json:"from"`
	To      string `json:"to,omitempty"`
	// Contract is the one that it created.
	Contract string `json:"contract,omitempty"`
	// Value is in wei.
	Value         string `json:"value"`
	BlockNumber   uint64 `json:"blockNumber"`
	BlockHash     string `json:"blockHash"`
	BlockTime     string `json:"blockTime"`
	Confirmations uint64 `json:"confirmations"`
	Reference     string `json:"reference,omitempty"`
}

// transactionFinal returns the event of a transaction in a final block. It happens when that is known.
func transactionFinal(f transactions.Followed, r transactions.Result, now time.Time) deliveries.Event {
	kind := deliveries.TransactionConfirmed
	if !r.Succeeded {
		kind = deliveries.TransactionFailed
	}
	_, status, _ := strings.Cut(kind, ".")
	shown := transaction{
		ChainID: f.ChainID, Hash: f.Hash.String(), Status: status, From: r.From.String(), Value: r.Value.String(), BlockNumber: r.Block, BlockHash: r.BlockHash.String(),
		BlockTime: r.BlockTime.Format(time.RFC3339), Confirmations: r.Confirmations, Reference: f.Reference,
	}
	if r.To != nil {
		shown.To = r.To.String()
	}
	if r.Created != nil {
		shown.Contract = r.Created.String()
	}
	return withBody(deliveries.Event{
		Project: f.Project, Kind: kind, Key: f.ChainID + " " + shown.Hash + " " + f.Reference, Account: accountOf(shown.From), At: now,
	}, map[string]any{"transaction": shown})
}
