package onramp

import (
	"context"
	"errors"
	"log/slog"

	"google.golang.org/grpc"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onramp/catalog"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "onramp"

// Deps are the dependencies of the service.
type Deps struct {
	// Sellers are providers in another process; nil for none.
	Sellers  sandboxv1.SellerServiceClient
	Projects projectsv1.ProjectsServiceClient
	DB       *store.DB
	Outbox   *bus.Outbox
	Clock    clock.Clock
	Log      *slog.Logger
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	vendors, err := cfg.vendors(deps)
	if err != nil {
		return run.Service{}, err
	}
	all := func() []ramp.Provider { return vendors }
	if deps.Sellers != nil {
		others := remote.NewClient(deps.Sellers, deps.Clock)
		all = func() []ramp.Provider { return append(vendors[:len(vendors):len(vendors)], others.Providers()...) }
	}
	s := &server{
		sellers:   catalog.Sellers{All: all, Patience: cfg.Patience},
		projects:  deps.Projects,
		publicURL: cfg.PublicURL, localPages: cfg.LocalPages,
		limiter: limit.OrLocal(deps.Limiter, deps.Clock), ordering: limit.PerHour("orders", cfg.OrdersPerHour),
		clock: deps.Clock,
		log:   deps.Log,
	}
	s.catalog = catalog.NewCatalog(s.sellers, s.logFailure)
	s.directory = catalog.NewDirectory(s.catalog)
	if s.orders, err = orders.New(ctx, orders.Deps{DB: deps.DB, Outbox: deps.Outbox, Providers: s.sellers.Provider, Clock: deps.Clock, Log: deps.Log}); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			onrampv1.RegisterOnrampServiceServer(r, s)
			onrampv1.RegisterPurchaseServiceServer(r, s)
			onrampv1.RegisterWebhookServiceServer(r, s)
			onrampv1.RegisterOrderAdminServiceServer(r, adminServer{orders: s.orders})
		},
		Work:    s.orders.Work,
		Ready:   deps.DB.Ready,
		Vendors: func() []*statusv1.Vendor { return describe(vendors) },
	}, nil
}

// describe lists the configured providers.
func describe(vendors []ramp.Provider) (described []*statusv1.Vendor) {
	for _, v := range vendors {
		described = append(described, &statusv1.Vendor{Kind: "onramp", Name: v.Name()})
	}
	return described
}

type server struct {
	onrampv1.UnimplementedOnrampServiceServer
	onrampv1.UnimplementedPurchaseServiceServer
	onrampv1.UnimplementedWebhookServiceServer
	sellers   catalog.Sellers
	catalog   *catalog.Catalog
	directory *catalog.Directory
	orders    *orders.Orders
	projects  projectsv1.ProjectsServiceClient
	// publicURL is the URL of the gateway, without a trailing slash.
	publicURL string
	// localPages allows redirects to pages on the visitor's own machine.
	localPages bool
	// limiter limits the orders of each caller.
	limiter  limit.Limiter
	ordering limit.Rate
	clock    clock.Clock
	log      *slog.Logger
}

// logFailure logs an error of a provider, unless it only means that something is not sold.
func (s *server) logFailure(provider string, err error) {
	var limit *ramp.LimitError
	if errors.Is(err, ramp.ErrUnsupported) || errors.As(err, &limit) || errors.Is(err, context.Canceled) {
		return
	}
	s.log.Warn("an on-ramp provider failed", "provider", provider, "error", err)
}

func missing(field string) error { return request.Missing(field) }
