package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/hawser-dev/hawser/gateway"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/auth"
	"github.com/hawser-dev/hawser/services/balances"
	"github.com/hawser-dev/hawser/services/bitcoin"
	"github.com/hawser-dev/hawser/services/bundler"
	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/convert"
	"github.com/hawser-dev/hawser/services/directory"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/nfts"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/onramp"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/leases"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/preview"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/relay"
	"github.com/hawser-dev/hawser/services/sandbox"
	"github.com/hawser-dev/hawser/services/sessions"
	"github.com/hawser-dev/hawser/services/updates"
	"github.com/hawser-dev/hawser/services/wallet"
)

// storing are the services that store something in the database.
var storing = []string{projects.Name, analytics.Name, auth.Name, wallet.Name, bundler.Name, sessions.Name, sandbox.Name, onramp.Name, activity.Name, names.Name, nfts.Name}

// suite is what this process hosts, and its connections to other processes.
type suite struct {
	config Config
	log    *slog.Logger
	ready  run.ReadyLog
	mesh   *run.Mesh
	// conns leads to every service that is hosted here or has an address in peers.
	conns map[string]grpc.ClientConnInterface
	// chain is how every service reaches the chains service; its network table is shared.
	chain *chainclient.Client
	bus   *bus.Bus
	// relay is the wallet-connect relay; nil if neither this process nor a peer hosts it.
	relay http.Handler
	// db and outbox are nil if no service that stores anything is hosted.
	db     *store.DB
	outbox *bus.Outbox
	// limiters are those that replicas share.
	limiters []*leases.Limiter
	// memory bounds the bytes that this process holds for callers.
	memory *limit.Memory
	// unobserve ends the metrics of memory.
	unobserve func()
}

// openSuite opens bus and database and creates the hosted services.
func openSuite(ctx context.Context, c Config, log *slog.Logger) (*suite, error) {
	s := &suite{
		config: c,
		log:    log,
		ready:  run.ReadyLog{Log: log},
		conns:  map[string]grpc.ClientConnInterface{},
		memory: limit.ProcessMemory(),
		mesh: &run.Mesh{
			Peers: c.Peers, Resolver: c.resolver,
			Unary:  observe.Unary(store.Fault),
			Stream: observe.Stream(store.Fault),
			DialOptions: []grpc.DialOption{
				grpc.WithUnaryInterceptor(observe.PropagateTrace), grpc.WithStreamInterceptor(observe.PropagateStreamTrace),
			},
		},
	}
	s.unobserve = s.memory.Observe()
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *suite) open(ctx context.Context) (err error) {
	if s.bus, err = bus.Open(ctx, s.config.events()); err != nil {
		return err
	}
	if slices.ContainsFunc(storing, s.config.hosts) {
		if s.db, err = store.OpenPool(ctx, s.config.dsn(), s.config.Store.Connections); err != nil {
			return err
		}
		if s.outbox, err = bus.NewOutbox(ctx, s.db); err != nil {
			return err
		}
		s.mesh.Host(s.publishOutbox())
	}
	makers := map[string]func(context.Context) (run.Service, error){
		serviceChains:  s.makeChains,
		projects.Name:  s.makeProjects,
		analytics.Name: s.makeAnalytics,
		auth.Name:      s.makeAuth,
		wallet.Name:    s.makeWallet,
		bundler.Name:   s.makeBundler,
		sessions.Name:  s.makeSessions,
		directory.Name: s.makeDirectory,
		sandbox.Name:   s.makeSandbox,
		onramp.Name:    s.makeOnramp,
		activity.Name:  s.makeActivity,
		balances.Name:  s.makeBalances,
		names.Name:     s.makeNames,
		nfts.Name:      s.makeNFTs,
		preview.Name:   s.makePreview,
		convert.Name:   s.makeConvert,
		bitcoin.Name:   s.makeBitcoin,
		updates.Name:   s.makeUpdates,
		relay.Name:     s.makeRelay,
	}
	for _, name := range serviceNames {
		if s.config.hosts(name) {
			service, err := makers[name](ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.mesh.Host(service)
			if service.Handler != nil {
				s.relay = service.Handler
			}
		} else if s.config.Peers[name] == "" || name == relay.Name {
			// The relay has no RPCs: the gateway reaches it over HTTP.
			continue
		}
		if s.conns[name], err = s.mesh.Conn(name); err != nil {
			return err
		}
		if name == serviceChains {
			s.chain = chainclient.New(s.conns[name], clock.System{})
		}
	}
	return nil
}

// outboxName is the name of the part that publishes events, which no call waits for.
const outboxName = "outbox"

// publishOutbox publishes the events of every service that is hosted here: they share one outbox, which is a table of the database.
func (s *suite) publishOutbox() run.Service {
	return run.Service{
		Name:     outboxName,
		Register: func(grpc.ServiceRegistrar) {},
		Work:     func(ctx context.Context) error { return s.outbox.Run(ctx, s.bus) },
		Ready:    run.Checks(s.bus.Ready, s.outbox.Ready),
	}
}

// Callers that the limiters of services remember. An IPv6 caller counts as three.
const (
	serviceCallers = 10_000
	// relayCallers is higher because the relay limits every message, and updatesCallers because each of 20,000 watchers may be another caller.
	relayCallers   = 30_000
	updatesCallers = 60_000
)

// limiter returns the limiter of a service, which its replicas share if they use one NATS server. callers bounds the callers that are remembered.
func (s *suite) limiter(ctx context.Context, service string, callers int) (limit.Limiter, error) {
	conn, shared := s.bus.Shared()
	if !shared {
		return limit.NewLocal(clock.System{}, callers), nil
	}
	l, err := leases.New(ctx, conn, clock.System{}, leases.Config{Service: service, Callers: callers, Replicas: s.bus.Replicas()})
	if err != nil {
		return nil, err
	}
	s.limiters = append(s.limiters, l)
	s.mesh.Host(run.Service{Name: "limits of " + service, Register: func(grpc.ServiceRegistrar) {}, Work: l.Run})
	return l, nil
}

func (s *suite) makeChains(ctx context.Context) (run.Service, error) {
	return chains.New(ctx, s.config.Chains, chains.Deps{Events: s.bus, Clock: clock.System{}, Log: s.log, Memory: s.memory})
}

func (s *suite) makeAnalytics(ctx context.Context) (run.Service, error) {
	return analytics.New(ctx, s.config.Analytics, analytics.Deps{DB: s.db, Clock: clock.System{}, Log: s.log})
}

func (s *suite) makeAuth(ctx context.Context) (run.Service, error) {
	return auth.New(ctx, s.config.Auth, auth.Deps{Chain: s.chain, DB: s.db, Clock: clock.System{}, Log: s.log})
}

func (s *suite) makeWallet(ctx context.Context) (run.Service, error) {
	return wallet.New(ctx, s.config.wallet(), wallet.Deps{Chain: s.chain, DB: s.db, Clock: clock.System{}, Log: s.log})
}

// openSealer opens the key encryption key of the installation.
func (s *suite) openSealer(ctx context.Context) (*seal.Sealer, error) {
	return wallet.OpenSealer(ctx, s.config.wallet(), wallet.Deps{DB: s.db, Clock: clock.System{}, Log: s.log})
}

func (s *suite) makeBundler(ctx context.Context) (run.Service, error) {
	return bundler.New(ctx, s.config.Bundler, bundler.Deps{Chain: s.chain, DB: s.db, Sealer: s.openSealer, Clock: clock.System{}, Log: s.log})
}

func (s *suite) makeSessions(ctx context.Context) (run.Service, error) {
	return sessions.New(ctx, s.config.Sessions, sessions.Deps{
		Chain:    s.chain,
		Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
		Bundler:  bundlerv1.NewUserOperationServiceClient(s.conns[bundler.Name]),
		Owners:   walletv1.NewOwnerServiceClient(s.conns[wallet.Name]),
		DB:       s.db,
		Origins:  s.config.origins(),
		DataDir:  s.config.DataDir,
		Sealer:   s.openSealer,
		Clock:    clock.System{},
		Log:      s.log,
	})
}

func (s *suite) makeDirectory(ctx context.Context) (run.Service, error) {
	return directory.New(ctx, s.config.Directory)
}

func (s *suite) makeBalances(ctx context.Context) (run.Service, error) {
	return balances.New(ctx, s.config.Balances, balances.Deps{
		Chain:    s.chain,
		Clock:    clock.System{},
		Log:      s.log,
		Holdings: activityv1.NewHoldingsServiceClient(s.conns[activity.Name]),
		Bus:      s.bus,
	})
}

func (s *suite) makeUpdates(ctx context.Context) (run.Service, error) {
	limiter, err := s.limiter(ctx, updates.Name, updatesCallers)
	if err != nil {
		return run.Service{}, err
	}
	return updates.New(ctx, s.config.Updates, updates.Deps{
		Limiter:  limiter,
		Accounts: balancesv1.NewAccountServiceClient(s.conns[balances.Name]),
		Bus:      s.bus,
		Clock:    clock.System{},
	})
}

func (s *suite) makeRelay(ctx context.Context) (run.Service, error) {
	cfg := s.config.Relay
	cfg.PublicURL = s.config.PublicURL
	cfg.LocalPages = s.config.Chains.Dev
	limiter, err := s.limiter(ctx, relay.Name, relayCallers)
	if err != nil {
		return run.Service{}, err
	}
	return relay.New(ctx, cfg, relay.Deps{
		Limiter:  limiter,
		Memory:   s.memory,
		Bus:      s.bus,
		Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
		Clock:    clock.System{},
		Log:      s.log,
	})
}

func (s *suite) makeOnramp(ctx context.Context) (run.Service, error) {
	cfg := s.config.Onramp
	cfg.PublicURL = s.config.publicURL()
	cfg.LocalPages = s.config.Chains.Dev
	limiter, err := s.limiter(ctx, onramp.Name, serviceCallers)
	if err != nil {
		return run.Service{}, err
	}
	deps := onramp.Deps{
		Limiter:  limiter,
		Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
		DB:       s.db,
		Outbox:   s.outbox,
		Clock:    clock.System{},
		Log:      s.log,
	}
	if conn, on := s.conns[sandbox.Name]; on {
		deps.Sandbox = sandboxv1.NewSellerServiceClient(conn)
	}
	return onramp.New(ctx, cfg, deps)
}

func (s *suite) makeSandbox(ctx context.Context) (run.Service, error) {
	cfg := s.config.Sandbox
	cfg.PublicURL = s.config.publicURL()
	return sandbox.New(ctx, cfg, sandbox.Deps{
		Chain: s.chain,
		Names: namesv1.NewNamesServiceClient(lateConn{s.conns, names.Name}),
		DB:    s.db,
		Clock: clock.System{},
		Log:   s.log,
	})
}

// lateConn is a connection to an optional service that is created after its caller. Calls start after that.
type lateConn struct {
	conns map[string]grpc.ClientConnInterface
	name  string
}

// Invoke fails with Unavailable if the process has no connection to the service.
func (c lateConn) Invoke(ctx context.Context, method string, req, resp any, opts ...grpc.CallOption) error {
	conn, ok := c.conns[c.name]
	if !ok {
		return status.Errorf(codes.Unavailable, "no address for service %q", c.name)
	}
	return conn.Invoke(ctx, method, req, resp, opts...)
}

// NewStream fails as Invoke does.
func (c lateConn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	conn, ok := c.conns[c.name]
	if !ok {
		return nil, status.Errorf(codes.Unavailable, "no address for service %q", c.name)
	}
	return conn.NewStream(ctx, desc, method, opts...)
}

func (s *suite) makeActivity(ctx context.Context) (run.Service, error) {
	lists, err := tokens.Load(s.config.Balances.Tokens, s.chain)
	if err != nil {
		return run.Service{}, err
	}
	limiter, err := s.limiter(ctx, activity.Name, serviceCallers)
	if err != nil {
		return run.Service{}, err
	}
	return activity.New(ctx, s.config.Activity, activity.Deps{
		Limiter:   limiter,
		Memory:    s.memory,
		Lists:     lists,
		Mints:     lists,
		Chain:     s.chain,
		Tracer:    chainsv1.NewNodeServiceClient(s.conns[serviceChains]),
		Purchases: onrampv1.NewPurchaseServiceClient(s.conns[onramp.Name]),
		DB:        s.db,
		Outbox:    s.outbox,
		Bus:       s.bus,
		Clock:     clock.System{},
		Log:       s.log,
	})
}

func (s *suite) makeNames(ctx context.Context) (run.Service, error) {
	cfg := s.config.Names
	cfg.Installation = strings.TrimSuffix(s.config.PublicURL, "/")
	limiter, err := s.limiter(ctx, names.Name, serviceCallers)
	if err != nil {
		return run.Service{}, err
	}
	return names.New(ctx, cfg, names.Deps{
		Limiter:  limiter,
		Chain:    s.chain,
		Pictures: nftsv1.NewPictureServiceClient(s.conns[nfts.Name]),
		DB:       s.db,
		Outbox:   s.outbox,
		Bus:      s.bus,
		Clock:    clock.System{},
		Log:      s.log,
	})
}

func (s *suite) makeNFTs(ctx context.Context) (run.Service, error) {
	return nfts.New(ctx, s.config.NFTs, nfts.Deps{
		Chain:    s.chain,
		Holdings: activityv1.NewHoldingsServiceClient(s.conns[activity.Name]),
		DB:       s.db,
		Memory:   s.memory,
	})
}

func (s *suite) makePreview(context.Context) (run.Service, error) {
	lists, err := tokens.Load(s.config.Balances.Tokens, s.chain)
	if err != nil {
		return run.Service{}, err
	}
	return preview.New(s.config.Preview, preview.Deps{
		Chain: s.chain, Lists: lists, Clock: clock.System{}, Prices: balancesv1.NewBalancesServiceClient(s.conns[balances.Name]),
	}), nil
}

func (s *suite) makeBitcoin(ctx context.Context) (run.Service, error) {
	table, err := chains.LoadNetworks(s.config.Chains)
	if err != nil {
		return run.Service{}, err
	}
	servers := map[string][]string{}
	for _, n := range table {
		if len(n.Esplora) > 0 {
			servers[n.ChainID] = n.Esplora
		}
	}
	if len(servers) == 0 && s.config.Target != targetAll {
		s.log.Warn("no network of Bitcoin is served: name servers of it in chains.nodes of this process, or set chains.public_nodes")
	}
	return bitcoin.New(ctx, bitcoin.Config{Servers: servers}, bitcoin.Deps{Clock: clock.System{}})
}

func (s *suite) makeConvert(ctx context.Context) (run.Service, error) {
	cfg := s.config.Convert
	if cfg.Pools.Snapshots == "" {
		cfg.Pools.Snapshots = filepath.Join(s.config.DataDir, "convert")
	}
	limiter, err := s.limiter(ctx, convert.Name, serviceCallers)
	if err != nil {
		return run.Service{}, err
	}
	return convert.New(ctx, cfg, convert.Deps{
		Limiter: limiter,
		Chain:   s.chain,
		Bus:     s.bus,
		Clock:   clock.System{},
		Log:     s.log,
	})
}

func (s *suite) makeProjects(ctx context.Context) (run.Service, error) {
	return projects.New(ctx, s.config.Projects, projects.Deps{DB: s.db, Outbox: s.outbox, Log: s.log})
}

// forgetChangedProjects removes changed projects from the gateway's cache.
func (s *suite) forgetChangedProjects(ctx context.Context, g *gateway.Gateway) error {
	options := bus.SubscribeOptions{Missed: func(context.Context) { g.ForgetProjects() }}
	return bus.Subscribe(ctx, s.bus, options, func(_ context.Context, e *projectsv1.ProjectChanged) error {
		g.ForgetProject(e.GetId())
		return nil
	})
}

// dropOldAnswers drops what the gateway keeps about a chain at each new block.
func (s *suite) dropOldAnswers(ctx context.Context, g *gateway.Gateway) error {
	options := bus.SubscribeOptions{Missed: func(context.Context) { g.OnHeadsMissed() }}
	return bus.Subscribe(ctx, s.bus, options, func(_ context.Context, head *chainsv1.Head) error {
		g.OnHead(head.GetChainId(), head.GetHash())
		return nil
	})
}

// readyUntil returns the readiness check: every hosted service and every peer is ready, and stop has not ended. It logs each change.
func (s *suite) readyUntil(stop context.Context) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if stop.Err() != nil {
			return errors.New("shutting down")
		}
		checks := []func(context.Context) error{s.mesh.Ready, s.bus.Ready}
		for _, name := range slices.Sorted(maps.Keys(s.conns)) {
			if !s.config.hosts(name) {
				checks = append(checks, func(ctx context.Context) error { return peerReady(ctx, name, s.conns[name]) })
			}
		}
		err := run.Checks(checks...)(ctx)
		if stop.Err() == nil {
			s.ready.Observe(ctx, err)
		}
		return err
	}
}

// acceptingUntil returns the check for traffic: what this process answers from is there, and stop has not ended. Other peers are not part of it, so that
// a new process gets calls while one that it needs for some of them is away. The gateway needs projects for every call.
func (s *suite) acceptingUntil(stop context.Context) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if stop.Err() != nil {
			return errors.New("shutting down")
		}
		var checks []func(context.Context) error
		for _, hosted := range s.mesh.Hosted() {
			if hosted.Ready != nil && hosted.Name != outboxName {
				checks = append(checks, hosted.Ready)
			}
		}
		if s.config.hosts(targetGateway) && !s.config.hosts(projects.Name) {
			checks = append(checks, func(ctx context.Context) error { return peerAnswers(ctx, projects.Name, s.conns[projects.Name]) })
		}
		return run.Checks(checks...)(ctx)
	}
}

// peerAnswers returns nil if a peer answers, ready or not.
func peerAnswers(ctx context.Context, name string, conn grpc.ClientConnInterface) error {
	if _, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readyInterval is the time between two readiness checks of the process itself, which log changes when no orchestrator requests readiness.
const readyInterval = 5 * time.Second

// readyTimeout bounds each of these checks.
const readyTimeout = 2 * time.Second

// checkReadiness checks readiness until ctx ends.
func (s *suite) checkReadiness(ctx context.Context) error {
	ready := s.readyUntil(ctx)
	ticks := time.NewTicker(readyInterval)
	defer ticks.Stop()
	for ctx.Err() == nil {
		checking, cancel := context.WithTimeout(ctx, readyTimeout)
		_ = ready(checking) // it is logged
		cancel()
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
	return nil
}

func peerReady(ctx context.Context, name string, conn grpc.ClientConnInterface) error {
	res, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if res.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		return fmt.Errorf("%s: %s", name, res.GetStatus())
	}
	return nil
}

// close closes everything. The bus comes first, because handlers of events use the rest.
func (s *suite) close() error {
	var errs []error
	s.unobserve()
	for _, l := range s.limiters {
		l.Close()
	}
	if s.bus != nil {
		errs = append(errs, s.bus.Close())
	}
	for _, conn := range s.conns {
		if c, ok := conn.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(errs...)
}
