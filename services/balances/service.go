package balances

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/balances/defillama"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/balances/solana"
	"github.com/hawser-dev/hawser/services/balances/solprices"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the service's name in -target and peers.
const Name = "balances"

// Config is the configuration under `balances`.
type Config struct {
	// CacheFor is how long holdings are cached while their chain has no new block.
	CacheFor time.Duration `yaml:"cache_for" doc:"how long holdings are kept when their chain has no new block"`
	// Timeout bounds the reading of one chain.
	Timeout time.Duration `yaml:"timeout" doc:"longest time to read one chain"`
	// Tokens configures the token lists beside the built-in ones.
	Tokens tokens.Config `yaml:"tokens" doc:"which tokens are looked for beside the built-in lists"`
	// Prices configures prices and their sources.
	Prices prices.Config `yaml:"prices" doc:"what tokens and currencies are worth, for display, or where to read it"`
	// Solana adds chains to the built-in table of price sources on Solana, or replaces theirs, by CAIP-2 id.
	Solana map[string]solprices.Chain `yaml:"solana" doc:"where tokens of Solana are priced, by CAIP-2 id; replaces what is built in for that chain"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{CacheFor: 10 * time.Second, Timeout: 15 * time.Second}
}

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	Clock clock.Clock
	Log   *slog.Logger
	// Holdings lists the tokens outside the lists that an account has; nil disables them.
	Holdings activityv1.HoldingsServiceClient
	Bus      *bus.Bus
}

// gatewayMaxAge is how long the gateway may cache the balances of one chain while it has no new block: ages of prices are in seconds.
const gatewayMaxAge = time.Second

// unavailableText is the public text of the error when no chain could be read.
const unavailableText = "Requested namespace eip155 balance provider is temporarily unavailable"

// portfolioUnavailable is the same for a portfolio.
const portfolioUnavailable = "Portfolio provider is temporarily unavailable"

// Publisher publishes events; [bus.Bus] implements it. Events with the same id are published once.
type Publisher interface {
	PublishID(ctx context.Context, id string, event proto.Message) error
}

type server struct {
	balancesv1.UnimplementedBalancesServiceServer
	balancesv1.UnimplementedAccountServiceServer
	reader     *holdings.Reader
	solana     *solana.Reader
	priceTable *prices.Table
	// connect returns the transport to the nodes of a chain, by CAIP-2 id, and nodes reads many contracts through it.
	connect func(chainID string) chainclient.Transport
	nodes   *evm.Reader
	// seen has the last amounts of watched accounts.
	seen   *holdings.SeenAmounts
	events Publisher
	log    *slog.Logger
}

// New returns the service, subscribed to new blocks until ctx ends. It fails if cfg is invalid.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newServer(cfg, deps, deps.Bus)
	if err != nil {
		return run.Service{}, err
	}
	onHead := func(_ context.Context, head *chainsv1.Head) error {
		s.reader.Cache.OnHead(head.GetChainId(), head.GetHash())
		s.solana.Cache.OnHead(head.GetChainId(), head.GetHash())
		return nil
	}
	if err := bus.Subscribe(ctx, deps.Bus, bus.SubscribeOptions{}, onHead); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			balancesv1.RegisterBalancesServiceServer(r, s)
			balancesv1.RegisterAccountServiceServer(r, s)
		},
		Work:    s.priceTable.Run,
		Vendors: func() []*statusv1.Vendor { return describe(cfg.Prices) },
	}, nil
}

func newServer(cfg Config, deps Deps, events Publisher) (*server, error) {
	local := deps.Chain
	lists, err := tokens.Load(cfg.Tokens, local)
	if err != nil {
		return nil, err
	}
	priceTable, err := prices.NewTable(cfg.Prices, lists, local, deps.Clock)
	if err != nil {
		return nil, err
	}
	vendor, err := vendorOf(cfg.Prices)
	if err != nil {
		return nil, err
	}
	if vendor != nil {
		priceTable.UseVendor(vendor, deps.Log)
	}
	var touched holdings.Touched = noHistory{}
	if deps.Holdings != nil {
		touched = history{deps.Holdings}
	}
	solanaPrices, err := solprices.NewTable(cfg.Solana, cfg.Prices.Static, priceTable.Vendor(), local, deps.Clock)
	if err != nil {
		return nil, err
	}
	nodes := evm.NewReader(deps.Chain.Transport)
	reader := holdings.NewReader(&holdings.Reader{
		Networks: networkTable{deps.Chain},
		Nodes:    nodes,
		Tokens:   lists,
		Prices:   priceTable,
		Logs:     poolLogs{deps.Chain.Transport},
		Touched:  touched,
		Local:    localChains(local),
		Clock:    deps.Clock,
		Timeout:  cfg.Timeout,
	}, cfg.CacheFor)
	return &server{priceTable: priceTable, connect: deps.Chain.Transport, nodes: nodes, log: deps.Log, events: events, seen: holdings.NewSeenAmounts(), reader: reader, solana: &solana.Reader{
		Networks: reader.Networks,
		Connect:  deps.Chain.Transport,
		Facts:    svm.NewFacts(deps.Chain.Transport),
		Tokens:   lists,
		Prices:   solanaPrices,
		Rate:     reader.Rate,
		Local:    reader.Local,
		Clock:    deps.Clock,
		Timeout:  cfg.Timeout,
		Cache:    holdings.NewCache(cfg.CacheFor, func(l solana.List) []holdings.Holding { return l.Holdings }),
	}}, nil
}

// describe lists the price vendor that is configured.
func describe(cfg prices.Config) []*statusv1.Vendor {
	if cfg.Vendor == "" {
		return nil
	}
	return []*statusv1.Vendor{{Kind: "prices", Name: cfg.Vendor}}
}

// CheckVendor returns what a start would refuse of the price vendor, such as a variable of its URL that is not set.
func (c Config) CheckVendor() error {
	_, err := vendorOf(c.Prices)
	return err
}

// vendorOf returns the configured price vendor; nil for none.
func vendorOf(cfg prices.Config) (prices.Vendor, error) {
	switch cfg.Vendor {
	case "":
		return nil, nil
	case "defillama":
		base, err := config.Expand(cfg.VendorURL)
		if err != nil {
			return nil, fmt.Errorf("prices.vendor_url: %w", err)
		}
		return defillama.New(cmp.Or(base, defillama.DefaultURL)), nil
	default:
		return nil, fmt.Errorf("prices.vendor: there is no vendor %q; there is defillama", cfg.Vendor)
	}
}

// GetBalance lists the holdings of an account.
func (s *server) GetBalance(ctx context.Context, r *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	owner, err := parseOwner(r.GetAddress(), r.GetChainId(), r.GetCurrency())
	if err != nil {
		return nil, err
	}
	if owner.IsSolana() {
		return s.getSolanaBalance(ctx, owner, r)
	}
	q := queryOf(owner, r.GetCurrency())
	if q.Forced, err = parseAssets(forced(r)); err != nil {
		return nil, err
	}
	kept := cachecontrol.Policy{MaxAge: gatewayMaxAge, ChainID: q.ChainID, Head: s.reader.Cache.HeadOf(q.ChainID)}
	held, err := s.reader.Holdings(ctx, q)
	if err != nil {
		return nil, explain(err, "chainId", unavailableText)
	}
	if q.ChainID != "" && len(q.Forced) == 0 {
		cachecontrol.Set(ctx, kept)
	}
	return &balancesv1.GetBalanceResponse{Balances: balances(held, s.reader.Clock.Now())}, nil
}

// GetPortfolio lists the holdings of an account on every active chain, the most valuable first, without hidden tokens.
func (s *server) GetPortfolio(ctx context.Context, r *balancesv1.GetPortfolioRequest) (*balancesv1.GetPortfolioResponse, error) {
	held, err := s.portfolio(ctx, r.GetAddress(), cmp.Or(r.GetCurrency(), "usd"))
	if err != nil {
		return nil, err
	}
	held = slices.Clone(held)
	slices.SortStableFunc(held, func(a, b holdings.Holding) int { return cmp.Compare(b.Value, a.Value) })
	res := &balancesv1.GetPortfolioResponse{}
	for _, h := range held {
		if h.Hidden != "" {
			continue
		}
		res.Data = append(res.Data, &balancesv1.Position{Id: cmp.Or(h.Address, h.ChainID+":"+evm.Native.String()), Name: h.Name, Symbol: h.Symbol})
	}
	return res, nil
}

// portfolio returns the holdings of an account on every active chain of its address's namespace.
func (s *server) portfolio(ctx context.Context, address, currency string) (held []holdings.Holding, err error) {
	owner, err := parseOwner(address, "", currency)
	if err != nil {
		return nil, err
	}
	if owner.IsSolana() {
		list, err := s.solana.Holdings(ctx, solanaQueryOf(owner, currency))
		return list.Holdings, explain(err, "address", portfolioUnavailable)
	}
	held, err = s.reader.Holdings(ctx, queryOf(owner, currency))
	return held, explain(err, "address", portfolioUnavailable)
}

// ReadAccount reads an account on one chain, bypassing every cache, and publishes a change of its amounts.
func (s *server) ReadAccount(ctx context.Context, r *balancesv1.ReadAccountRequest) (*balancesv1.ReadAccountResponse, error) {
	for _, currency := range r.GetCurrencies() {
		if err := request.Currency("currency", currency); err != nil {
			return nil, err
		}
	}
	owner, err := parseOwner(r.GetAddress(), r.GetChainId(), holdings.AccountCurrency)
	if err != nil {
		return nil, err
	}
	if owner.IsSolana() {
		return s.readSolanaAccount(ctx, owner, r)
	}
	q := queryOf(owner, holdings.AccountCurrency)
	q.Watched = true
	held, err := s.reader.Holdings(ctx, q)
	if err != nil {
		return nil, explain(err, "chainId", unavailableText)
	}
	s.noteChange(ctx, holdings.Key{ChainID: q.ChainID, Owner: strings.ToLower(q.Owner.String())}, r.GetBlock(), held)
	res := &balancesv1.ReadAccountResponse{}
	for _, currency := range r.GetCurrencies() {
		priced := s.reader.Convert(ctx, q.ChainID, currency, held)
		res.Lists = append(res.Lists, &balancesv1.PricedBalances{Currency: currency, Balances: balances(priced, s.reader.Clock.Now())})
	}
	return res, nil
}

// noteChange publishes an event if the balances of an account changed. Processes that detect the same change publish
// the same event id.
func (s *server) noteChange(ctx context.Context, key holdings.Key, block uint64, held []holdings.Holding) {
	if !s.seen.Changed(key, held) {
		return
	}
	account := key.ChainID + ":" + key.Owner
	id := fmt.Sprintf("%s/%d/%x", account, block, holdings.Digest(held))
	if err := s.events.PublishID(ctx, id, &balancesv1.BalanceChanged{Account: account, Block: block}); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "balance change not published", "account", account, "error", err)
	}
}

// ListPrices returns prices of tokens.
func (s *server) ListPrices(ctx context.Context, r *balancesv1.ListPricesRequest) (*balancesv1.ListPricesResponse, error) {
	currency, list, err := parsePriceRequest(r)
	if err != nil {
		return nil, err
	}
	quotes, err := s.quotes(ctx, currency, list)
	if err != nil {
		return nil, explain(err, "", "Price provider is temporarily unavailable")
	}
	res := &balancesv1.ListPricesResponse{Fungibles: make([]*balancesv1.Fungible, len(quotes))}
	for i, q := range quotes {
		res.Fungibles[i] = &balancesv1.Fungible{
			Address: q.ID, Name: q.Name, Symbol: q.Symbol, IconUrl: q.Icon, Decimals: uint32(q.Decimals),
			Price: q.Price.Amount, PriceSource: q.Price.Source, PriceAge: age(q.Price, s.reader.Clock.Now()),
		}
	}
	return res, nil
}

// quotes returns the prices of tokens of every namespace, in the order of list, without those that are unknown. Unreadable chains are an error only
// if no price is known.
func (s *server) quotes(ctx context.Context, currency string, list priceList) ([]holdings.Quote, error) {
	var quotes []holdings.Quote
	var failure error
	for _, read := range []func() ([]holdings.Quote, error){
		func() ([]holdings.Quote, error) { return s.reader.Quotes(ctx, currency, list.evm) },
		func() ([]holdings.Quote, error) { return s.solana.Quotes(ctx, list.solana) },
		func() ([]holdings.Quote, error) { return s.nativeQuotes(ctx, list.natives) },
	} {
		found, err := read()
		if err != nil && !errors.Is(err, holdings.ErrUnavailable) {
			return nil, err
		}
		failure = cmp.Or(failure, err)
		quotes = append(quotes, found...)
	}
	if len(quotes) == 0 && failure != nil {
		return nil, failure
	}
	if total := len(list.evm) + len(list.solana) + len(list.natives); total == len(list.evm) || total == len(list.solana) || total == len(list.natives) {
		return quotes, nil
	}
	slices.SortStableFunc(quotes, func(a, b holdings.Quote) int { return cmp.Compare(list.place[a.ID], list.place[b.ID]) })
	return quotes, nil
}

func balances(held []holdings.Holding, now time.Time) []*balancesv1.Balance {
	list := make([]*balancesv1.Balance, len(held))
	for i := range held {
		list[i] = balance(&held[i], now)
	}
	return list
}

func balance(h *holdings.Holding, now time.Time) *balancesv1.Balance {
	b := &balancesv1.Balance{
		Name: h.Name, Symbol: h.Symbol, ChainId: h.ChainID, Price: h.Price.Amount, IconUrl: h.Icon,
		Quantity: &balancesv1.Quantity{Decimals: strconv.Itoa(int(h.Decimals)), Numeric: holdings.Numeric(h.Units, h.Decimals)},
	}
	if h.Address != "" {
		b.Address = &h.Address
	}
	if h.Limit != "" {
		b.ValueLimit = &h.Limit
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

// explain converts an error to a fault, and nil to nil; field and unavailable are used if a chain cannot be read.
func explain(err error, field, unavailable string) error {
	var unknown *holdings.UnknownChainError
	var notToken *holdings.NotTokenError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return request.UnsupportedChain(unknown.ID)
	case errors.As(err, &notToken):
		return request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "forceUpdate", "Invalid parameter: %s is not a token", notToken.ID)
	case errors.Is(err, context.Canceled) && !errors.Is(err, holdings.ErrUnavailable):
		return fault.From(context.Canceled)
	case errors.Is(err, holdings.ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, field, "%s", unavailable).Because(err)
	default:
		return fault.From(err)
	}
}
