// Package run starts and stops the services a process hosts.
//
// Every part of the suite is a [Service]. A process may host one of them, several, or all: only the way in which
// [Mesh.Conn] reaches a peer differs.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// AnswerLimit is the largest answer of a peer, in bytes: the largest answer of a node, and what encloses it.
const AnswerLimit = 12 << 20

// DefaultDrain is how long calls may take when a process stops.
const DefaultDrain = 20 * time.Second

// streamDrain is how long streams may go on when a process stops. Clients open them again at another replica.
const streamDrain = time.Second

// healthInterval is how often the health that peers see is updated.
const healthInterval = 250 * time.Millisecond

// healthTimeout bounds how long the hosted services may take to report readiness. A service that takes longer is not
// ready.
const healthTimeout = 2 * time.Second

// connectionAge is how long peers use a connection for new calls; after that they resolve the addresses of the replicas
// again.
const connectionAge = time.Minute

// Service is one deployable part of the suite.
type Service struct {
	// Name is the name of the service in -target and in the peers.
	Name string
	// Register adds the service's RPCs to s.
	Register func(s grpc.ServiceRegistrar)
	// Handler serves HTTP beside the RPCs, on a separate listener; nil for none.
	Handler http.Handler
	// Work runs until ctx ends; nil means the service only answers RPCs.
	Work func(ctx context.Context) error
	// Ready returns why the service cannot work yet; nil means that it is ready as soon as it is registered.
	Ready func(ctx context.Context) error
	// Chains describes the nodes that the service uses, and probes them first if probe is set; nil for none.
	Chains func(ctx context.Context, probe bool) []*statusv1.Chain
	// Vendors describes the vendors that are configured; nil for none.
	Vendors func() []*statusv1.Vendor
}

// Mesh connects the services of a suite, in this process and in others.
type Mesh struct {
	// Peers maps a service to the processes that host it, for those not hosted here: one host:port, several with commas between them, or a name
	// that DNS answers with the address of every replica.
	Peers map[string]string
	// Resolver looks up the names in Peers; nil for net.DefaultResolver.
	Resolver *net.Resolver
	// Unary wraps every call that a service hosted here answers, from this process or another.
	Unary grpc.UnaryServerInterceptor
	// Stream wraps every stream in the same way.
	Stream grpc.StreamServerInterceptor
	// Drain is how long calls of peers may take when the process stops; 0 is [DefaultDrain].
	Drain time.Duration
	// TLS is the identity by which this process and its peers know each other; nil for connections without TLS.
	TLS *peertls.Identity
	// DialOptions apply to connections to peers.
	DialOptions []grpc.DialOption

	hosted []Service
	local  Local
}

// Host adds services that this process hosts. Call it before [Mesh.Conn] and [Mesh.Serve].
func (m *Mesh) Host(services ...Service) {
	m.hosted = append(m.hosted, services...)
	for _, s := range services {
		s.Register(&m.local)
	}
	m.local.Unary, m.local.Stream = m.Unary, m.Stream
}

// Conn returns a connection to the named service: a call in memory when this process hosts it, gRPC over TCP otherwise.
func (m *Mesh) Conn(name string) (grpc.ClientConnInterface, error) {
	if slices.ContainsFunc(m.hosted, func(s Service) bool { return s.Name == name }) {
		return &m.local, nil
	}
	addr, ok := m.Peers[name]
	if !ok {
		return nil, fmt.Errorf("no address for service %q: add it to peers", name)
	}
	return m.dial(name, addr, m.credentials())
}

// Serve runs the hosted services until ctx ends or one of them fails. A non-empty addr also exposes them over TCP.
func (m *Mesh) Serve(ctx context.Context, addr string) error {
	if addr == "" {
		return m.ServeOn(ctx, nil)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	return m.ServeOn(ctx, l)
}

// ServeOn does what Serve does, on a listener that it closes; nil for none.
func (m *Mesh) ServeOn(ctx context.Context, l net.Listener) error {
	g, ctx := routine.NewGroup(ctx)
	if len(m.hosted) > 0 {
		g.Go(func() error { return m.local.ServeStreams(ctx) })
	}
	for _, s := range m.hosted {
		if s.Work != nil {
			g.Go(func() error { return named(s.Name, ignoreCanceled(s.Work(ctx))) })
		}
	}
	if l != nil {
		g.Go(func() error { return m.serveTCP(ctx, l) })
	}
	return g.Wait()
}

func (m *Mesh) serveTCP(ctx context.Context, l net.Listener) error {
	streams, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	srv := grpc.NewServer(grpc.Creds(m.serverCredentials()), grpc.UnaryInterceptor(m.Unary), grpc.StreamInterceptor(endWith(streams, m.Stream)),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: keepaliveTime / 2, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 2 * keepaliveTime, Timeout: keepaliveTimeout, MaxConnectionAge: connectionAge}))
	alive := health.NewServer()
	alive.SetServingStatus("", healthpb.HealthCheckResponse_NOT_SERVING)
	alive.SetServingStatus(balanced, healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(srv, alive)
	reflection.Register(srv)
	for _, s := range m.hosted {
		s.Register(srv)
	}
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { m.updateHealth(ctx, alive); return nil })
	g.Go(func() error {
		<-ctx.Done()
		alive.Shutdown()
		// Calls end by themselves; streams do not.
		defer time.AfterFunc(streamDrain, endStreams).Stop()
		defer time.AfterFunc(cmp.Or(m.Drain, DefaultDrain), srv.Stop).Stop()
		srv.GracefulStop()
		return nil
	})
	g.Go(func() error {
		// The server may have been stopped before it served.
		if err := srv.Serve(l); !errors.Is(err, grpc.ErrServerStopped) {
			return err
		}
		return nil
	})
	return g.Wait()
}

// endWith returns an interceptor of streams that ends each of them with ctx, around another one, which may be nil.
func endWith(ctx context.Context, inner grpc.StreamServerInterceptor) grpc.StreamServerInterceptor {
	return func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
		streaming, cancel := context.WithCancel(ss.Context())
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		ss = endingStream{ss, streaming}
		var err error
		if inner == nil {
			err = handle(srv, ss)
		} else {
			err = inner(srv, ss, info, handle)
		}
		if err != nil && ctx.Err() != nil {
			return status.Error(codes.Unavailable, "the process is going down")
		}
		return err
	}
}

// endingStream is a stream with a context of its own.
type endingStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context implements grpc.ServerStream.
func (s endingStream) Context() context.Context { return s.ctx }

// updateHealth sets the health that peers see to that of the hosted services.
func (m *Mesh) updateHealth(ctx context.Context, alive *health.Server) {
	for ctx.Err() == nil {
		said := healthpb.HealthCheckResponse_SERVING
		if m.readyWithin(ctx, healthTimeout) != nil {
			said = healthpb.HealthCheckResponse_NOT_SERVING
		}
		alive.SetServingStatus("", said)
		select {
		case <-ctx.Done():
		case <-time.After(healthInterval):
		}
	}
}

func (m *Mesh) readyWithin(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return m.Ready(ctx)
}

// Hosted lists the services that this process hosts.
func (m *Mesh) Hosted() []Service { return slices.Clone(m.hosted) }

// Ready joins the readiness errors of every hosted service.
func (m *Mesh) Ready(ctx context.Context) error {
	var checks []func(context.Context) error
	for _, s := range m.hosted {
		if s.Ready != nil {
			checks = append(checks, func(ctx context.Context) error { return named(s.Name, s.Ready(ctx)) })
		}
	}
	return Checks(checks...)(ctx)
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func ignoreCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
