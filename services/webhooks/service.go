package webhooks

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/dispatch"
	"github.com/hawser-dev/hawser/services/webhooks/transactions"
)

// Name is the name of the service in -target and peers.
const Name = "webhooks"

const (
	// giveUpInterval is how often deliveries are given up whose time is over, and deleteInterval how often old ones are deleted.
	giveUpInterval, deleteInterval = time.Minute, 10 * time.Minute
	// cleanupTimeout bounds both.
	cleanupTimeout = time.Minute
)

// Deps are the dependencies of the service.
type Deps struct {
	// Projects finds the projects of new endpoints.
	Projects projectsv1.ProjectsServiceClient
	// Chains reaches the chains of followed transactions.
	Chains transactions.Chains
	// Limiter limits callers that have transactions followed; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
	DB      *store.DB
	Bus     *bus.Bus
	// Sealer opens the keys with which secrets of endpoints are sealed.
	Sealer func(ctx context.Context) (*seal.Sealer, error)
	Clock  clock.Clock
	Log    *slog.Logger
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	sealer, err := deps.Sealer(ctx)
	if err != nil {
		return run.Service{}, err
	}
	registry, err := Open(ctx, cfg, deps.DB, sealer, deps.Clock, deps.Log)
	if err != nil {
		return run.Service{}, err
	}
	if err := registry.CheckKey(ctx); err != nil {
		deps.Log.ErrorContext(ctx, "webhooks wait: their secrets cannot be opened; restore the key that sealed them, or rotate the secrets", "error", err)
	}
	sender := dispatch.NewHTTPSender(registry, deps.Clock, cfg.Timeout)
	dispatcher := dispatch.New(cfg.limits(), dispatch.Deps{
		Store: registry.Store, Sender: sender, Clock: deps.Clock, Backoff: deliveries.Backoff{Jitter: mathrand.Float64}, Log: deps.Log,
	})
	follows := newFollows(cfg, deps, registry, dispatcher.Wake)
	if err := errors.Join(subscribe(ctx, deps.Bus, registry, dispatcher.Wake), follows.subscribe(ctx, deps.Bus)); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			webhooksv1.RegisterWebhooksServiceServer(r, &server{registry: registry, projects: deps.Projects, wake: dispatcher.Wake})
			webhooksv1.RegisterTransactionsServiceServer(r, follows)
		},
		Work: func(ctx context.Context) error {
			defer sender.Close()
			g, ctx := routine.NewGroup(ctx)
			g.Go(func() error { return dispatcher.Run(ctx) })
			g.Go(func() error { return follows.follower.Run(ctx) })
			g.Go(func() error { return cleanUp(ctx, registry, deps.Log) })
			return g.Wait()
		},
		Ready: deps.DB.Ready,
	}, nil
}

// Open returns the registry of the endpoints in db. It creates the tables that do not exist.
func Open(ctx context.Context, cfg Config, db *store.DB, sealer *seal.Sealer, c clock.Clock, log *slog.Logger) (*deliveries.Registry, error) {
	kept, err := deliveries.NewStore(ctx, db)
	if err != nil {
		return nil, err
	}
	return &deliveries.Registry{Store: kept, Sealer: sealer, Clock: c, Random: rand.Reader, Rules: cfg.Rules(), Log: log}, nil
}

// Rewrap seals the secrets of all endpoints with the current key, and returns how many it changed.
func Rewrap(ctx context.Context, db *store.DB, sealer *seal.Sealer) (int, error) {
	kept, err := deliveries.NewStore(ctx, db)
	if err != nil {
		return 0, err
	}
	return (&deliveries.Registry{Store: kept, Sealer: sealer}).Rewrap(ctx)
}

// cleanUp gives deliveries up and deletes old ones at intervals, until ctx ends.
func cleanUp(ctx context.Context, registry *deliveries.Registry, log *slog.Logger) error {
	giveUp, remove := time.NewTicker(giveUpInterval), time.NewTicker(deleteInterval)
	defer giveUp.Stop()
	defer remove.Stop()
	for {
		var do func(ctx context.Context) error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-giveUp.C:
			do = registry.GiveUp
		case <-remove.C:
			do = func(ctx context.Context) error { return registry.DeleteOld(ctx, keptPart) }
		}
		working, cancel := context.WithTimeout(ctx, cleanupTimeout)
		if err := do(working); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "webhooks not given up or deleted", "error", err)
		}
		cancel()
	}
}
