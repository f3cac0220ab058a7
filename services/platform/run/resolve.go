package run

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc/resolver"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// resolveEvery is the shortest time between two lookups of a peer, which failures and lost connections cause.
	resolveEvery = time.Second
	// resolveTimeout bounds a lookup.
	resolveTimeout = 5 * time.Second
	// resolveScheme is the scheme of the targets whose names are looked up.
	resolveScheme = "peer"
)

// names looks up peers by DNS. It looks up again every second until there is an answer, because the name of a peer may appear after this process has
// started; the pauses of gRPC's own resolver grow to two minutes.
type names struct{ dns *net.Resolver }

// Scheme implements resolver.Builder.
func (names) Scheme() string { return resolveScheme }

// Build implements resolver.Builder.
func (n names) Build(target resolver.Target, cc resolver.ClientConn, _ resolver.BuildOptions) (resolver.Resolver, error) {
	host, port, err := net.SplitHostPort(target.Endpoint())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &lookup{names: n, host: host, port: port, cc: cc, again: make(chan struct{}, 1), cancel: cancel}
	l.running.Go(ctx, func() { l.run(ctx) })
	return l, nil
}

// lookup is the resolver of one peer.
type lookup struct {
	names
	host, port string
	cc         resolver.ClientConn
	// again receives a value when the addresses may have changed.
	again   chan struct{}
	cancel  context.CancelFunc
	running routine.WaitGroup
}

// ResolveNow implements resolver.Resolver.
func (l *lookup) ResolveNow(resolver.ResolveNowOptions) {
	select {
	case l.again <- struct{}{}:
	default:
	}
}

// Close implements resolver.Resolver.
func (l *lookup) Close() {
	l.cancel()
	l.running.Wait()
}

func (l *lookup) run(ctx context.Context) {
	for ctx.Err() == nil {
		found := l.update(ctx)
		pause(ctx, resolveEvery)
		if found {
			select {
			case <-ctx.Done():
			case <-l.again:
			}
		}
	}
}

// update looks the peer up once, and reports whether its addresses are known.
func (l *lookup) update(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	hosts, err := l.dns.LookupHost(ctx, l.host)
	if err != nil {
		l.cc.ReportError(err)
		return false
	}
	var state resolver.State
	for _, host := range hosts {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: net.JoinHostPort(host, l.port)})
	}
	return l.cc.UpdateState(state) == nil
}
