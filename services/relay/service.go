package relay

import (
	"context"
	"log/slog"
	"net/url"
	"time"

	"google.golang.org/grpc"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/socket"
)

// Name is the name of the service in -target and peers.
const Name = "relay"

// Config is the configuration under `relay`.
type Config struct {
	URLs                []string      `yaml:"urls" doc:"addresses that clients have for this relay, such as wss://relay.example.org, beside public_url; a client's token must name one of them, or the host of its request if neither is set"`
	TrustForwardedFor   bool          `yaml:"trust_forwarded_for" doc:"take a client's address from the last entry of X-Forwarded-For: set it behind exactly one proxy or the gateway of another process"`
	MessageBytes        int64         `yaml:"message_bytes" doc:"longest message, in bytes; the NATS server must take more"`
	StoreBytes          int64         `yaml:"store_bytes" doc:"size of all mailboxes together, in bytes; messages of one network may take a sixteenth of what is free, half of it for an hour at most, those of an IPv6 /56 twice and of a /48 four times as much, those of one project as much as is free"`
	RequestsPerSecond   float64       `yaml:"requests_per_second" doc:"requests of one client address and project, on average; those beyond are answered with error 3001"`
	Burst               int           `yaml:"burst" doc:"requests that one client address and project may send at once"`
	Connections         int           `yaml:"connections" doc:"connections that a process may have; a fifth is for addresses that have few"`
	AddressConnections  int           `yaml:"connections_per_address" doc:"connections that one client address may have at a process; an IPv6 site may have an eighth of all"`
	Topics              int           `yaml:"topics" doc:"subscriptions to topics that all connections of a process may have, counted by eight for each connection; a fifth is for addresses that have few"`
	AddressTopics       int           `yaml:"topics_per_address" doc:"subscriptions that all connections of one client address may have at a process; an IPv6 site may have an eighth of all"`
	Publications        int           `yaml:"publications" doc:"messages that a process stores at once; a fifth is for addresses that store few at the moment, and those beyond are answered with error 3001"`
	AddressPublications int           `yaml:"publications_per_address" doc:"messages of one client address that a process stores at once"`
	ConnectsPerSecond   float64       `yaml:"connects_per_second" doc:"new connections of one client address, on average; those beyond wait up to 10 seconds"`
	ConnectBurst        int           `yaml:"connect_burst" doc:"connections that one client address may open at once"`
	Drain               time.Duration `yaml:"drain" doc:"time over which connections are closed when the process stops"`
	// PublicURL is the base URL of the gateway; empty if none is configured.
	PublicURL string `yaml:"-"`
	// LocalPages allows every project from localhost origins: for development.
	LocalPages bool `yaml:"-"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		MessageBytes: 1 << 20, StoreBytes: 2 << 30,
		// One page of sign-client 2.21.8 sends about 5,000 subscriptions of several topics after an outage of five seconds.
		RequestsPerSecond: 500, Burst: 20_000, ConnectsPerSecond: 50, ConnectBurst: 500,
		// It also opens up to 1,900 connections. A connection takes some 10 KB, a subscription 300 bytes.
		Connections: 16_000, AddressConnections: 2_000, Topics: 160_000, AddressTopics: 20_000,
		// A server of NATS stores 500 to 5,000 messages a second, so an address has about a tenth of it at most while others publish.
		Publications: 512, AddressPublications: 32,
		Drain: 3 * time.Second,
	}
}

// leastMessages is how many of the longest messages the store must have room for.
const leastMessages = 64

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for _, text := range c.URLs {
		if u, err := url.Parse(text); err != nil || u.Host == "" {
			faults = append(faults, config.Faultf("urls", "%q is not a URL such as wss://relay.example.org", text))
		}
	}
	if c.MessageBytes < 64<<10 || c.MessageBytes > 8<<20 {
		faults = append(faults, config.Faultf("message_bytes", "it is not between 64 KiB and 8 MiB"))
	}
	if c.StoreBytes < leastMessages*c.MessageBytes {
		faults = append(faults, config.Faultf("store_bytes", "it is below %d times message_bytes, and one network may store a part of what is free", leastMessages))
	}
	if c.RequestsPerSecond <= 0 || c.Burst < 1 {
		faults = append(faults, config.Faultf("requests_per_second", "it or burst is not above 0"))
	}
	if c.ConnectsPerSecond <= 0 || c.ConnectBurst < 1 {
		faults = append(faults, config.Faultf("connects_per_second", "it or connect_burst is not above 0"))
	}
	for key, n := range map[string]int{"connections": c.Connections, "connections_per_address": c.AddressConnections, "publications": c.Publications, "publications_per_address": c.AddressPublications} {
		if n < 1 {
			faults = append(faults, config.Faultf(key, "it is less than 1"))
		}
	}
	for key, n := range map[string]int{"topics": c.Topics, "topics_per_address": c.AddressTopics} {
		if n < topicBlock {
			faults = append(faults, config.Faultf(key, "it is less than %d", topicBlock))
		}
	}
	if c.Drain < 0 || c.Drain > 15*time.Second {
		faults = append(faults, config.Faultf("drain", "it is not between 0 and 15s"))
	}
	return faults
}

// requests is the rate of requests of one caller.
func (c Config) requests() limit.Rate {
	return limit.Rate{Name: "requests", PerSecond: c.RequestsPerSecond, Burst: float64(c.Burst)}
}

// connections is the share of the connections of a process.
func (c Config) connections() limit.Share {
	return limit.Share{Name: "relay connections", Each: c.AddressConnections, Total: c.Connections}
}

// topics is the share of the subscriptions of a process.
func (c Config) topics() limit.Share {
	return limit.Share{Name: "relay topics", Each: c.AddressTopics, Total: c.Topics}
}

// publications is the share of what a process stores at once.
func (c Config) publications() limit.Share {
	return limit.Share{Name: "relay publications", Each: c.AddressPublications, Total: c.Publications}
}

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
	store, err := mailbox.Open(ctx, conn, mailbox.Config{MaxBytes: cfg.StoreBytes, Replicas: deps.Bus.Replicas()})
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
		Handler:  s.handler(),
		Work:     func(ctx context.Context) error { return s.work(ctx, follower) },
		Ready:    store.Ready,
	}, nil
}

// server is the relay of one process.
type server struct {
	cfg      Config
	log      *slog.Logger
	clock    clock.Clock
	store    *mailbox.Store
	projects *projectcache.Cache
	verifier clientauth.Verifier
	limiter  limit.Limiter
	// local counts connections and topics, which are memory of this process, and publications that are being stored. An IPv6 caller counts as three.
	local   *limit.Local
	memory  *limit.Memory
	sockets *socket.Server
	// readers are the goroutines that read mailboxes for sessions.
	readers routine.WaitGroup
	hub     *hub
	deletes chan uint64
	seen    *seenCache
	metrics *metrics
	// ctx ends when the process is about to exit, after connections were drained.
	ctx  context.Context
	stop context.CancelFunc
}

func newServer(cfg Config, deps Deps, store *mailbox.Store) *server {
	s := &server{
		cfg: cfg, log: deps.Log, clock: deps.Clock, store: store,
		projects: projectcache.New(deps.Projects),
		verifier: clientauth.Verifier{Audiences: cfg.audiences(), Now: deps.Clock.Now},
		limiter:  limit.OrLocal(deps.Limiter, deps.Clock),
		local:    limit.NewLocal(deps.Clock, 3*cfg.Connections),
		memory:   deps.Memory,
		hub:      newHub(),
		deletes:  make(chan uint64, deleteQueue),
		seen:     newSeenCache(),
	}
	s.cfg.MessageBytes = min(cfg.MessageBytes, store.MaxBody())
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.sockets = socket.NewServer(s.ctx)
	s.metrics = newMetrics(s.sockets.Len, store.Used)
	return s
}

// audiences returns the hosts that tokens may name as audience.
func (c Config) audiences() (hosts []string) {
	for _, text := range append([]string{c.PublicURL}, c.URLs...) {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// deleteWorkers is how many deletions of acknowledged messages run at once, and deleteQueue how many may wait.
const (
	deleteWorkers = 16
	deleteQueue   = 8192
	// deleteWait bounds how long publishing waits if deletions are behind.
	deleteWait = 500 * time.Millisecond
)

// work delivers messages until ctx ends or a part of it fails, and then closes the connections.
func (s *server) work(ctx context.Context, follower *mailbox.Follower) error {
	defer s.stop()
	g, failed := routine.NewGroup(s.ctx)
	g.Go(func() error { return follower.Run(s.ctx, s.dispatch) })
	for i := range s.hub.shards {
		g.Go(func() error { return s.deliverAll(s.ctx, &s.hub.shards[i]) })
	}
	g.Go(func() error { return s.sockets.Beat(s.ctx) })
	g.Go(func() error { return s.store.Measure(s.ctx) })
	for range deleteWorkers {
		g.Go(func() error { s.deleteAcknowledged(); return nil })
	}
	select {
	case <-ctx.Done():
	case <-failed.Done():
	}
	s.sockets.CloseAll(socket.StatusGoingAway, "the relay is going down", s.cfg.Drain)
	s.stop()
	defer s.readers.Wait()
	defer s.sockets.Wait()
	return g.Wait()
}

// waitForDeletes waits while deletions are far behind, because otherwise mailboxes would fill with acknowledged
// messages.
func (s *server) waitForDeletes(ctx context.Context) {
	for waited := time.Duration(0); len(s.deletes) > deleteQueue/4 && waited < deleteWait && ctx.Err() == nil; waited += time.Millisecond {
		time.Sleep(time.Millisecond)
	}
}

// deleteAcknowledged deletes messages until the process ends. Messages that it does not delete are delivered again.
func (s *server) deleteAcknowledged() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case sequence := <-s.deletes:
			if err := s.store.Delete(s.ctx, sequence); err != nil && s.ctx.Err() == nil {
				s.log.WarnContext(s.ctx, "relay: an acknowledged message is not deleted", "error", err)
			}
		}
	}
}
