package balances

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/balances/defillama"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Config is what an operator sets under `balances`.
type Config struct {
	// DevnetFile is where the local chains describe their tokens and feeds; empty or absent: there are none.
	DevnetFile string `yaml:"devnet_file" doc:"file in which the local chains describe their tokens and price feeds; absent: there are none"`
	// CacheFor is how long holdings are kept when their chain has no new block.
	CacheFor time.Duration `yaml:"cache_for" doc:"how long holdings are kept when their chain has no new block"`
	// Timeout bounds the reading of one chain.
	Timeout time.Duration `yaml:"timeout" doc:"longest reading of one chain"`
	// WatchesPerCaller is how many streams of changes one caller may hold.
	WatchesPerCaller int `yaml:"watches_per_caller" doc:"accounts that one caller, which is a project and an address, may watch at once"`
	// Tokens says which tokens are looked for beside the built-in lists.
	Tokens tokens.Config `yaml:"tokens" doc:"which tokens are looked for beside the built-in lists"`
	// Prices says what tokens and currencies are worth, or where to read it.
	Prices prices.Config `yaml:"prices" doc:"what tokens and currencies are worth, for display, or where to read it"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{CacheFor: 10 * time.Second, Timeout: 15 * time.Second, WatchesPerCaller: 500}
}

// Check refuses a share with which nobody could watch anything.
func (c Config) Check() (faults []config.Fault) {
	if c.WatchesPerCaller < 1 {
		faults = append(faults, config.Faultf("watches_per_caller", "it is less than 1"))
	}
	return faults
}

// Deps are the services and the machine that balances needs.
type Deps struct {
	Chains chainsv1.ChainsServiceClient
	Nodes  chainsv1.NodeServiceClient
	Clock  clock.Clock
	Log    *slog.Logger
	// Holdings tells which tokens outside the lists an account has; nil: they are not looked for.
	Holdings activityv1.HoldingsServiceClient
	// Events is where changes of watched balances are told; nil: nowhere.
	Events Publisher
}

// unavailableText is what callers read when no chain could be read.
const unavailableText = "Requested namespace eip155 balance provider is temporarily unavailable"

// Server answers hawser.balances.v1.BalancesService and WatchService.
type Server struct {
	balancesv1.UnimplementedBalancesServiceServer
	balancesv1.UnimplementedWatchServiceServer
	ledger  *ledger
	book    *prices.Book
	watches *watches
	// limiter counts the accounts that callers watch, of which each has a share.
	limiter limit.Limiter
	share   limit.Share
	events  Publisher
	log     *slog.Logger
}

// New returns a server. The error names what is wrong in cfg.
func New(cfg Config, deps Deps) (*Server, error) {
	local := devnet.Open(cfg.DevnetFile, deps.Log)
	lists, err := tokens.Load(cfg.Tokens, local)
	if err != nil {
		return nil, err
	}
	book, err := prices.NewBook(cfg.Prices, lists, local, deps.Clock)
	if err != nil {
		return nil, err
	}
	vendor, err := vendorOf(cfg.Prices)
	if err != nil {
		return nil, err
	}
	if vendor != nil {
		book.Ask(vendor, deps.Log)
	}
	nodes := nodeReader{deps.Nodes}
	var touched Touched = noHistory{}
	if deps.Holdings != nil {
		touched = history{deps.Holdings}
	}
	s := &Server{book: book, log: deps.Log, events: deps.Events, ledger: newLedger(&ledger{
		networks: &keptNetworks{source: networkTable{deps.Chains}, clock: deps.Clock},
		reader:   evm.NewReader(nodes.connect),
		tokens:   lists,
		prices:   book,
		touched:  touched,
		local:    localChains(local),
		clock:    deps.Clock,
		timeout:  cfg.Timeout,
	}, cfg.CacheFor)}
	if s.events == nil {
		s.events = nobody{}
	}
	s.limiter = limit.NewLocal(deps.Clock, 0)
	s.share = limit.Share{Name: "watched accounts", Each: cfg.WatchesPerCaller, Total: watchersAtOnce}
	s.watches = newWatches(&watches{read: s.ledger.readWatched, tell: s.tellChange, pauses: usualPauses})
	return s, nil
}

// Service describes balances to the process that hosts it.
func (s *Server) Service() run.Service {
	return run.Service{
		Name: "balances",
		Register: func(r grpc.ServiceRegistrar) {
			balancesv1.RegisterBalancesServiceServer(r, s)
			balancesv1.RegisterWatchServiceServer(r, s)
		},
		Work: s.book.Run,
	}
}

// vendorOf is the price vendor that the operator names; nil for none.
func vendorOf(cfg prices.Config) (prices.Vendor, error) {
	switch cfg.Vendor {
	case "":
		return nil, nil
	case "defillama":
		return defillama.New(cmp.Or(cfg.VendorURL, defillama.DefaultURL)), nil
	default:
		return nil, fmt.Errorf("prices.vendor: there is no vendor %q; there is defillama", cfg.Vendor)
	}
}

// OnHead tells that a chain, by CAIP-2 id, has a new newest block: watched accounts are read again now, and what else was read of the
// chain before, when it is next asked.
func (s *Server) OnHead(chainID string, number uint64) {
	s.ledger.cache.onHead(chainID)
	s.watches.onHead(chainID, number)
}

// GetBalance lists what an account holds.
func (s *Server) GetBalance(ctx context.Context, r *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	ask, err := readAsk(r)
	if err != nil {
		return nil, err
	}
	holdings, err := s.ledger.Holdings(ctx, ask)
	if err != nil {
		return nil, explain(err, "chainId", unavailableText)
	}
	return &balancesv1.GetBalanceResponse{Balances: balances(holdings, s.ledger.clock.Now())}, nil
}

// ListPrices prices tokens.
func (s *Server) ListPrices(ctx context.Context, r *balancesv1.ListPricesRequest) (*balancesv1.ListPricesResponse, error) {
	currency, list, err := readPriceList(r)
	if err != nil {
		return nil, err
	}
	quotes, err := s.ledger.Quotes(ctx, currency, list)
	if err != nil {
		return nil, explain(err, "", "Price provider is temporarily unavailable")
	}
	res := &balancesv1.ListPricesResponse{Fungibles: make([]*balancesv1.Fungible, len(quotes))}
	for i, q := range quotes {
		res.Fungibles[i] = &balancesv1.Fungible{
			Address: q.ID, Name: q.Name, Symbol: q.Symbol, IconUrl: q.Icon, Decimals: uint32(q.Decimals),
			Price: q.Price.Amount, PriceSource: q.Price.Source, PriceAge: age(q.Price, s.ledger.clock.Now()),
		}
	}
	return res, nil
}

func balances(holdings []Holding, now time.Time) []*balancesv1.Balance {
	list := make([]*balancesv1.Balance, len(holdings))
	for i, h := range holdings {
		list[i] = balance(h, now)
	}
	return list
}

func balance(h Holding, now time.Time) *balancesv1.Balance {
	b := &balancesv1.Balance{
		Name: h.Name, Symbol: h.Symbol, ChainId: h.ChainID, Price: h.Price.Amount, IconUrl: h.Icon,
		Quantity: &balancesv1.Quantity{Decimals: strconv.Itoa(int(h.Decimals)), Numeric: Numeric(h.Units, h.Decimals)},
	}
	if h.Address != "" {
		b.Address = &h.Address
	}
	if h.Hidden != "" {
		b.Hidden = &h.Hidden
	}
	if h.Priced {
		b.Value, b.PriceSource, b.PriceAge = &h.Value, &h.Price.Source, age(h.Price, now)
	}
	return b
}

func age(p prices.Price, now time.Time) *uint32 {
	seconds, ages := p.Age(now)
	if !ages {
		return nil
	}
	return &seconds
}

// explain words a failure for the caller; field and unavailable are for a chain that cannot be read.
func explain(err error, field, unavailable string) error {
	var unknown *UnknownChainError
	var notToken *NotTokenError
	switch {
	case errors.As(err, &unknown):
		return apiparse.UnsupportedChain(unknown.ID)
	case errors.As(err, &notToken):
		return apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "forceUpdate", "Invalid parameter: %s is not a token", notToken.ID)
	case errors.Is(err, context.Canceled) && !errors.Is(err, ErrUnavailable):
		return fault.From(context.Canceled)
	case errors.Is(err, ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, field, "%s", unavailable).Because(err)
	default:
		return fault.From(err)
	}
}
