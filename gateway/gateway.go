// Package gateway serves the whole suite on one port: REST for clients of AppKit's API, Connect and gRPC-Web for pages, gRPC, and JSON-RPC to
// the chains. It forwards over gRPC connections and imports no service.
package gateway

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/rs/cors"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/gateway/marks"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1/activityv1connect"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1/analyticsv1connect"
	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1/authv1connect"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1/balancesv1connect"
	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1/chainsv1connect"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1/convertv1connect"
	directoryv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1/directoryv1connect"
	featuresv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1/featuresv1connect"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1/nftsv1connect"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1/onrampv1connect"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1/walletv1connect"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

// Conns are the connections to the services.
type Conns struct {
	Activity  grpc.ClientConnInterface
	Analytics grpc.ClientConnInterface
	Auth      grpc.ClientConnInterface
	Balances  grpc.ClientConnInterface
	Bitcoin   grpc.ClientConnInterface
	Bundler   grpc.ClientConnInterface
	Chains    grpc.ClientConnInterface
	Convert   grpc.ClientConnInterface
	Directory grpc.ClientConnInterface
	Names     grpc.ClientConnInterface
	NFTs      grpc.ClientConnInterface
	Onramp    grpc.ClientConnInterface
	Preview   grpc.ClientConnInterface
	Projects  grpc.ClientConnInterface
	Sessions  grpc.ClientConnInterface
	Updates   grpc.ClientConnInterface
	Wallet    grpc.ClientConnInterface
	// Sandbox may be nil: the sandbox is off.
	Sandbox grpc.ClientConnInterface
	// Relay is the wallet-connect relay of this process. It is nil if another process hosts it, at RelayAddresses: host:port of each replica,
	// with commas between them. Both may be missing.
	Relay          http.Handler
	RelayAddresses string
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
	Limits Limits `yaml:"limits"`
	// LocalPages allows every project from localhost origins: for development.
	LocalPages bool `yaml:"-"`
	// Frame is the part of the embedded wallet's pages; an empty origin turns them off.
	Frame FrameConfig `yaml:"-"`
}

// DefaultConfig returns the configuration of a gateway without settings.
func DefaultConfig() Config {
	return Config{TrustedHops: 1, RequestTimeout: 30 * time.Second, BodyTimeout: 15 * time.Second, Limits: DefaultLimits()}
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
}

// Gateway is an HTTP handler for every protocol, with its caches and open connections.
type Gateway struct {
	http.Handler
	// Frame serves the pages of the embedded wallet at their own origin, with the calls that they make. It is nil if Config.Frame is off.
	Frame    http.Handler
	projects *projectcache.Cache
	answers  *answerCache
	sockets  *sockets
}

// New returns the gateway. Its Handler serves every protocol on one port.
func New(c Conns, cfg Config, deps Deps) (*Gateway, error) {
	set, err := marks.Load()
	if err != nil {
		return nil, err
	}
	icons := &icons{set}
	rest := newREST(icons)
	answers := newAnswerCache()
	streams := c
	c.Balances, c.Names, c.NFTs = policyConn{c.Balances}, policyConn{c.Names}, policyConn{c.NFTs}
	for _, cc := range []*grpc.ClientConnInterface{
		&c.Activity, &c.Analytics, &c.Auth, &c.Balances, &c.Bitcoin, &c.Bundler, &c.Chains, &c.Convert, &c.Directory, &c.Names, &c.NFTs, &c.Onramp, &c.Preview,
		&c.Sandbox, &c.Sessions, &c.Wallet,
	} {
		*cc = metered(*cc)
	}
	known := newFeatures(c, cfg)
	ctx := context.Background()
	if err := errors.Join(
		activityv1.RegisterActivityServiceHandlerClient(ctx, rest, activityv1.NewActivityServiceClient(c.Activity)),
		analyticsv1.RegisterAnalyticsServiceHandlerClient(ctx, rest, analyticsv1.NewAnalyticsServiceClient(c.Analytics)),
		authv1.RegisterAuthServiceHandlerClient(ctx, rest, authv1.NewAuthServiceClient(c.Auth)),
		directoryv1.RegisterDirectoryServiceHandlerClient(ctx, rest, directoryv1.NewDirectoryServiceClient(c.Directory)),
		convertv1.RegisterConvertServiceHandlerClient(ctx, rest, convertv1.NewConvertServiceClient(c.Convert)),
		namesv1.RegisterNamesServiceHandlerClient(ctx, rest, namesv1.NewNamesServiceClient(c.Names)),
		onrampv1.RegisterOnrampServiceHandlerClient(ctx, rest, onrampv1.NewOnrampServiceClient(c.Onramp)),
		nftsv1.RegisterNftsServiceHandlerClient(ctx, rest, nftsv1.NewNftsServiceClient(c.NFTs)),
		nftsv1.RegisterMediaServiceHandlerClient(ctx, rest, nftsv1.NewMediaServiceClient(c.NFTs)),
		previewv1.RegisterPreviewServiceHandlerClient(ctx, rest, previewv1.NewPreviewServiceClient(c.Preview)),
		bitcoinv1.RegisterBitcoinServiceHandlerClient(ctx, rest, bitcoinv1.NewBitcoinServiceClient(c.Bitcoin)),
		bundlerv1.RegisterCallsServiceHandlerClient(ctx, rest, bundlerv1.NewCallsServiceClient(c.Bundler)),
		sessionsv1.RegisterSessionsServiceHandlerClient(ctx, rest, sessionsv1.NewSessionsServiceClient(c.Sessions)),
		balancesv1.RegisterBalancesServiceHandlerClient(ctx, rest, balancesv1.NewBalancesServiceClient(c.Balances)),
		chainsv1.RegisterChainsServiceHandlerClient(ctx, rest, chainsv1.NewChainsServiceClient(c.Chains)),
		featuresv1.RegisterFeaturesServiceHandlerClient(ctx, rest, featuresv1.NewFeaturesServiceClient(known)),
		walletv1.RegisterKeyServiceHandlerClient(ctx, rest, walletv1.NewKeyServiceClient(c.Wallet)),
	); err != nil {
		return nil, err
	}
	if deps.Limiter == nil {
		deps.Limiter = limit.NewLocal(clock.System{}, cfg.Limits.Callers)
	}
	_, walletHost, _ := strings.Cut(cfg.Frame.Origin, "://")
	book := projectcache.New(projectsv1.NewProjectsServiceClient(c.Projects))
	guard := &guard{
		projects: book, limiter: deps.Limiter, limits: cfg.Limits, memory: deps.Memory,
		trustedHops: cfg.trustedHops(), localPages: cfg.LocalPages, wallet: walletHost,
	}

	// Paths without a project come first.
	mux := http.NewServeMux()
	mux.Handle("GET /health", guard.wrapOpen(health(deps)))
	mux.Handle("GET /openapi.json", guard.wrapOpen(openAPI()))
	mux.Handle("GET /docs", guard.wrapOpen(docs()))
	mux.Handle("GET /{$}", guard.wrapOpen(http.RedirectHandler("/docs", http.StatusFound)))
	mux.Handle("/v1/supported-chains", guard.wrapOpen(cacheable(rest)))
	mux.Handle("/v1/features", guard.wrapOpen(cacheable(rest)))
	mux.Handle("/v1/networks", guard.wrapOpen(cacheable(rest)))
	nodes := guard.wrap(withoutParameter(providerParameter, providerRefusal, proxyJSONRPC(chainsv1.NewNodeServiceClient(c.Chains))))
	mux.Handle("/v1/{$}", nodes)
	mux.Handle("/v1", nodes)
	userOperations := guard.wrap(bundler(bundlerv1.NewUserOperationServiceClient(c.Bundler)))
	mux.Handle("/v1/bundler", userOperations)
	jsonRPC := wallet(guard, icons, balancesv1.NewBalancesServiceClient(c.Balances), sessionsv1.NewSessionCallsServiceClient(c.Sessions))
	mux.Handle("/v1/wallet", jsonRPC)
	mux.Handle("/v1/json-rpc", jsonRPC)
	mux.Handle("/v1/profile/", guard.wrapOptional(emptyWhereAbsent(rest)))
	mux.Handle("/v1/ens", guard.wrapOptional(rest))
	mux.Handle("/v1/ens/", guard.wrapOptional(rest))
	identity := guard.wrapREST(withoutParameter(useCacheParameter, useCacheRefusal, withMaxAge(rest)))
	mux.Handle("/v1/identity/", identity)
	mux.Handle("/v1/account/{address}/identity", identity)
	mux.Handle("/v1/identity/{address}/avatar", harmless(guard.wrapREST(withMaxAge(rest))))
	mux.Handle(assetsPath, assets(set))
	mux.Handle("/v1/nft-media/", harmless(guard.wrapREST(withMaxAge(rest))))
	mux.Handle(authPath, guard.wrapREST(withTokens(rest)))
	mux.Handle("/getWallets", guard.wrap(cacheable(rest)))
	mux.Handle("GET "+walletImagePath, walletImages(set))
	mux.Handle("POST /v1/onramp/webhooks/{provider}", guard.wrapOpen(webhook(onrampv1.NewWebhookServiceClient(c.Onramp))))
	if c.Sandbox != nil {
		mux.Handle(sandboxPath, guard.wrapOpen(sandboxPages(sandboxv1.NewPageServiceClient(c.Sandbox))))
	}
	if cfg.LocalPages {
		mux.Handle(devPath, guard.wrapOpen(devPages(walletv1.NewDevPageServiceClient(c.Wallet))))
	}
	mux.Handle("POST /v1/sessions/{account}", guard.wrapREST(withKeyForm(rest)))
	mux.Handle("/wallet/v1/keys", guard.wrapOpen(rest))
	mux.Handle("/v1/simulate", guard.forPreviews().wrapREST(rest))
	mux.Handle("/v1/", guard.wrapREST(answers.wrap(rest)))
	mux.Handle("/", guard.wrapOpen(notFound()))

	rpcs := &rpcs{mux, icons, answers}
	forward[chainsv1.ListSupportedChainsRequest, chainsv1.ListSupportedChainsResponse](rpcs, c.Chains, chainsv1connect.ChainsServiceListSupportedChainsProcedure, guard.wrapOpenRPC)
	forward[featuresv1.GetFeaturesRequest, featuresv1.GetFeaturesResponse](rpcs, known, featuresv1connect.FeaturesServiceGetFeaturesProcedure, guard.wrapOpenRPC)
	forward[walletv1.ListKeysRequest, walletv1.ListKeysResponse](rpcs, c.Wallet, walletv1connect.KeyServiceListKeysProcedure, guard.wrapOpenRPC)
	forward[chainsv1.ListNetworksRequest, chainsv1.ListNetworksResponse](rpcs, c.Chains, chainsv1connect.ChainsServiceListNetworksProcedure, guard.wrapOpenRPC)
	forward[balancesv1.GetBalanceRequest, balancesv1.GetBalanceResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceGetBalanceProcedure, guard.wrapRPC)
	forwardBitcoin(rpcs, c.Bitcoin, guard)
	forwardCalls(rpcs, c.Bundler, guard)
	forwardPreview(rpcs, c.Preview, guard)
	forwardSessions(rpcs, c.Sessions, guard, func(h http.Handler) http.Handler { return h })
	forward[analyticsv1.RecordEventsRequest, analyticsv1.RecordEventsResponse](rpcs, c.Analytics, analyticsv1connect.AnalyticsServiceRecordEventsProcedure, guard.wrapRPC)
	wrapAuth := func(h http.Handler) http.Handler { return guard.wrapRPC(withTokens(h)) }
	forward[authv1.CreateNonceRequest, authv1.CreateNonceResponse](rpcs, c.Auth, authv1connect.AuthServiceCreateNonceProcedure, wrapAuth)
	forward[authv1.AuthenticateRequest, authv1.AuthenticateResponse](rpcs, c.Auth, authv1connect.AuthServiceAuthenticateProcedure, wrapAuth)
	forward[authv1.GetSessionRequest, authv1.GetSessionResponse](rpcs, c.Auth, authv1connect.AuthServiceGetSessionProcedure, wrapAuth)
	forward[authv1.SignOutRequest, authv1.SignOutResponse](rpcs, c.Auth, authv1connect.AuthServiceSignOutProcedure, wrapAuth)
	forward[directoryv1.ListWalletsRequest, directoryv1.ListWalletsResponse](rpcs, c.Directory, directoryv1connect.DirectoryServiceListWalletsProcedure, guard.wrapRPC)
	forward[convertv1.ListTokensRequest, convertv1.ListTokensResponse](rpcs, c.Convert, convertv1connect.ConvertServiceListTokensProcedure, guard.wrapRPC)
	forward[convertv1.ListQuotesRequest, convertv1.ListQuotesResponse](rpcs, c.Convert, convertv1connect.ConvertServiceListQuotesProcedure, guard.wrapRPC)
	forward[convertv1.GetAllowanceRequest, convertv1.GetAllowanceResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetAllowanceProcedure, guard.wrapRPC)
	forward[convertv1.GetGasPriceRequest, convertv1.GetGasPriceResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetGasPriceProcedure, guard.wrapRPC)
	forward[convertv1.BuildApproveRequest, convertv1.BuildApproveResponse](rpcs, c.Convert, convertv1connect.ConvertServiceBuildApproveProcedure, guard.wrapRPC)
	forward[convertv1.GetPermitRequest, convertv1.GetPermitResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetPermitProcedure, guard.wrapRPC)
	forward[convertv1.BuildTransactionRequest, convertv1.BuildTransactionResponse](rpcs, c.Convert, convertv1connect.ConvertServiceBuildTransactionProcedure, guard.wrapRPC)
	forward[activityv1.GetHistoryRequest, activityv1.GetHistoryResponse](rpcs, c.Activity, activityv1connect.ActivityServiceGetHistoryProcedure, guard.wrapRPC)
	forward[namesv1.RegisterNameRequest, namesv1.RegisterNameResponse](rpcs, c.Names, namesv1connect.NamesServiceRegisterNameProcedure, guard.wrapRPC)
	forward[namesv1.GetInstallationRequest, namesv1.GetInstallationResponse](rpcs, c.Names, namesv1connect.NamesServiceGetInstallationProcedure, guard.wrapRPC)
	forward[namesv1.GetNameRequest, namesv1.GetNameResponse](rpcs, c.Names, namesv1connect.NamesServiceGetNameProcedure, guard.wrapRPC)
	forward[namesv1.ListNamesRequest, namesv1.ListNamesResponse](rpcs, c.Names, namesv1connect.NamesServiceListNamesProcedure, guard.wrapRPC)
	forward[namesv1.SuggestNamesRequest, namesv1.SuggestNamesResponse](rpcs, c.Names, namesv1connect.NamesServiceSuggestNamesProcedure, guard.wrapRPC)
	forward[namesv1.SetAttributesRequest, namesv1.SetAttributesResponse](rpcs, c.Names, namesv1connect.NamesServiceSetAttributesProcedure, guard.wrapRPC)
	forward[namesv1.SetAddressRequest, namesv1.SetAddressResponse](rpcs, c.Names, namesv1connect.NamesServiceSetAddressProcedure, guard.wrapRPC)
	forward[namesv1.ReleaseNameRequest, namesv1.ReleaseNameResponse](rpcs, c.Names, namesv1connect.NamesServiceReleaseNameProcedure, guard.wrapRPC)
	forward[namesv1.TransferNameRequest, namesv1.TransferNameResponse](rpcs, c.Names, namesv1connect.NamesServiceTransferNameProcedure, guard.wrapRPC)
	forward[namesv1.GetIdentityRequest, namesv1.GetIdentityResponse](rpcs, c.Names, namesv1connect.NamesServiceGetIdentityProcedure, guard.wrapRPC)
	forward[namesv1.GetAvatarRequest, httpbody.HttpBody](rpcs, c.Names, namesv1connect.NamesServiceGetAvatarProcedure, guard.wrapRPC)
	forward[namesv1.GetPrimaryNameRequest, namesv1.GetPrimaryNameResponse](rpcs, c.Names, namesv1connect.NamesServiceGetPrimaryNameProcedure, guard.wrapRPC)
	forward[namesv1.ResolveNameRequest, namesv1.ResolveNameResponse](rpcs, c.Names, namesv1connect.NamesServiceResolveNameProcedure, guard.wrapRPC)
	forward[namesv1.AnswerLookupRequest, namesv1.AnswerLookupResponse](rpcs, c.Names, namesv1connect.NamesServiceAnswerLookupProcedure, guard.wrapRPC)
	forward[nftsv1.ListNftsRequest, nftsv1.ListNftsResponse](rpcs, c.NFTs, nftsv1connect.NftsServiceListNftsProcedure, guard.wrapRPC)
	forward[nftsv1.GetMediaRequest, httpbody.HttpBody](rpcs, c.NFTs, nftsv1connect.MediaServiceGetMediaProcedure, guard.wrapRPC)
	forward[onrampv1.GetOptionsRequest, onrampv1.GetOptionsResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetOptionsProcedure, guard.wrapRPC)
	forward[onrampv1.GetQuoteRequest, onrampv1.GetQuoteResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetQuoteProcedure, guard.wrapRPC)
	forward[onrampv1.CreateUrlRequest, onrampv1.CreateUrlResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceCreateUrlProcedure, guard.wrapRPC)
	forward[onrampv1.ListBuyOptionsRequest, onrampv1.ListBuyOptionsResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListBuyOptionsProcedure, guard.wrapRPC)
	forward[onrampv1.GetBuyQuoteRequest, onrampv1.GetBuyQuoteResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetBuyQuoteProcedure, guard.wrapRPC)
	forward[onrampv1.ListProvidersRequest, onrampv1.ListProvidersResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListProvidersProcedure, guard.wrapRPC)
	forward[onrampv1.ListProviderPropertiesRequest, onrampv1.ListProviderPropertiesResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListProviderPropertiesProcedure, guard.wrapRPC)
	forward[onrampv1.ListQuotesRequest, onrampv1.ListQuotesResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListQuotesProcedure, guard.wrapRPC)
	forward[onrampv1.OpenWidgetRequest, onrampv1.OpenWidgetResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceOpenWidgetProcedure, guard.wrapRPC)
	forward[onrampv1.ListOrdersRequest, onrampv1.ListOrdersResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListOrdersProcedure, guard.wrapRPC)
	forward[onrampv1.GetOrderRequest, onrampv1.GetOrderResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetOrderProcedure, guard.wrapRPC)
	forward[balancesv1.GetPortfolioRequest, balancesv1.GetPortfolioResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceGetPortfolioProcedure, guard.wrapRPC)
	forward[balancesv1.ListPricesRequest, balancesv1.ListPricesResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceListPricesProcedure, guard.wrapRPC)

	// Streams have no deadline.
	all := http.NewServeMux()
	sockets := newSockets(deps.Stopping, c.Chains, guard)
	switch {
	case c.Relay != nil:
		c.Relay = guard.withAddress(c.Relay)
	case c.RelayAddresses != "":
		c.Relay = newRelayProxy(deps.Stopping, guard, c.RelayAddresses)
	}
	if c.Relay != nil {
		// The relay authorizes and limits its clients itself: a connection that is refused here would be tried again at once.
		all.Handle("GET "+relayPath, c.Relay)
		all.Handle("GET "+relayPath+"/{$}", c.Relay)
	}
	all.Handle("/", sockets.wrap(bounded(mux, cfg.RequestTimeout)))
	forwardStream[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](deps.Stopping, all, icons, streams.Updates, updatesv1connect.UpdatesServiceWatchAccountProcedure, guard)
	forwardStream[convertv1.WatchQuoteRequest, convertv1.WatchQuoteResponse](deps.Stopping, all, icons, streams.Convert, convertv1connect.QuoteServiceWatchQuoteProcedure, guard)
	g := &Gateway{Handler: withBodyDeadline(deps.Stopping, withMiddleware(cfg.withRequestBase(all), cfg), cfg.BodyTimeout), projects: book, answers: answers, sockets: sockets}
	if cfg.Frame.Origin == "" {
		return g, nil
	}
	return g, g.serveFrame(c, cfg, deps, frameRoutes{guard, icons, nodes, userOperations})
}

// Wait returns when every WebSocket is closed, after Deps.Stopping: http.Server.Shutdown does not wait for hijacked connections.
func (g *Gateway) Wait() { g.sockets.open.Wait() }

// OnHead drops what the gateway keeps about a chain, by CAIP-2 id, when the chain has a new block.
func (g *Gateway) OnHead(chainID, hash string) { g.answers.onHead(chainID, hash) }

// OnHeadsMissed drops everything that the gateway keeps about chains.
func (g *Gateway) OnHeadsMissed() { g.answers.reset() }

// ForgetProject invalidates the cached project.
func (g *Gateway) ForgetProject(id string) { g.projects.Forget(id) }

// ForgetProjects invalidates all cached projects.
func (g *Gateway) ForgetProjects() { g.projects.ForgetAll() }

// withMiddleware wraps the routes. CORS is outermost, so that browsers can read every error.
func withMiddleware(h http.Handler, cfg Config) http.Handler {
	h = requireUTF8(h)
	h = recovered(h)
	h = observe.HTTP(withRequestID(h))
	h = withSecurityHeaders(h, strings.HasPrefix(cfg.PublicURL, "https:"))
	return cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodOptions},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{requestIDHeader, "Date", "Retry-After", "ETag", "Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin"},
		MaxAge:         7200,
	}).Handler(h)
}
