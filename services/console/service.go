package console

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/console/identity"
	"github.com/hawser-dev/hawser/services/console/passkey"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/openid"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "console"

// cleanupInterval is how often links and sessions that have ended are deleted.
const cleanupInterval = time.Minute

// documentation is where docs of this repository is.
const documentation = "https://github.com/hawser-dev/hawser/blob/main/docs"

// Deps are the dependencies of the service.
type Deps struct {
	DB *store.DB
	// Projects reads projects, and ProjectAdmin lists and changes them.
	Projects     projectsv1.ProjectsServiceClient
	ProjectAdmin projectsv1.ProjectAdminServiceClient
	Users        walletv1.UserAdminServiceClient
	Counts       analyticsv1.CountServiceClient
	Orders       onrampv1.OrderAdminServiceClient
	Names        namesv1.NameAdminServiceClient
	Bundler      bundlerv1.BundlerAdminServiceClient
	Sessions     sessionsv1.SessionAdminServiceClient
	// Suite describes the suite. It may take seconds.
	Suite func(ctx context.Context) *statusv1.Suite
	// Settings returns the configuration of the process without secrets, and Target what the process hosts.
	Settings func() ([]config.Setting, error)
	Target   string
	// Version and Commit are those of the process.
	Version, Commit string
	// Limiter is shared by the replicas of the service; nil counts in this process.
	Limiter limit.Limiter
	Clock   clock.Clock
	Log     *slog.Logger
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	if err := Migrate(ctx, deps.DB); err != nil {
		return run.Service{}, err
	}
	deps.Limiter = limit.OrLocal(deps.Limiter, deps.Clock)
	operators := NewOperators(cfg, NewSQLStore(deps.DB), deps.Clock, rand.Reader)
	s := &server{
		cfg: cfg, deps: deps, operators: operators, passkeys: passkey.New(passkey.NewSQLStore(deps.DB), deps.Clock, rand.Reader),
		audit: audit.New(deps.DB, deps.Clock), health: newHealth(deps.Suite, deps.Clock),
	}
	if cfg.OIDC.IsOn() {
		s.provider = identity.New(cfg.OIDC, roleNames(), openid.NewClient(), deps.Clock)
	}
	return run.Service{
		Name:     Name,
		Register: s.register,
		Work:     s.work,
		Ready:    deps.DB.Ready,
	}, nil
}

// server implements the services of hawser.admin.v1.
type server struct {
	cfg       Config
	deps      Deps
	operators *Operators
	passkeys  *passkey.Passkeys
	// provider is nil if operators sign in at none.
	provider *identity.Provider
	audit    *audit.Log
	health   *health
}

// register adds the services to a registrar, behind the guard.
func (s *server) register(to grpc.ServiceRegistrar) {
	to = guarded{to, &guard{operators: s.operators, log: s.audit, limiter: s.deps.Limiter, logger: s.deps.Log}}
	adminv1.RegisterOperatorServiceServer(to, operatorServer{server: s})
	adminv1.RegisterPasskeyServiceServer(to, passkeyServer{server: s})
	adminv1.RegisterProviderServiceServer(to, providerServer{server: s})
	adminv1.RegisterAuditServiceServer(to, auditServer{server: s})
	adminv1.RegisterProjectServiceServer(to, projectServer{server: s})
	adminv1.RegisterUserServiceServer(to, userServer{server: s})
	adminv1.RegisterHealthServiceServer(to, healthServer{server: s})
	adminv1.RegisterSettingServiceServer(to, settingServer{server: s})
	adminv1.RegisterCountServiceServer(to, countServer{server: s})
	adminv1.RegisterOrderServiceServer(to, orderServer{server: s})
	adminv1.RegisterNameServiceServer(to, nameServer{server: s})
	adminv1.RegisterBundlerServiceServer(to, bundlerServer{server: s})
	adminv1.RegisterSmartSessionServiceServer(to, smartSessionServer{server: s})
}

// work deletes what has ended, and describes the suite while somebody watches, until ctx ends.
func (s *server) work(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return s.health.watch(ctx) })
	g.Go(func() error {
		tick := time.NewTicker(cleanupInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			if err := errors.Join(s.operators.DeleteExpired(ctx), s.passkeys.DeleteExpired(ctx)); err != nil && ctx.Err() == nil {
				s.deps.Log.WarnContext(ctx, "ended sessions of the console not deleted", "error", err)
			}
		}
	})
	return g.Wait()
}
