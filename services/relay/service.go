package relay

import (
	"context"
	"log/slog"
	"net/http"

	"google.golang.org/grpc"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/relay/endpoint"
	"github.com/hawser-dev/hawser/services/relay/hub"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/method"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/session"
	"github.com/hawser-dev/hawser/services/relay/socket"
)

// Name is the name of the service in -target and peers.
const Name = "relay"

// Deps are the dependencies of the service.
type Deps struct {
	Bus      *bus.Bus
	Projects projectsv1.ProjectsServiceClient
	Clock    clock.Clock
	Log      *slog.Logger
	// Limiter limits callers; if nil, a limiter that counts within this process is used.
	Limiter limit.Limiter
	// Memory bounds the bytes that the process holds for callers; nil is no limit.
	Memory *limit.Memory
}

// New returns the service, which follows the mailboxes from now on. Its Handler serves clients until ctx ends.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	conn, err := deps.Bus.Relaxed()
	if err != nil {
		return run.Service{}, err
	}
	store, err := mailbox.Open(ctx, conn, mailbox.Config{MaxBytes: cfg.StoreBytes, Streams: cfg.Streams, Replicas: deps.Bus.Replicas()})
	if err != nil {
		return run.Service{}, err
	}
	follower, err := store.Follow(ctx)
	if err != nil {
		return run.Service{}, err
	}
	s := newServer(cfg, deps, store)
	forget := func(_ context.Context, e *projectsv1.ProjectChanged) error {
		s.projects.Forget(e.GetId())
		return nil
	}
	options := bus.SubscribeOptions{Missed: func(context.Context) { s.projects.ForgetAll() }}
	if err := bus.Subscribe(ctx, deps.Bus, options, forget); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name:     Name,
		Register: func(grpc.ServiceRegistrar) {},
		Handler:  s.handler,
		Work:     func(ctx context.Context) error { return s.work(ctx, follower) },
		Ready:    store.Ready,
	}, nil
}

// server is the relay of one process.
type server struct {
	cfg      Config
	store    *mailbox.Store
	projects *projectcache.Cache
	quota    *quota.Quota
	receipts *receipt.Receipts
	sockets  *socket.Server
	sessions *session.Sessions
	hub      *hub.Hub
	handler  http.Handler
	// ctx ends when the process is about to exit, after connections were drained.
	ctx  context.Context
	stop context.CancelFunc
}

func newServer(cfg Config, deps Deps, store *mailbox.Store) *server {
	s := &server{cfg: cfg, store: store, hub: hub.New(), projects: projectcache.New(deps.Projects)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.quota = quota.New(cfg.limits(), deps.Limiter, deps.Memory, deps.Clock)
	s.receipts = receipt.New(s.ctx, store, deps.Log)
	s.sockets = socket.NewServer(s.ctx)
	s.sessions = session.New(s.ctx, session.Deps{Store: store, Receipts: s.receipts, Quota: s.quota, Clock: deps.Clock, Log: deps.Log})
	methods := method.New(min(cfg.MessageBytes, store.MaxBody()), method.Deps{Hub: s.hub, Store: store, Receipts: s.receipts, Quota: s.quota, Log: deps.Log})
	s.handler = endpoint.New(s.ctx, endpoint.Config{
		Audiences: cfg.audiences(), TrustForwardedFor: cfg.TrustForwardedFor, LocalPages: cfg.LocalPages, OwnOrigin: origin.Of(cfg.PublicURL),
	}, endpoint.Deps{
		Projects: s.projects, Quota: s.quota, Sockets: s.sockets, Sessions: s.sessions, Hub: s.hub, Methods: methods, Clock: deps.Clock, Log: deps.Log,
	})
	measure(s.sockets.Len, store)
	return s
}

// work delivers messages until ctx ends or a part of it fails, and then closes the connections.
func (s *server) work(ctx context.Context, follower *mailbox.Follower) error {
	defer s.stop()
	g, failed := routine.NewGroup(s.ctx)
	g.Go(func() error { return follower.Run(s.ctx, func(m mailbox.Message) { s.hub.Dispatch(s.ctx, m) }) })
	g.Go(func() error { return s.hub.Run(s.ctx) })
	g.Go(func() error { return s.receipts.Run(s.ctx) })
	g.Go(func() error { return s.sockets.Beat(s.ctx) })
	g.Go(func() error { return s.store.Measure(s.ctx) })
	g.Go(func() error { return s.store.ListTopics(s.ctx) })
	select {
	case <-ctx.Done():
	case <-failed.Done():
	}
	s.sockets.CloseAll(socket.StatusGoingAway, "the relay is going down", s.cfg.Drain)
	s.stop()
	defer s.sessions.Wait()
	defer s.sockets.Wait()
	return g.Wait()
}
