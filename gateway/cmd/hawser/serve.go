package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/hawser-dev/hawser/gateway"
	consolepage "github.com/hawser-dev/hawser/gateway/console"
	"github.com/hawser-dev/hawser/gateway/frame"
	"github.com/hawser-dev/hawser/gateway/handoff"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/status"
	"github.com/hawser-dev/hawser/services/relay"
)

const (
	// drainTimeout bounds how long calls may take when the process stops, over HTTP as over gRPC.
	drainTimeout = run.DefaultDrain
	// flushTimeout bounds the export of the last spans.
	flushTimeout = 5 * time.Second
)

// serve is `hawser run`: it hosts the target until ctx ends.
func serve(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	c, err := loadToStart(flags, args)
	if err != nil {
		return err
	}
	telemetry, err := observe.Setup(ctx, c.Log, observe.Process{Target: c.Target, Version: version, Log: os.Stderr, Profiles: c.Listen.Profiles})
	if err != nil {
		return err
	}
	defer flush(ctx, telemetry)
	err = host(ctx, c, telemetry)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		// It was stopped while starting.
		return nil
	}
	return err
}

func flush(ctx context.Context, telemetry *observe.Telemetry) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
	defer cancel()
	if err := telemetry.Shutdown(ctx); err != nil {
		telemetry.Logger.Warn("telemetry not flushed", "error", err)
	}
}

// host opens the services of the target, serves until ctx ends, waits for calls, and closes.
func host(ctx context.Context, c Config, telemetry *observe.Telemetry) (err error) {
	// Ports first: a port in use is the most common mistake, and should be found before anything is changed.
	ports, err := listen(ctx, c)
	if err != nil {
		return err
	}
	defer ports.close()
	if err := c.protect(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g, ctx := routine.NewGroup(ctx)
	started := time.Now()
	var operators later
	g.Go(func() error { return serveHTTP(ctx, ports.metrics, &operators, nil, drainTimeout) })
	s, handler, err := openWithRetries(ctx, c, telemetry.Logger)
	if err != nil {
		cancel()
		return errors.Join(err, g.Wait())
	}
	defer func() { err = errors.Join(err, s.close()) }()

	described := s.describe(started, address(ports.metrics), s.readyUntil(ctx))
	s.mesh.Host(described.Service())
	s.described.Store(described)
	private := http.NewServeMux()
	private.Handle("GET /status", described)
	private.Handle("/", telemetry.Handler(s.readyUntil(ctx), s.acceptingUntil(ctx)))
	operators.set(private)
	if handler != nil {
		g.Go(func() error { return serveHTTP(ctx, ports.gateway, handler, s.connectionMemory(), drainTimeout) })
		if ports.frame != nil {
			g.Go(func() error { return serveHTTP(ctx, ports.frame, handler.Frame, s.connectionMemory(), drainTimeout) })
		}
	}
	if ports.relay != nil {
		l := ports.relay
		if s.mesh.TLS != nil && handler == nil {
			l = tls.NewListener(l, s.mesh.TLS.Server("http/1.1"))
		}
		g.Go(func() error { return serveHTTP(ctx, l, s.relay, nil, drainTimeout) })
		g.Go(func() error { return trimMemory(ctx) })
	}
	if ports.console != nil {
		served, err := s.openConsole(ctx)
		if err != nil {
			cancel()
			return errors.Join(err, g.Wait())
		}
		g.Go(func() error { return serveHTTP(ctx, ports.console, served, nil, drainTimeout) })
	}
	g.Go(func() error { return s.mesh.Serve(ctx, c.Listen.GRPC) })
	g.Go(func() error { return s.checkReadiness(ctx) })
	if handler != nil {
		g.Go(func() error { return newCertificates(telemetry.Logger, c.PublicURL, c.Frame.Origin).watch(ctx) })
	}
	telemetry.Logger.Info("up", "target", c.Target, "version", version, "gateway", address(ports.gateway), "relay", address(ports.relay), "frame", address(ports.frame), "console", address(ports.console), "metrics", address(ports.metrics), "grpc", c.Listen.GRPC)
	err = g.Wait()
	if handler != nil {
		// Its WebSockets end with ctx, so this must not wait in the group, whose first error ends ctx.
		handler.Wait()
	}
	telemetry.Logger.Info("down")
	return err
}

// ports are the listeners of a process; those of what it does not host are nil.
type ports struct{ gateway, frame, relay, console, metrics net.Listener }

func listen(ctx context.Context, c Config) (p ports, err error) {
	for _, wanted := range []struct {
		hosted    bool
		key, addr string
		listener  *net.Listener
	}{
		{c.hosts(targetGateway), "listen.gateway", c.Listen.Gateway, &p.gateway},
		{c.hosts(targetGateway) && c.Listen.Frame != "", "listen.frame", c.Listen.Frame, &p.frame},
		{c.hosts(relay.Name), "listen.relay", c.Listen.Relay, &p.relay},
		{c.hosts(console.Name) && c.Listen.Console != "", "listen.console", c.Listen.Console, &p.console},
		{true, "listen.metrics", c.Listen.Metrics, &p.metrics},
	} {
		if !wanted.hosted {
			continue
		}
		if *wanted.listener, err = listenAt(ctx, wanted.key, wanted.addr); err != nil {
			p.close()
			return ports{}, err
		}
	}
	return p, nil
}

func listenAt(ctx context.Context, key, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s: another process listens on %s", key, addr)
	}
	if err != nil && !isAddress(ctx, addr) {
		return nil, fmt.Errorf("%s: %q is not an address such as :8080 or 127.0.0.1:8080", key, addr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return l, nil
}

func isAddress(ctx context.Context, addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return false
	}
	_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	return err == nil
}

// close ends listening; a listener that a server has closed stays closed.
func (p ports) close() {
	for _, l := range []net.Listener{p.gateway, p.frame, p.relay, p.console, p.metrics} {
		if l != nil {
			_ = l.Close()
		}
	}
}

func address(l net.Listener) string {
	if l == nil {
		return ""
	}
	return l.Addr().String()
}

// receiveBuffer is how much of bodies that are not read yet an HTTP/2 connection keeps, in bytes.
const receiveBuffer = 128 << 10

// serveHTTP answers HTTP/1 and unencrypted HTTP/2, which gRPC needs, until ctx ends, and then gives calls the time drain to end. Connections take their
// part of memory, which is nil for no bound.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler, memory *limit.Memory, drain time.Duration) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	srv := &http.Server{
		Handler:           h,
		Protocols:         protocols,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		HTTP2:             &http.HTTP2Config{MaxReceiveBufferPerConnection: receiveBuffer, MaxReceiveBufferPerStream: receiveBuffer},
		ConnState:         newConnections(memory).changed,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
	}
	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		drained <- srv.Shutdown(ctx)
	})
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	if <-drained != nil {
		return errors.Join(fmt.Errorf("calls that were still open after %s were cut", drain), srv.Close())
	}
	return nil
}

// describe returns the description of this process and of those that it calls, for operators.
func (s *suite) describe(started time.Time, metrics string, ready func(context.Context) error) *status.Source {
	source := &status.Source{
		Target: s.config.Target, Address: metrics, Version: version, Commit: commit, Started: started, Mesh: s.mesh, Bus: s.bus, DB: s.db, Relay: relay.Name,
	}
	if s.config.hosts(targetGateway) {
		source.Gateway = ready
	}
	return source
}

// describeSuite describes this process and those that it calls, without a probe of their nodes.
func (s *suite) describeSuite(ctx context.Context) *statusv1.Suite {
	described := s.described.Load()
	if described == nil {
		// A caller can reach the service only once the process serves.
		return &statusv1.Suite{}
	}
	return described.Suite(ctx, false)
}

// openConsole returns what is served at listen.console.
func (s *suite) openConsole(ctx context.Context) (http.Handler, error) {
	cfg := consolepage.Config{Origin: s.config.Console.Origin, Provider: s.config.Console.OIDC.Title()}
	if s.config.Console.TrustForwardedFor {
		cfg.TrustedHops = 1
	}
	return consolepage.New(ctx, cfg, s.conns[console.Name], consolepage.Files())
}

// openGateway returns the gateway.
func (s *suite) openGateway(ctx context.Context) (*gateway.Gateway, error) {
	cfg := s.config.Gateway
	cfg.PublicURL = s.config.PublicURL
	cfg.LocalPages = s.config.Chains.Dev
	cfg.Frame.Origin = s.config.frameOrigin()
	limiter, err := s.limiter(ctx, targetGateway, cfg.Limits.Callers)
	if err != nil {
		return nil, err
	}
	conns := gateway.Conns{Services: s.conns, Relay: s.relay, RelayAddresses: s.config.Peers[relay.Name]}
	if s.mesh.TLS != nil {
		conns.RelayTLS = s.mesh.TLS.Client()
	}
	g, err := gateway.New(conns, cfg, gateway.Deps{
		Log: s.log, Ready: s.acceptingUntil(ctx), Stopping: ctx, Version: version, Commit: commit, FramePages: frame.Pages(), WalletPage: handoff.Files(), Limiter: limiter, Memory: s.memory,
	})
	if err != nil {
		return nil, err
	}
	return g, errors.Join(s.forgetChangedProjects(ctx, g), s.dropOldAnswers(ctx, g))
}
