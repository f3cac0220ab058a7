package convert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the name of the service in -target and peers.
const Name = "convert"

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	Bus   *bus.Bus
	Clock clock.Clock
	Log   *slog.Logger
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
}

// New returns the service, subscribed to new blocks until ctx ends. The error names the invalid setting of cfg.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newServer(cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	onHead := func(_ context.Context, head *chainsv1.Head) error {
		s.onHead(head.GetChainId(), head.GetNumber(), head.GetHash())
		return nil
	}
	if err := bus.Subscribe(ctx, deps.Bus, bus.SubscribeOptions{}, onHead); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			convertv1.RegisterConvertServiceServer(r, s)
			convertv1.RegisterQuoteServiceServer(r, s)
			convertv1.RegisterExchangeServiceServer(r, s)
		},
		Work:    s.work,
		Vendors: s.panel.Status,
	}, nil
}

// server implements hawser.convert.v1.ConvertService, QuoteService and ExchangeService.
type server struct {
	convertv1.UnimplementedConvertServiceServer
	convertv1.UnimplementedQuoteServiceServer
	convertv1.UnimplementedExchangeServiceServer
	engine   *engine.Engine
	panel    *vendors.Panel
	keeper   *pools.Keeper
	watchers *watchers
	limiter  limit.Limiter
	// share is how many quotes one caller, and all callers together, may watch.
	share limit.Share
}

func newServer(cfg Config, deps Deps) (*server, error) {
	local := deps.Chain
	lists, err := tokens.Load(cfg.Tokens, local)
	if err != nil {
		return nil, err
	}
	table, err := dex.Load(cfg.Venues, local, deps.Log)
	if err != nil {
		return nil, err
	}
	sources, err := catalog.Open(cfg.Vendors)
	if err != nil {
		return nil, fmt.Errorf("vendors: %w", err)
	}
	referral, err := cfg.Referral.terms()
	if err != nil {
		return nil, fmt.Errorf("referral: %w", err)
	}
	limiter := limit.OrLocal(deps.Limiter, deps.Clock)
	panel := vendors.NewPanel(sources, cfg.VendorPatience, limiter, deps.Clock, deps.Log)
	connect := deps.Chain.Transport
	keeper := pools.New(pools.Options{
		Config: cfg.Pools, Venues: table, Connect: connect, Tokens: lists, Clock: deps.Clock, Log: deps.Log,
	})
	return &server{
		panel:    panel,
		keeper:   keeper,
		watchers: newWatchers(defaultIntervals),
		limiter:  limiter,
		share:    limit.Share{Name: "watched quotes", Each: cfg.WatchesPerCaller, Total: maxWatchers},
		engine: &engine.Engine{
			Networks: deps.Chain, Venues: table, Lists: lists, Views: keeper, Clock: deps.Clock,
			Simulator:  execution.NewSimulator(connect),
			Vendors:    engine.CacheQuotes(panel),
			Accounts:   engine.NewAccountReader(connect),
			Allowances: execution.NewAllowances(connect),
			Permits:    execution.NewPermits(connect),
			Gas:        execution.NewGasPrices(connect),
			Timeout:    cfg.Timeout, Lifetime: cfg.Lifetime, Referral: referral,
		},
	}, nil
}

// work waits for ctx to end and then closes the keeper, which writes its snapshots.
func (s *server) work(ctx context.Context) error {
	<-ctx.Done()
	s.keeper.Close()
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return ctx.Err()
}

// onHead handles a chain's new block: it updates the pools, and wakes the streams of watched quotes.
func (s *server) onHead(chainID string, number uint64, hash string) {
	s.engine.Views.OnHead(chainID, number, hash)
	s.watchers.onHead(chainID, number)
}

// ListChains lists the served networks with exchanges.
func (s *server) ListChains(ctx context.Context, _ *convertv1.ListChainsRequest) (*convertv1.ListChainsResponse, error) {
	ids, err := s.engine.Chains(ctx)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.ListChainsResponse{ChainIds: ids}, nil
}

// ListTokens lists the tokens of a chain that can be swapped, or the one at an address.
func (s *server) ListTokens(ctx context.Context, r *convertv1.ListTokensRequest) (*convertv1.ListTokensResponse, error) {
	if r.GetChainId() == "" {
		return nil, request.Missing("chainId")
	}
	chainID, err := request.Chain("chainId", r.GetChainId())
	if err != nil {
		return nil, err
	}
	list, err := s.tokens(ctx, chainID, r.GetAddress())
	if err != nil {
		return nil, explain(err)
	}
	res := &convertv1.ListTokensResponse{Tokens: make([]*convertv1.Token, len(list))}
	for i, t := range list {
		res.Tokens[i] = token(chainID, t)
	}
	return res, nil
}

// tokens lists all tokens of a chain that can be swapped, or the one at an address: none if the text is not an address.
func (s *server) tokens(ctx context.Context, chainID, address string) ([]engine.Token, error) {
	if address == "" {
		return s.engine.Tokens(ctx, chainID)
	}
	at, err := evm.ParseAddress(address)
	if err != nil {
		_, err := s.engine.Chain(ctx, chainID)
		return nil, err
	}
	t, found, err := s.engine.Token(ctx, chainID, at)
	if err != nil || !found {
		return nil, err
	}
	return []engine.Token{t}, nil
}

// ListQuotes returns the best quote.
func (s *server) ListQuotes(ctx context.Context, r *convertv1.ListQuotesRequest) (*convertv1.ListQuotesResponse, error) {
	swap, err := readQuotes(r)
	if err != nil {
		return nil, err
	}
	answer, err := s.engine.Quote(ctx, swap)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.ListQuotesResponse{Quotes: []*convertv1.Quote{quote(r, swap, answer)}}, nil
}

// GetAllowance returns how much of a token a spender may take, in base units.
func (s *server) GetAllowance(ctx context.Context, r *convertv1.GetAllowanceRequest) (*convertv1.GetAllowanceResponse, error) {
	if r.GetTokenAddress() == "" {
		return nil, request.Missing("tokenAddress")
	}
	if r.GetUserAddress() == "" {
		return nil, request.Missing("userAddress")
	}
	token, err := request.AccountID("tokenAddress", r.GetTokenAddress())
	if err != nil {
		return nil, err
	}
	owner, err := readUser(token.ChainID, r.GetUserAddress())
	if err != nil {
		return nil, err
	}
	var spender evm.Address
	if r.GetSpender() != "" {
		if spender, err = request.Address("spender", r.GetSpender()); err != nil {
			return nil, err
		}
	}
	allowance, spender, err := s.engine.Allowance(ctx, token, owner, spender)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetAllowanceResponse{Allowance: allowance.Dec(), Spender: spender.String()}, nil
}

// GetGasPrice returns gas prices in wei.
func (s *server) GetGasPrice(ctx context.Context, r *convertv1.GetGasPriceRequest) (*convertv1.GetGasPriceResponse, error) {
	if r.GetChainId() == "" {
		return nil, request.Missing("chainId")
	}
	chainID, err := request.Chain("chainId", r.GetChainId())
	if err != nil {
		return nil, err
	}
	prices, err := s.engine.GasPrices(ctx, chainID)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetGasPriceResponse{
		Slow: prices.Slow.Dec(), Standard: prices.Standard.Dec(), Fast: prices.Fast.Dec(), Instant: prices.Instant.Dec(),
	}, nil
}

// BuildApprove builds an approval transaction.
func (s *server) BuildApprove(ctx context.Context, r *convertv1.BuildApproveRequest) (*convertv1.BuildApproveResponse, error) {
	a, err := readApproval(r)
	if err != nil {
		return nil, err
	}
	built, err := s.engine.Approve(ctx, a)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.BuildApproveResponse{Tx: &convertv1.ApproveTransaction{
		From: r.GetFrom(), To: r.GetTo(), Data: hexutil.Encode(built.Call.Data), Value: "0",
		Eip155:  &convertv1.GasTerms{Gas: strconv.FormatUint(built.Gas, 10), GasPrice: built.GasPrice.Dec()},
		Spender: built.Spender.String(), Token: a.Token.Address.String(), Reset_: built.Reset,
	}}, nil
}

// GetPermit returns the typed data (EIP-712) of a signed approval (EIP-2612).
func (s *server) GetPermit(ctx context.Context, r *convertv1.GetPermitRequest) (*convertv1.GetPermitResponse, error) {
	a, err := readPermit(r)
	if err != nil {
		return nil, err
	}
	typed, deadline, err := s.engine.PermitData(ctx, a)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetPermitResponse{TypedData: typed, Deadline: deadline.Unix()}, nil
}

// BuildTransaction builds the transaction of a swap.
func (s *server) BuildTransaction(ctx context.Context, r *convertv1.BuildTransactionRequest) (*convertv1.BuildTransactionResponse, error) {
	swap, err := readBuild(r)
	if err != nil {
		return nil, err
	}
	offer, err := s.engine.Build(ctx, swap, r.GetDisableEstimate())
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.BuildTransactionResponse{Tx: transaction(r, swap, offer)}, nil
}
