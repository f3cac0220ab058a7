package onramp

import (
	"context"
	"errors"
	"log/slog"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/sandbox"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is what -target and peers call the service.
const Name = "onramp"

// webhookPath and a provider's name are where it tells what becomes of orders, below the public URL.
const webhookPath = "/v1/onramp/webhooks/"

// Deps are what the service works with.
type Deps struct {
	Chain    *chainclient.Client
	Projects projectsv1.ProjectsServiceClient
	DB       *store.DB
	Outbox   *bus.Outbox
	Clock    clock.Clock
	Log      *slog.Logger
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	playing := cfg.Sandbox
	playing.PublicURL = cfg.PublicURL
	plays, err := sandbox.New(ctx, playing, sandbox.Deps{Chain: deps.Chain, DB: deps.DB, Clock: deps.Clock, Log: deps.Log})
	if err != nil {
		return run.Service{}, err
	}
	real, err := cfg.vendors(deps)
	if err != nil {
		return run.Service{}, err
	}
	s := &server{
		sellers:   sellers{all: func() []ramp.Provider { return append(real[:len(real):len(real)], plays.Providers()...) }, patience: cfg.Patience},
		sandbox:   plays,
		projects:  deps.Projects,
		publicURL: cfg.PublicURL, localPages: cfg.LocalPages,
		limiter: limit.NewLocal(deps.Clock, 0), ordering: limit.PerHour("orders", cfg.OrdersPerHour),
		clock: deps.Clock,
		log:   deps.Log,
	}
	s.market = newMarket(s.sellers, s.told)
	s.directory = newDirectory(s.market)
	if s.book, err = orders.New(ctx, orders.Deps{DB: deps.DB, Outbox: deps.Outbox, Providers: s.sellers.named, Clock: deps.Clock, Log: deps.Log}); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			onrampv1.RegisterOnrampServiceServer(r, s)
			onrampv1.RegisterPurchaseServiceServer(r, s)
			onrampv1.RegisterWebhookServiceServer(r, s)
			onrampv1.RegisterSandboxServiceServer(r, s)
		},
		Work: func(ctx context.Context) error {
			g, ctx := routine.NewGroup(ctx)
			g.Go(func() error { return s.book.Work(ctx) })
			g.Go(func() error { return plays.Work(ctx) })
			return g.Wait()
		},
		Ready: deps.DB.Ready,
	}, nil
}

type server struct {
	onrampv1.UnimplementedOnrampServiceServer
	onrampv1.UnimplementedPurchaseServiceServer
	onrampv1.UnimplementedWebhookServiceServer
	onrampv1.UnimplementedSandboxServiceServer
	sellers   sellers
	market    *market
	directory *directory
	book      *orders.Book
	sandbox   *sandbox.Sandbox
	projects  projectsv1.ProjectsServiceClient
	// publicURL is where browsers and webhooks reach the gateway, without a slash at the end.
	publicURL string
	// localPages lets visitors return to pages of their own machine.
	localPages bool
	// limiter counts the orders that callers begin, of which each may begin so many.
	limiter  limit.Limiter
	ordering limit.Rate
	clock    clock.Clock
	log      *slog.Logger
}

// told logs that a provider does not do what it should; that it does not sell something is its business.
func (s *server) told(provider string, err error) {
	var limit *ramp.LimitError
	if errors.Is(err, ramp.ErrUnsupported) || errors.As(err, &limit) || errors.Is(err, context.Canceled) {
		return
	}
	s.log.Warn("an on-ramp provider failed", "provider", provider, "error", err)
}

// ShowCheckout returns a page of the sandbox.
func (s *server) ShowCheckout(ctx context.Context, r *onrampv1.ShowCheckoutRequest) (*onrampv1.ShowCheckoutResponse, error) {
	html, err := s.sandbox.Show(ctx, r.GetId())
	if err != nil {
		return nil, explainCheckout(err)
	}
	return &onrampv1.ShowCheckoutResponse{Page: page(html)}, nil
}

// SubmitCheckout takes what a visitor filled in on a page of the sandbox.
func (s *server) SubmitCheckout(ctx context.Context, r *onrampv1.SubmitCheckoutRequest) (*onrampv1.SubmitCheckoutResponse, error) {
	html, err := s.sandbox.Submit(ctx, r.GetId(), r.GetAction(), r.GetFields())
	if err != nil {
		return nil, explainCheckout(err)
	}
	if html == nil {
		return &onrampv1.SubmitCheckoutResponse{}, nil
	}
	return &onrampv1.SubmitCheckoutResponse{Page: page(html)}, nil
}

func page(html []byte) *httpbody.HttpBody {
	return &httpbody.HttpBody{ContentType: "text/html; charset=utf-8", Data: html}
}

func explainCheckout(err error) error {
	switch {
	case errors.Is(err, sandbox.ErrUnknown):
		return unknownOrder()
	case errors.Is(err, ramp.ErrUnavailable):
		return explain("", err)
	}
	return err
}

func missing(field string) error { return apiparse.Missing(field) }

func notOfChain(field string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid: it is not one of the chain's")
}
