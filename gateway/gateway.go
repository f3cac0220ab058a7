// Package gateway serves the whole suite on one port: REST for clients of AppKit's API, Connect and gRPC-Web for pages, gRPC, and JSON-RPC to
// the chains. It forwards over gRPC connections and imports no service.
package gateway

import (
	"context"
	"crypto/tls"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/rs/cors"
	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/frame"
	"github.com/hawser-dev/hawser/gateway/handoff"
	"github.com/hawser-dev/hawser/gateway/jsonrpc"
	"github.com/hawser-dev/hawser/gateway/marks"
	"github.com/hawser-dev/hawser/gateway/rest"
	"github.com/hawser-dev/hawser/gateway/rpc"
	"github.com/hawser-dev/hawser/gateway/socket"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

const (
	// authPath is the path of sign-in.
	authPath = "/auth/v1/"
	// listLifetime is how long callers may keep the lists of networks, features and wallets.
	listLifetime = time.Minute
)

// Conns are the connections to the services.
type Conns struct {
	// Services are connections by the name of their service, such as names for the protos of hawser.names.v1. The RPCs of a service that is not there are not served.
	Services map[string]grpc.ClientConnInterface
	// Relay is the wallet-connect relay of this process. It is nil if another process hosts it, at RelayAddresses: host:port of each replica,
	// with commas between them. Both may be missing.
	Relay          http.Handler
	RelayAddresses string
	// RelayTLS is the configuration of connections to RelayAddresses; nil for connections without TLS.
	RelayTLS *tls.Config
}

// Config is the gateway's part of the configuration.
type Config struct {
	// TrustForwardedFor takes a caller's address from X-Forwarded-For, and whether it came by https from X-Forwarded-Proto: set it behind a proxy.
	TrustForwardedFor bool `yaml:"trust_forwarded_for" doc:"take a caller's address from X-Forwarded-For, and whether it came by https from X-Forwarded-Proto: set it behind a proxy"`
	// TrustedHops is how many proxies are in front, of which each adds an entry.
	TrustedHops int `yaml:"trusted_hops" doc:"proxies in front, each of which adds an entry to X-Forwarded-For: with trust_forwarded_for, a caller's address is as many entries from the end; 2 behind the load balancer of GKE, or behind a CDN and an ingress"`
	// PublicURL is the base URL of the gateway in its responses; when empty it is derived from each request.
	PublicURL string `yaml:"-"`
	// RequestTimeout bounds one request, except streams.
	RequestTimeout time.Duration `yaml:"request_timeout" doc:"longest time that one call may take, from end to end"`
	// BodyTimeout bounds the time to receive a request body.
	BodyTimeout time.Duration `yaml:"body_timeout" doc:"longest time to receive the body of a request; at most request_timeout"`
	// Limits are the rate limits and quotas of one caller.
	Limits access.Limits `yaml:"limits"`
	// LocalPages allows every project from localhost origins: for development.
	LocalPages bool `yaml:"-"`
	// Frame is the part of the embedded wallet's pages; an empty origin turns them off.
	Frame frame.Config `yaml:"-"`
}

// DefaultConfig returns the configuration of a gateway without settings.
func DefaultConfig() Config {
	return Config{TrustedHops: 1, RequestTimeout: 30 * time.Second, BodyTimeout: 15 * time.Second, Limits: access.DefaultLimits()}
}

// Check reports timeouts that are too short.
func (c Config) Check() (faults []config.Fault) {
	if c.TrustedHops < 1 {
		faults = append(faults, config.Faultf("trusted_hops", "it is less than 1: turn trust_forwarded_for off instead"))
	}
	if c.RequestTimeout <= 0 {
		faults = append(faults, config.Faultf("request_timeout", "it is not above 0"))
	}
	if c.BodyTimeout <= 0 || c.BodyTimeout > c.RequestTimeout {
		faults = append(faults, config.Faultf("body_timeout", "it is not between 0 and request_timeout"))
	}
	return faults
}

// trustedHops returns how many proxies in front are trusted.
func (c Config) trustedHops() int {
	if !c.TrustForwardedFor {
		return 0
	}
	return max(1, c.TrustedHops)
}

// publicURL returns how the public URL of the gateway is found.
func (c Config) publicURL() access.PublicURL {
	return access.PublicURL{Base: c.PublicURL, TrustForwarded: c.TrustForwardedFor}
}

// Deps are the dependencies of the gateway beside its connections.
type Deps struct {
	Log *slog.Logger
	// Ready returns why the gateway cannot answer calls, or nil. The gateway does not pass the reason on to callers, and does not log it.
	Ready func(ctx context.Context) error
	// Stopping is done when the process begins to shut down: streams end, while unary calls may finish.
	Stopping context.Context
	// Version and Commit are printed by /health.
	Version, Commit string
	// Limiter limits callers; nil is one that counts within this process.
	Limiter limit.Limiter
	// Memory bounds the bytes that the process holds for callers; nil is no limit.
	Memory *limit.Memory
	// FramePages are the built pages of the embedded wallet.
	FramePages fs.FS
	// WalletPage is the built wallet page of hand-offs; nil for none.
	WalletPage fs.FS
}

// Gateway is an HTTP handler for every protocol, with its caches and open connections.
type Gateway struct {
	http.Handler
	// Frame serves the pages of the embedded wallet at their own origin, with the calls that they make. It is nil if Config.Frame is off.
	Frame    http.Handler
	projects *projectcache.Cache
	answers  *rest.AnswerCache
	sockets  *socket.Server
	// proxy is nil unless the relay is in another process.
	proxy *socket.RelayProxy
}

// New returns the gateway. Its Handler serves every protocol on one port.
func New(c Conns, cfg Config, deps Deps) (*Gateway, error) {
	set, err := marks.Load()
	if err != nil {
		return nil, err
	}
	calls := map[string]grpc.ClientConnInterface{}
	for name, cc := range c.Services {
		calls[name] = access.Metered(rest.WithPolicies(cc))
	}
	// The gateway answers these calls itself.
	calls[featuresName] = newFeatures(calls, cfg)
	routes := rest.New(set.Fill)
	if err := rest.Register(routes, calls); err != nil {
		return nil, err
	}
	if deps.Limiter == nil {
		deps.Limiter = limit.NewLocal(clock.System{}, cfg.Limits.Callers)
	}
	book := projectcache.New(projectsv1.NewProjectsServiceClient(c.Services["projects"]))
	guard := &access.Guard{
		Projects: book, Limiter: deps.Limiter, Limits: cfg.Limits, Memory: deps.Memory,
		TrustedHops: cfg.trustedHops(), LocalPages: cfg.LocalPages, OwnOrigin: origin.Of(cfg.PublicURL),
	}
	g := &Gateway{projects: book, answers: rest.NewAnswerCache(), sockets: socket.New(deps.Stopping, calls["chains"], guard)}
	h := &handlers{
		conns: c, calls: calls, cfg: cfg, deps: deps, guard: guard, refusals: access.NewRefusals(book, deps.Log), marks: set, answers: g.answers, sockets: g.sockets,
		nodes:          guard.Wrap(rest.WithoutProvider(jsonrpc.Nodes(chainsv1.NewNodeServiceClient(calls["chains"])))),
		userOperations: guard.Wrap(jsonrpc.Bundler(bundlerv1.NewUserOperationServiceClient(calls["bundler"]))),
	}
	if g.Handler, err = h.gateway(routes); err != nil {
		return nil, err
	}
	g.proxy = h.proxy
	if cfg.Frame.Origin != "" {
		g.Frame, err = h.wallet()
	}
	return g, err
}

// handlers makes the handlers of the gateway's origin and of the embedded wallet's.
type handlers struct {
	conns Conns
	// calls are the connections with which calls of callers are made.
	calls map[string]grpc.ClientConnInterface
	cfg   Config
	deps  Deps
	guard *access.Guard
	// refusals counts what both origins refuse.
	refusals *access.Refusals
	marks    *marks.Set
	answers  *rest.AnswerCache
	sockets  *socket.Server
	// proxy is nil unless the relay is in another process.
	proxy *socket.RelayProxy
	// nodes serves JSON-RPC of chains, and userOperations that of bundlers.
	nodes, userOperations http.Handler
}

// gateway returns the handler of the gateway's origin.
func (h *handlers) gateway(routes http.Handler) (http.Handler, error) {
	mux, all := http.NewServeMux(), http.NewServeMux()
	h.open(mux, routes)
	h.rest(mux, routes)
	if err := h.walletPage(mux); err != nil {
		return nil, err
	}
	if err := h.serve(&rpc.Server{Mux: mux, Streams: all}); err != nil {
		return nil, err
	}
	if relay := h.relay(); relay != nil {
		// The relay authorizes and limits its clients itself: a connection that is refused here would be tried again at once.
		all.Handle("GET "+socket.RelayPath, relay)
		all.Handle("GET "+socket.RelayPath+"/{$}", relay)
	}
	// Streams have no deadline.
	all.Handle("/", h.sockets.Wrap(access.Bounded(mux, h.cfg.RequestTimeout)))
	return access.WithBodyDeadline(h.deps.Stopping, withMiddleware(h.refusals, h.cfg.publicURL().Wrap(all), h.cfg), h.cfg.BodyTimeout), nil
}

// open adds the paths without a project.
func (h *handlers) open(mux *http.ServeMux, routes http.Handler) {
	mux.Handle("GET /health", h.guard.WrapOpen(health(h.deps)))
	mux.Handle("GET /openapi.json", h.guard.WrapOpen(rest.OpenAPI()))
	mux.Handle("GET /docs", h.guard.WrapOpen(rest.Docs()))
	mux.Handle("GET /{$}", h.guard.WrapOpen(http.RedirectHandler("/docs", http.StatusFound)))
	for _, path := range []string{"/v1/supported-chains", "/v1/features", "/v1/networks"} {
		mux.Handle(path, h.guard.WrapOpen(rest.Cacheable(listLifetime, routes)))
	}
	mux.Handle("/wallet/v1/keys", h.guard.WrapOpen(routes))
	mux.Handle("POST /v1/handoffs/{id}/claim", h.guard.WrapOpen(access.WithBody(routes)))
	mux.Handle(marks.AssetsPath, h.marks.Assets())
	mux.Handle("GET "+marks.WalletImagePath, h.marks.WalletImages())
	mux.Handle("POST /v1/onramp/webhooks/{provider}", h.guard.WrapOpen(rest.Webhook(onrampv1.NewWebhookServiceClient(h.calls["onramp"]))))
	mux.Handle("/", h.guard.WrapOpen(access.NotFound()))
}

// walletPage adds the page that hand-offs open in the browser of a wallet.
func (h *handlers) walletPage(mux *http.ServeMux) error {
	if h.calls["handoff"] == nil || h.deps.WalletPage == nil {
		return nil
	}
	page, err := handoff.New(h.guard, h.deps.WalletPage)
	if err != nil {
		return err
	}
	page.Routes(mux)
	return nil
}

// rest adds REST and JSON-RPC, whose callers have a project, or may have one.
func (h *handlers) rest(mux *http.ServeMux, routes http.Handler) {
	guard := h.guard
	mux.Handle("/v1/{$}", h.nodes)
	mux.Handle("/v1", h.nodes)
	mux.Handle("/v1/bundler", h.userOperations)
	methods := jsonrpc.WalletMethods(guard, h.marks.Fill, balancesv1.NewBalancesServiceClient(h.calls["balances"]), sessionsv1.NewSessionCallsServiceClient(h.calls["sessions"]))
	mux.Handle("/v1/wallet", methods)
	mux.Handle("/v1/json-rpc", methods)
	mux.Handle("/v1/profile/", guard.WrapOptional(rest.EmptyWhereAbsent(routes)))
	mux.Handle("/v1/ens", guard.WrapOptional(routes))
	mux.Handle("/v1/ens/", guard.WrapOptional(routes))
	identity := guard.WrapREST(rest.WithoutUseCache(rest.WithMaxAge(routes)))
	mux.Handle("/v1/identity/", identity)
	mux.Handle("/v1/account/{address}/identity", identity)
	mux.Handle("/v1/identity/{address}/avatar", rest.Harmless(guard.WrapREST(rest.WithMaxAge(routes))))
	mux.Handle("/v1/nft-media/", rest.Harmless(guard.WrapREST(rest.WithMaxAge(routes))))
	mux.Handle(authPath, guard.WrapREST(access.WithTokens(routes)))
	mux.Handle("/getWallets", guard.Wrap(rest.Cacheable(listLifetime, routes)))
	mux.Handle("POST /v1/sessions/{account}", guard.WrapREST(rest.WithKeyForm(routes)))
	mux.Handle("/v1/simulate", guard.WrapREST(routes))
	mux.Handle("/v1/", guard.WrapREST(h.answers.Wrap(routes)))
}

// serve adds the procedures of all services.
func (h *handlers) serve(at *rpc.Server) error {
	at.Guard, at.Fill, at.Answers, at.Stopping = h.guard, h.marks.Fill, h.answers, h.deps.Stopping
	for name, cc := range h.calls {
		if err := at.Serve(name, rpc.Conns{Calls: cc, Streams: h.conns.Services[name]}); err != nil {
			return err
		}
	}
	return nil
}

// relay returns the handler of the relay, or nil if the suite has no relay.
func (h *handlers) relay() http.Handler {
	switch {
	case h.conns.Relay != nil:
		return h.guard.WithAddress(h.conns.Relay)
	case h.conns.RelayAddresses != "":
		h.proxy = socket.NewRelayProxy(h.deps.Stopping, h.guard, h.conns.RelayAddresses, h.conns.RelayTLS)
		return h.proxy
	default:
		return nil
	}
}

// wallet returns the handler of the embedded wallet's origin.
func (h *handlers) wallet() (http.Handler, error) {
	f, err := frame.New(h.cfg.Frame, h.guard, h.deps.FramePages, h.deps.Version)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	f.Routes(mux)
	mux.Handle("/v1", h.nodes)
	mux.Handle("/v1/{$}", h.nodes)
	mux.Handle("/v1/bundler", h.userOperations)
	mux.Handle(marks.AssetsPath, h.marks.Assets())
	if err := h.serve(&rpc.Server{Mux: mux, Streams: mux, Wallet: true}); err != nil {
		return nil, err
	}
	return access.WithBodyDeadline(h.deps.Stopping, h.refusals.Wrap(f.Wrap(access.Bounded(h.cfg.publicURL().Wrap(mux), h.cfg.RequestTimeout))), h.cfg.BodyTimeout), nil
}

// Wait returns when every WebSocket is closed, after Deps.Stopping: http.Server.Shutdown does not wait for hijacked connections.
func (g *Gateway) Wait() {
	g.sockets.Wait()
	if g.proxy != nil {
		g.proxy.Wait()
	}
}

// OnHead drops what the gateway keeps about a chain, by CAIP-2 id, when the chain has a new block.
func (g *Gateway) OnHead(chainID, hash string) { g.answers.OnHead(chainID, hash) }

// OnHeadsMissed drops everything that the gateway keeps about chains.
func (g *Gateway) OnHeadsMissed() { g.answers.Reset() }

// ForgetProject invalidates the cached project.
func (g *Gateway) ForgetProject(id string) { g.projects.Forget(id) }

// ForgetProjects invalidates all cached projects.
func (g *Gateway) ForgetProjects() { g.projects.ForgetAll() }

// withMiddleware wraps the routes. CORS is outermost, so that browsers can read every error.
func withMiddleware(refusals *access.Refusals, h http.Handler, cfg Config) http.Handler {
	h = access.RequireUTF8(h)
	h = access.Recovered(h)
	h = refusals.Wrap(h)
	h = observe.HTTP(access.WithRequestID(h))
	h = access.WithSecurityHeaders(h, strings.HasPrefix(cfg.PublicURL, "https:"))
	return cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodOptions},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{access.RequestIDHeader, "Date", "Retry-After", "ETag", "Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin"},
		MaxAge:         7200,
	}).Handler(h)
}
