package names

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/names/sns"
	"github.com/hawser-dev/hawser/services/names/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the service's name in -target and peers.
const Name = "names"

// lookupTimeout bounds one request of an off-chain lookup (ERC-3668).
const lookupTimeout = 2 * time.Second

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	// Pictures loads avatars.
	Pictures nftsv1.PictureServiceClient
	DB       *store.DB
	Outbox   *bus.Outbox
	Bus      *bus.Bus
	Clock    clock.Clock
	Log      *slog.Logger
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
}

// New returns the service, subscribed to its events until ctx ends. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	kept, err := sqlstore.New(ctx, deps.DB, deps.Outbox, cfg.ChangesPerHour)
	if err != nil {
		return run.Service{}, err
	}
	keys, err := openKeys(ctx, cfg.ENS, deps.DB, rand.Reader)
	if err != nil {
		return run.Service{}, err
	}
	fetcher := fetch.New(fetch.Options{Hosts: cfg.ENS.Hosts, AllowPrivate: cfg.ENS.AllowPrivate, Timeout: lookupTimeout})
	others := &resolver.Client{
		Chain: cfg.ENS.Chain, UniversalResolver: cfg.ENS.UniversalResolver, Local: deps.Chain,
		Serves: deps.Chain.Serves, Connect: deps.Chain.Transport, Gateways: fetcher,
	}
	primaries := resolver.NewPrimaries(others, deps.Log)
	if err := forgetChanged(ctx, deps.Bus, primaries); err != nil {
		return run.Service{}, err
	}
	if cfg.Installation == "" {
		cfg.Installation = "installation " + signing(keys).Address().String()
	}
	solana := sns.New(sns.Deps{
		Chain: cfg.Solana.Chain, Local: deps.Chain, Serves: deps.Chain.Serves, Connect: deps.Chain.Transport, Clock: deps.Clock,
	})
	registry := registry.New(cfg.Rules(), kept, deps.Chain, signature.NewVerifier(deps.Chain.Agreed), deps.Clock)
	return run.Service{
		Name: Name,
		Register: func(s grpc.ServiceRegistrar) {
			namesv1.RegisterNameAdminServiceServer(s, adminServer{registry: registry})
			namesv1.RegisterNamesServiceServer(s, &server{
				registry: registry, primaries: primaries, destinations: resolver.NewDestinations(others), solana: solana,
				pictures: deps.Pictures, key: signing(keys), lifetime: cfg.ENS.Lifetime,
				limiter: limit.OrLocal(deps.Limiter, deps.Clock), registering: limit.PerHour("registrations", cfg.RegistrationsPerHour),
			})
		},
		Work: func(ctx context.Context) error {
			<-ctx.Done()
			fetcher.Close()
			return nil
		},
		Ready: run.Checks(deps.DB.Ready, deps.Bus.Ready),
	}, nil
}

// forgetChanged removes accounts from the cache when one of their names changes, on this replica or another.
func forgetChanged(ctx context.Context, b *bus.Bus, primaries *resolver.Primaries) error {
	onRegistered := func(_ context.Context, name *namesv1.NameRegistered) error {
		primaries.Forget(name.GetAddress())
		return nil
	}
	onChanged := func(_ context.Context, name *namesv1.NameChanged) error {
		primaries.Forget(name.GetAddresses()...)
		return nil
	}
	options := bus.SubscribeOptions{Missed: func(context.Context) { primaries.ForgetAll() }}
	return errors.Join(
		bus.Subscribe(ctx, b, options, onRegistered),
		bus.Subscribe(ctx, b, options, onChanged),
	)
}

type server struct {
	namesv1.UnimplementedNamesServiceServer
	registry *registry.Registry
	// primaries looks up the ENS names of accounts.
	primaries *resolver.Primaries
	// destinations resolves ENS names.
	destinations *resolver.Destinations
	// solana resolves names of Solana.
	solana   *sns.Names
	pictures nftsv1.PictureServiceClient
	// key signs answers of off-chain lookups, which are valid for lifetime.
	key      ens.Key
	lifetime time.Duration
	// limiter limits the registrations of callers.
	limiter     limit.Limiter
	registering limit.Rate
}

// RegisterName registers a name for an account.
func (s *server) RegisterName(ctx context.Context, r *namesv1.RegisterNameRequest) (*namesv1.RegisterNameResponse, error) {
	if err := limit.Spend(ctx, s.limiter, s.registering, "registrations"); err != nil {
		return nil, err
	}
	e := envelope(r)
	e.Project = caller.From(ctx).Project
	record, err := s.registry.Register(ctx, e)
	if err != nil {
		return nil, explain(err)
	}
	name, registered := toProto(record), true
	name.Success = &registered
	return &namesv1.RegisterNameResponse{Name: name}, nil
}

// GetInstallation returns the name of the installation that signed texts must contain.
func (s *server) GetInstallation(context.Context, *namesv1.GetInstallationRequest) (*namesv1.GetInstallationResponse, error) {
	return &namesv1.GetInstallationResponse{Installation: s.registry.Installation}, nil
}

// GetName returns a name with its addresses and attributes.
func (s *server) GetName(ctx context.Context, r *namesv1.GetNameRequest) (*namesv1.GetNameResponse, error) {
	record, err := s.registry.Find(ctx, r.GetName())
	if errors.Is(err, registry.ErrUnregistered) {
		return nil, absent("name", "Name is not found in the database: %s", r.GetName())
	}
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.GetNameResponse{Name: toProto(record)}, nil
}

// ListNames lists the names by which an account may be shown, or all that it owns.
func (s *server) ListNames(ctx context.Context, r *namesv1.ListNamesRequest) (*namesv1.ListNamesResponse, error) {
	account, err := request.Address("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	list := s.registry.NamesOf
	if r.GetOwned() {
		list = s.registry.OwnedBy
	}
	records, err := list(ctx, account)
	if err != nil {
		return nil, explain(err)
	}
	if len(records) == 0 && r.GetApiVersion() != 2 {
		return nil, absent("address", "No name for address is found")
	}
	res := &namesv1.ListNamesResponse{}
	for _, record := range records {
		name := toProto(record)
		if given := record.IsGiven(); given {
			name.Given = &given
		}
		res.Names = append(res.Names, name)
	}
	return res, nil
}

// SuggestNames returns whether a name is free, and similar names that are free.
func (s *server) SuggestNames(ctx context.Context, r *namesv1.SuggestNamesRequest) (*namesv1.SuggestNamesResponse, error) {
	suggestions, err := s.registry.Suggest(ctx, r.GetName(), r.GetZone())
	if err != nil {
		return nil, explain(err)
	}
	res := &namesv1.SuggestNamesResponse{}
	for _, n := range suggestions {
		res.Suggestions = append(res.Suggestions, &namesv1.Suggestion{Name: string(n.Name), Registered: n.Taken, Available: n.Available})
	}
	return res, nil
}

// SetAttributes replaces the attributes of a name.
func (s *server) SetAttributes(ctx context.Context, r *namesv1.SetAttributesRequest) (*namesv1.SetAttributesResponse, error) {
	record, err := s.registry.SetAttributes(ctx, r.GetName(), envelope(r))
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.SetAttributesResponse{Attributes: record.Attributes}, nil
}

// SetAddress sets the address of a name for one coin type.
func (s *server) SetAddress(ctx context.Context, r *namesv1.SetAddressRequest) (*namesv1.SetAddressResponse, error) {
	set, err := s.registry.SetAddress(ctx, r.GetName(), envelope(r))
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.SetAddressResponse{Addresses: addresses(set)}, nil
}

// ReleaseName releases a name.
func (s *server) ReleaseName(ctx context.Context, r *namesv1.ReleaseNameRequest) (*namesv1.ReleaseNameResponse, error) {
	if err := s.registry.Release(ctx, r.GetName(), envelope(r)); err != nil {
		return nil, explain(err)
	}
	return &namesv1.ReleaseNameResponse{Success: true}, nil
}

// TransferName transfers a name to another account.
func (s *server) TransferName(ctx context.Context, r *namesv1.TransferNameRequest) (*namesv1.TransferNameResponse, error) {
	record, err := s.registry.Transfer(ctx, r.GetName(), envelope(r))
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.TransferNameResponse{Name: toProto(record)}, nil
}

// GetIdentity returns how an account is shown.
func (s *server) GetIdentity(ctx context.Context, r *namesv1.GetIdentityRequest) (*namesv1.GetIdentityResponse, error) {
	if caip.IsSolanaAddress(r.GetAddress()) {
		cachecontrol.Set(ctx, cachecontrol.Policy{MaxAge: namelessLifetime})
		return identity(evm.Address{}, resolver.Primary{}, nil, s.registry.Now()), nil
	}
	account, err := request.Address("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	primary, records, err := s.namesOf(ctx, account)
	if err != nil {
		return nil, explain(err)
	}
	res := identity(account, primary.Primary, records, s.registry.Now())
	if primary.Whole {
		cachecontrol.Set(ctx, cachecontrol.Policy{MaxAge: lifetimeOf(res)})
	}
	return res, nil
}

// namesOf returns the ENS name of an account, if any, and its names of the registry.
func (s *server) namesOf(ctx context.Context, account evm.Address) (resolver.Reading, []registry.Record, error) {
	records, err := s.registry.NamesOf(ctx, account)
	if err != nil {
		return resolver.Reading{}, nil, err
	}
	primary := s.primaries.Of(ctx, account)
	if !registry.IsPicture(primary.Avatar) {
		primary.Avatar = ""
	}
	primary.Primary, records = chosen(s.registry.Zones, primary.Primary, records)
	return primary, records, nil
}
