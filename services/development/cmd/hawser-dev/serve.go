package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/development/farcaster"
	"github.com/hawser-dev/hawser/services/development/identity"
	"github.com/hawser-dev/hawser/services/development/inbox"
	"github.com/hawser-dev/hawser/services/development/sandbox"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// bodyLimit bounds the body of a request, in bytes.
	bodyLimit = 16 << 10
	// ioTimeout bounds the time to read a request and to write its response.
	ioTimeout = 30 * time.Second
	// drainTimeout bounds how long requests may take when the process stops.
	drainTimeout = 5 * time.Second
)

// callback is the path of the frame's page to which providers return visitors.
const callback = "/social/callback"

// serve opens the servers and runs them until ctx ends.
func serve(ctx context.Context, c Config, log *slog.Logger) (err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen.HTTP)
	if err != nil {
		return fmt.Errorf("listen.http: %w", err)
	}
	defer func() { _ = listener.Close() }()
	calls, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen.GRPC)
	if err != nil {
		return fmt.Errorf("listen.grpc: %w", err)
	}
	defer func() { _ = calls.Close() }()
	db, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	base := c.publicURL(listener.Addr())
	nodes, checkout, err := c.openSandbox(ctx, base, db, log)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	// The suite reaches the sandbox, and not the nodes.
	offered := newMesh()
	offered.Host(checkout)
	people, err := identity.New(base, strings.TrimSuffix(c.Suite.Frame, "/")+callback, strings.TrimSuffix(c.Suite.Console, "/")+"/oidc", clock.System{})
	if err != nil {
		return err
	}
	app, err := farcaster.New(base, c.Farcaster.Network, clock.System{})
	if err != nil {
		return fmt.Errorf("farcaster.network: %w", err)
	}
	mails, err := inbox.Listen(ctx, c.Listen.SMTP)
	if err != nil {
		return fmt.Errorf("listen.smtp: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle(inbox.Path, mails)
	mux.Handle(inbox.Path+".json", mails)
	mux.Handle(identity.Path, people)
	mux.Handle(farcaster.Path, app)
	mux.Handle("/sandbox/", checkout.Handler)
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		writeReady(w, run.Checks(nodes.Ready, offered.Ready)(r.Context()))
	})

	log.InfoContext(ctx, "up", "public_url", base, "http", listener.Addr().String(), "grpc", calls.Addr().String(), "smtp", mails.Port())
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return serveHTTP(ctx, listener, withHeaders(mux)) })
	g.Go(func() error { return mails.Serve(ctx) })
	g.Go(func() error { return nodes.Serve(ctx, "") })
	g.Go(func() error { return offered.ServeOn(ctx, calls) })
	err = g.Wait()
	log.InfoContext(ctx, "down")
	return err
}

// openStore opens the database, in the data folder by default.
func (c Config) openStore(ctx context.Context) (*store.DB, error) {
	if c.Store.DSN == "" {
		if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
			return nil, fmt.Errorf("data_dir: %w", err)
		}
	}
	return store.Open(ctx, c.dsn())
}

// openSandbox returns the sandbox and the service of the nodes that it calls, in this process.
func (c Config) openSandbox(ctx context.Context, base string, db *store.DB, log *slog.Logger) (*run.Mesh, run.Service, error) {
	nodes := newMesh()
	hosted, err := chains.New(ctx, c.Chains, chains.Deps{Events: noEvents{}, Clock: clock.System{}, Log: log})
	if err != nil {
		return nil, run.Service{}, err
	}
	nodes.Host(hosted)
	conn, err := nodes.Conn(hosted.Name)
	if err != nil {
		return nil, run.Service{}, err
	}
	cfg := c.Sandbox
	cfg.PublicURL, cfg.Gateway = base, strings.TrimSuffix(c.Suite.Gateway, "/")
	checkout, err := sandbox.New(ctx, cfg, sandbox.Deps{Chain: chainclient.New(conn, clock.System{}), DB: db, Clock: clock.System{}, Log: log})
	return nodes, checkout, err
}

func newMesh() *run.Mesh {
	return &run.Mesh{Unary: observe.Unary(store.Fault), Stream: observe.Stream(store.Fault), Drain: drainTimeout}
}

// noEvents has no subscribers.
type noEvents struct{}

// PublishID does nothing.
func (noEvents) PublishID(context.Context, string, proto.Message) error { return nil }

// withHeaders sets the headers of every page, and bounds the bodies of requests.
func withHeaders(h http.Handler) http.Handler {
	return http.MaxBytesHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "same-origin")
		h.ServeHTTP(w, r)
	}), bodyLimit)
}

// writeReady writes whether the process is ready.
func writeReady(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintln(w, err)
		return
	}
	_, _ = io.WriteString(w, "ready\n")
}

// serveHTTP serves h until ctx ends, and then gives requests the time to end.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadTimeout: ioTimeout, WriteTimeout: ioTimeout, MaxHeaderBytes: 64 << 10}
	ended := routine.Go(ctx, func() error { return srv.Serve(l) })
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := srv.Shutdown(drain); err != nil {
		return errors.Join(err, srv.Close())
	}
	<-ended
	return nil
}
