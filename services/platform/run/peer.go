package run

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/health" // lets connections heed healthCheckConfig
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Detection of dead connections: after keepaliveTime without a byte a ping is sent, and without an answer within keepaliveTimeout the
// connection is closed. Servers permit pings twice as often.
const (
	keepaliveTime    = 10 * time.Second
	keepaliveTimeout = 5 * time.Second
)

// Earlier detection of a hanging replica if there is another: while a call takes longer than probeAfter, the health of its replica is
// requested repeatedly. A replica that does not answer within probeTimeout gets no calls for avoidFor, until keepalive has closed its
// connection.
const (
	probeAfter   = 2 * time.Second
	probeTimeout = time.Second
	avoidFor     = keepaliveTime + keepaliveTimeout
)

// attempts bounds the attempts of a read-only call whose connection is lost, and attemptPause is the pause before each. sendings bounds those that
// reached a replica: the call itself may be what ends replicas.
const (
	attempts     = 3
	sendings     = 2
	attemptPause = 50 * time.Millisecond
)

// balanced is the name in the health service for load balancing: SERVING from the start until the process stops. The
// empty name reports readiness; a process without its database is not ready, but can still answer some calls.
const balanced = "hawser.balanced"

// serviceConfig makes gRPC spread calls over every address of a peer that is [balanced].
const serviceConfig = `{"loadBalancingConfig": [{"` + balancerName + `": {}}], "healthCheckConfig": {"serviceName": "` + balanced + `"}}`

// methodCheck is the health service's procedure.
const methodCheck = healthpb.Health_Check_FullMethodName

// peer is the connection to the replicas of a service in other processes.
type peer struct {
	name string

	mu sync.Mutex
	// avoided holds the time until which a replica gets no calls if there is another.
	avoided map[balancer.SubConn]time.Time
}

// Dial connects without TLS to the replicas at addresses of a process that is no part of the suite.
func (m *Mesh) Dial(name, addresses string) (*grpc.ClientConn, error) {
	return m.dial(name, addresses, insecure.NewCredentials())
}

// dial connects to the replicas at addresses: a comma-separated list of host:port, or one name that DNS answers with every replica.
func (m *Mesh) dial(name, addresses string, by credentials.TransportCredentials) (*grpc.ClientConn, error) {
	p := &peer{name: name, avoided: map[balancer.SubConn]time.Time{}}
	options := append([]grpc.DialOption{
		grpc.WithTransportCredentials(by),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(AnswerLimit)),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout, PermitWithoutStream: true}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second},
			MinConnectTimeout: keepaliveTimeout,
		}),
		grpc.WithChainUnaryInterceptor(p.unary),
		grpc.WithChainStreamInterceptor(p.stream),
	}, m.DialOptions...)
	list := strings.Split(addresses, ",")
	if len(list) == 1 {
		dns := m.Resolver
		if dns == nil {
			dns = net.DefaultResolver
		}
		return grpc.NewClient(resolveScheme+":///"+addresses, append(options, grpc.WithResolvers(names{dns}))...)
	}
	several := manual.NewBuilderWithScheme("replicas")
	var state resolver.State
	for _, address := range list {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: strings.TrimSpace(address)})
	}
	several.InitialState(state)
	return grpc.NewClient("replicas:///"+name, append(options, grpc.WithResolvers(several))...)
}

// DialReplica connects to one process of the suite at host:port.
func (m *Mesh) DialReplica(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(m.credentials()))
}

// credentials returns what connections to processes of the suite use.
func (m *Mesh) credentials() credentials.TransportCredentials {
	if m.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(m.TLS.Client())
}

// serverCredentials returns what connections of processes of the suite have to use.
func (m *Mesh) serverCredentials() credentials.TransportCredentials {
	if m.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(m.TLS.Server("h2"))
}

// Repeatable reports whether a call may be repeated if it is not known whether the first attempt arrived. That is true
// for procedures whose name begins with a verb that changes nothing, unless they carry a proof that is accepted once,
// and for calls to a node, which accepts a signed transaction once.
func Repeatable(ctx context.Context, method string, req any) bool {
	_, procedure, _ := strings.Cut(strings.TrimPrefix(method, "/"), "/")
	if procedure == "Forward" || method == methodCheck {
		return true
	}
	for _, verb := range []string{"Answer", "Build", "Get", "List", "Resolve", "Show", "Suggest"} {
		if rest, ok := strings.CutPrefix(procedure, verb); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return !isProven(ctx, req)
		}
	}
	return false
}

// isProven reports whether a call carries a proof that is accepted once: of a device in the metadata, or in a field of the request that has the
// option hawser.options.v1.once. A second attempt is refused if the first one arrived.
func isProven(ctx context.Context, req any) bool {
	if caller.FromOutgoing(ctx).Device.Proof != "" {
		return true
	}
	m, ok := req.(proto.Message)
	if !ok {
		return false
	}
	message := m.ProtoReflect()
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if once, _ := proto.GetExtension(field.Options(), optionsv1.E_Once).(bool); once && message.Has(field) {
			return true
		}
	}
	return false
}

// stream opens a stream at a replica that is not avoided.
func (p *peer) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return open(context.WithValue(ctx, choiceKey{}, &choice{peer: p}), desc, cc, method, opts...)
}

// unary makes a call. If the call may be repeated and its replica is lost, it is made again at another replica.
func (p *peer) unary(ctx context.Context, method string, req, resp any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if _, probing := ctx.Value(choiceKey{}).(*choice); probing {
		return invoke(ctx, method, req, resp, cc, opts...)
	}
	if !Repeatable(ctx, method, req) {
		return invoke(context.WithValue(ctx, choiceKey{}, &choice{peer: p}), method, req, resp, cc, opts...)
	}
	sent := 0
	for attempt := 1; ; attempt++ {
		c := &choice{peer: p}
		err := p.attempt(ctx, cc, c, method, func(ctx context.Context) error { return invoke(ctx, method, req, resp, cc, opts...) })
		if replica, _ := c.chosen(); replica != nil {
			sent++
		}
		if !isLost(err) || attempt == attempts || sent == sendings {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rand.N(attemptPause)):
		}
	}
}

// errHangs is the cause of cancelling an attempt at a replica that hangs.
var errHangs = errors.New("the replica hangs")

// attempt makes the call once, and cancels it if its replica hangs and there is another.
func (p *peer) attempt(ctx context.Context, cc *grpc.ClientConn, c *choice, method string, call func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	after := probeAfter
	if method == methodCheck {
		after = probeTimeout / 2
	}
	watch := time.AfterFunc(after, func() {
		_ = routine.Call(ctx, func() error {
			for ctx.Err() == nil {
				if (method == methodCheck || p.hangs(ctx, cc, c)) && p.avoid(c) {
					cancel(errHangs)
					return nil
				}
				pause(ctx, probeAfter)
			}
			return nil
		})
	})
	defer watch.Stop()
	err := call(context.WithValue(ctx, choiceKey{}, c))
	if err != nil && errors.Is(context.Cause(ctx), errHangs) {
		return status.Error(codes.Unavailable, errHangs.Error())
	}
	return err
}

// hangs requests the health of a call's replica on the same connection.
func (p *peer) hangs(ctx context.Context, cc *grpc.ClientConn, c *choice) bool {
	replica, others := c.chosen()
	if replica == nil || others == 0 {
		return false
	}
	probing, cancel := context.WithTimeout(context.WithValue(ctx, choiceKey{}, &choice{peer: p, only: replica}), probeTimeout)
	defer cancel()
	_, err := healthpb.NewHealthClient(cc).Check(probing, &healthpb.HealthCheckRequest{Service: balanced})
	return ctx.Err() == nil && status.Code(err) == codes.DeadlineExceeded
}

// avoid sends no calls to the replica of c for a while, if there is another.
func (p *peer) avoid(c *choice) bool {
	replica, others := c.chosen()
	if replica == nil || others == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for sc, until := range p.avoided {
		if now.After(until) {
			delete(p.avoided, sc)
		}
	}
	if _, known := p.avoided[replica]; !known {
		slog.Warn("a replica hangs", "service", p.name)
	}
	p.avoided[replica] = now.Add(avoidFor)
	return true
}

// avoids reports whether a replica gets no calls now.
func (p *peer) avoids(replica balancer.SubConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	until, ok := p.avoided[replica]
	return ok && time.Now().Before(until)
}

// isLost reports whether err comes from the transport: a service of the suite that is unavailable gives a reason.
func isLost(err error) bool {
	st, ok := status.FromError(err)
	return ok && st.Code() == codes.Unavailable && len(st.Details()) == 0
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
