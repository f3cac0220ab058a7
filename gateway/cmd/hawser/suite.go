package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/hawser-dev/hawser/gateway"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/leases"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/status"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/relay"
	"github.com/hawser-dev/hawser/services/wallet"
)

// suite is what this process hosts, and its connections to other processes.
type suite struct {
	config Config
	log    *slog.Logger
	ready  run.ReadyLog
	mesh   *run.Mesh
	// conns leads to every service that is hosted here or has an address in peers.
	conns map[string]grpc.ClientConnInterface
	// vendors are connections to processes that are no part of the suite.
	vendors []io.Closer
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
	// unobserve end the metrics of memory, of limiters and of the database.
	unobserve []func()
	// described describes this process and those that it calls, once it serves.
	described atomic.Pointer[status.Source]
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
	s.unobserve = append(s.unobserve, s.memory.Observe())
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *suite) open(ctx context.Context) (err error) {
	if s.config.TLS.Enabled() {
		if s.mesh.TLS, err = peertls.New(s.config.TLS, clock.System{}); err != nil {
			return fmt.Errorf("tls: %w", err)
		}
	}
	if s.bus, err = bus.Open(ctx, s.config.events()); err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	if slices.ContainsFunc(services, func(made service) bool { return made.stores && s.config.hosts(made.name) }) {
		if file, isNew := s.config.databaseFile(); isNew {
			s.log.InfoContext(ctx, "there is no database yet, a new one is made", "file", file)
		}
		if s.db, err = store.OpenPool(ctx, s.config.dsn(), s.config.Store.Connections); err != nil {
			return fmt.Errorf("database: %w", err)
		}
		s.unobserve = append(s.unobserve, s.db.Observe())
		if s.outbox, err = bus.NewOutbox(ctx, s.db); err != nil {
			return fmt.Errorf("outbox: %w", err)
		}
		s.mesh.Host(s.publishOutbox())
	}
	for _, made := range services {
		name := made.name
		if s.config.hosts(name) {
			service, err := made.make(ctx, s)
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
			return fmt.Errorf("%s: %w", name, err)
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

// cacheConnections is how many connections to PostgreSQL the database of final results has beside those of services, which must not wait for it.
const cacheConnections = 6

// openCache opens the database of final results.
func (s *suite) openCache(ctx context.Context) (*store.DB, error) {
	return store.OpenPool(ctx, s.config.cacheDSN(), cacheConnections)
}

// dial connects to a process that is no part of the suite, whose readiness is not that of the suite.
func (s *suite) dial(name, address string) (grpc.ClientConnInterface, error) {
	conn, err := s.mesh.Dial(name, address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.vendors = append(s.vendors, conn)
	return conn, nil
}

// limiter returns the limiter of a service, which its replicas share if they use one NATS server. callers bounds the callers that have accounts.
func (s *suite) limiter(ctx context.Context, service string, callers int) (limit.Limiter, error) {
	conn, shared := s.bus.Shared()
	if !shared {
		l := limit.NewLocal(clock.System{}, callers)
		s.unobserve = append(s.unobserve, l.Observe(service))
		return l, nil
	}
	l, err := leases.New(ctx, conn, clock.System{}, leases.Config{Service: service, Callers: callers, Replicas: s.bus.Replicas()})
	if err != nil {
		return nil, err
	}
	s.limiters = append(s.limiters, l)
	s.mesh.Host(run.Service{Name: "limits of " + service, Register: func(grpc.ServiceRegistrar) {}, Work: l.Run})
	return l, nil
}

// openSealer opens the key encryption key of the installation.
func (s *suite) openSealer(ctx context.Context) (*seal.Sealer, error) {
	return wallet.OpenSealer(ctx, s.config.wallet(), wallet.Deps{DB: s.db, Clock: clock.System{}, Log: s.log})
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
	for _, stop := range s.unobserve {
		stop()
	}
	for _, l := range s.limiters {
		l.Close()
	}
	if s.bus != nil {
		errs = append(errs, s.bus.Close())
	}
	for _, conn := range s.vendors {
		errs = append(errs, conn.Close())
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
