package updates

import (
	"context"
	"errors"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the name of the service in -target and peers.
const Name = "updates"

// Config is the configuration under `updates`.
type Config struct {
	// WatchesPerCaller is how many streams one caller may hold.
	WatchesPerCaller int `yaml:"watches_per_caller" doc:"accounts that one caller, which is a project and an address, may watch at once"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{WatchesPerCaller: 500} }

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.WatchesPerCaller < 1 {
		faults = append(faults, config.Faultf("watches_per_caller", "it is less than 1"))
	}
	return faults
}

// Deps are the dependencies of the service.
type Deps struct {
	Accounts balancesv1.AccountServiceClient
	Bus      *bus.Bus
	Clock    clock.Clock
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
}

// New returns the service, subscribed to its events until ctx ends.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s := newServer(cfg, deps)
	if err := s.subscribe(ctx, deps.Bus); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name:     Name,
		Register: func(r grpc.ServiceRegistrar) { updatesv1.RegisterUpdatesServiceServer(r, s) },
	}, nil
}

type server struct {
	updatesv1.UnimplementedUpdatesServiceServer
	hub     *hub
	limiter limit.Limiter
	// share is how many streams one caller, and all callers together, may hold.
	share limit.Share
}

func newServer(cfg Config, deps Deps) *server {
	return &server{
		hub:     newHub(balanceReader{deps.Accounts}.read, balanceReader{deps.Accounts}.find, deps.Clock, defaultIntervals),
		limiter: limit.OrLocal(deps.Limiter, deps.Clock),
		share:   limit.Share{Name: "watched accounts", Each: cfg.WatchesPerCaller, Total: maxWatchers},
	}
}

// WatchAccount sends the balances of an account, at once and whenever they change, until the client disconnects.
func (s *server) WatchAccount(r *updatesv1.WatchAccountRequest, stream grpc.ServerStreamingServer[updatesv1.WatchAccountResponse]) error {
	key, err := parseRequest(r)
	if err != nil {
		return err
	}
	release, err := limit.Acquire(stream.Context(), s.limiter, s.share, "watched accounts")
	if err != nil {
		return err
	}
	defer release()
	who := caller.From(stream.Context())
	w := s.hub.join(who, key, r.GetCurrency(), who.OrderTokenDigests())
	defer w.leave()
	for {
		c, err := w.next(stream.Context())
		if stream.Context().Err() != nil {
			return nil // The client disconnected, which is how every stream ends.
		}
		if err != nil {
			return fault.From(err)
		}
		if err := run.Send(stream, c.toProto(s.hub.clock.Now()), s.hub.intervals.send); err != nil {
			return err
		}
	}
}

func parseRequest(r *updatesv1.WatchAccountRequest) (accountKey, error) {
	if err := request.Currency("currency", r.GetCurrency()); err != nil {
		return accountKey{}, err
	}
	if r.GetChainId() == "" {
		return accountKey{}, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "chainId", "chainId is required")
	}
	owner, err := request.ParseOwner("address", r.GetChainId(), r.GetAddress())
	return accountKey{chainID: owner.ChainID, address: owner.Address()}, err
}

// balanceReader reads accounts through the balances service.
type balanceReader struct {
	accounts balancesv1.AccountServiceClient
}

// readTimeout bounds one read; the balances service has a shorter limit.
const readTimeout = 30 * time.Second

func (b balanceReader) read(ctx context.Context, key accountKey, currencies []string, block uint64) (balanceLists, error) {
	ctx, cancel := context.WithTimeout(caller.Forward(ctx), readTimeout)
	defer cancel()
	res, err := b.accounts.ReadAccount(ctx, &balancesv1.ReadAccountRequest{
		Address: key.address, ChainId: key.chainID, Currencies: currencies, Block: block,
	})
	if err != nil {
		return nil, err
	}
	lists := balanceLists{}
	for _, list := range res.GetLists() {
		lists[list.GetCurrency()] = balanceList{list.GetBalances(), list.GetMore()}
	}
	return lists, nil
}

// find implements [findChanges].
func (b balanceReader) find(ctx context.Context, chainID string, addresses []string, from, to uint64) (changes, error) {
	res, err := b.accounts.FindChanges(ctx, &balancesv1.FindChangesRequest{ChainId: chainID, Addresses: addresses, FromBlock: from, ToBlock: to})
	if err != nil {
		return changes{}, err
	}
	found := changes{natives: make([]string, len(addresses)), named: res.GetNamed()}
	if len(res.GetNatives()) != len(addresses) {
		return changes{}, errors.New("the balances are not those of the accounts")
	}
	for i, native := range res.GetNatives() {
		found.natives[i] = string(native)
	}
	if len(found.named) > 0 && int(slices.Max(found.named)) >= len(addresses) {
		return changes{}, errors.New("a log names none of the accounts")
	}
	return found, nil
}

// subscribe passes events to the hub until ctx ends. Each replica receives every event.
func (s *server) subscribe(ctx context.Context, b *bus.Bus) error {
	options := bus.SubscribeOptions{Missed: func(context.Context) { s.hub.onMissed() }}
	return errors.Join(
		subscribe(ctx, b, options, s.onHead),
		subscribe(ctx, b, options, s.onActivity),
		subscribe(ctx, b, options, s.onOrder),
		subscribe(ctx, b, options, s.onNameRegistered),
		subscribe(ctx, b, options, s.onNameChanged),
	)
}

func subscribe[T proto.Message](ctx context.Context, b *bus.Bus, options bus.SubscribeOptions, handle func(T)) error {
	return bus.Subscribe(ctx, b, options, func(_ context.Context, event T) error {
		handle(event)
		return nil
	})
}

func (s *server) onHead(e *chainsv1.Head) {
	s.hub.onHead(head{chainID: e.GetChainId(), number: e.GetNumber(), hash: e.GetHash(), parent: e.GetParentHash()})
}

func (s *server) onActivity(e *activityv1.ActivityChanged) {
	for _, id := range e.GetAccounts() {
		account, err := caip.ParseAccount(id)
		if err != nil {
			continue
		}
		if address, ok := request.Canonical(account.Address); ok {
			s.hub.onActivity(accountKey{chainID: account.Chain.String(), address: address}, e.GetBlock())
		}
	}
}

func (s *server) onNameRegistered(e *namesv1.NameRegistered) {
	s.onIdentity(e.GetName(), e.GetAddress())
}

func (s *server) onNameChanged(e *namesv1.NameChanged) {
	s.onIdentity(e.GetName(), e.GetAddresses()...)
}

func (s *server) onIdentity(name string, addresses ...string) {
	for _, text := range addresses {
		if address, ok := request.Canonical(text); ok {
			s.hub.onIdentity(address, name)
		}
	}
}

func (s *server) onOrder(e *onrampv1.OrderUpdated) {
	if address, ok := request.Canonical(e.GetWalletAddress()); ok {
		s.hub.onOrder(address, e.GetOrderId(), e.GetProof(), e.GetOrder())
	}
}

// toProto returns the message of a change.
func (c change) toProto(now time.Time) *updatesv1.WatchAccountResponse {
	m := &updatesv1.WatchAccountResponse{Block: c.block}
	switch c.kind {
	case balancesChanged:
		balances := &updatesv1.Balances{Balances: withAge(c.balances.list, now.Sub(c.readAt))}
		if c.balances.more {
			balances.More = &c.balances.more
		}
		m.Change = &updatesv1.WatchAccountResponse_Balances{Balances: balances}
	case activityChanged:
		m.Change = &updatesv1.WatchAccountResponse_Activity{Activity: &updatesv1.ActivityChange{}}
	case identityChanged:
		m.Change = &updatesv1.WatchAccountResponse_Identity{Identity: &updatesv1.IdentityChange{Name: c.name}}
	case orderChanged:
		m.Change = &updatesv1.WatchAccountResponse_Orders{Orders: &updatesv1.OrderChange{OrderId: c.orderID, Order: c.order}}
	default:
		m.Change = &updatesv1.WatchAccountResponse_Alive{Alive: &updatesv1.Alive{}}
	}
	return m
}

// withAge returns balances whose prices are older by the time since they were read. The list itself is shared and is
// not modified.
func withAge(list []*balancesv1.Balance, elapsed time.Duration) []*balancesv1.Balance {
	seconds := uint32(max(0, elapsed/time.Second))
	if seconds == 0 {
		return list
	}
	older := make([]*balancesv1.Balance, len(list))
	for i, b := range list {
		older[i] = b
		if b.PriceAge != nil {
			older[i] = proto.CloneOf(b)
			*older[i].PriceAge += seconds
		}
	}
	return older
}
