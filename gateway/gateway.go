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

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/frame"
	"github.com/hawser-dev/hawser/gateway/jsonrpc"
	"github.com/hawser-dev/hawser/gateway/marks"
	"github.com/hawser-dev/hawser/gateway/rest"
	"github.com/hawser-dev/hawser/gateway/rpc"
	"github.com/hawser-dev/hawser/gateway/socket"
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

// authPath is the path of sign-in.
const authPath = "/auth/v1/"

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
}

// Gateway is an HTTP handler for every protocol, with its caches and open connections.
type Gateway struct {
	http.Handler
	// Frame serves the pages of the embedded wallet at their own origin, with the calls that they make. It is nil if Config.Frame is off.
	Frame    http.Handler
	projects *projectcache.Cache
	answers  *rest.AnswerCache
	sockets  *socket.Server
}

// New returns the gateway. Its Handler serves every protocol on one port.
func New(c Conns, cfg Config, deps Deps) (*Gateway, error) {
	set, err := marks.Load()
	if err != nil {
		return nil, err
	}
	routes := rest.New(set.Fill)
	answers := rest.NewAnswerCache()
	streams := c
	c.Balances, c.Names, c.NFTs = rest.WithPolicies(c.Balances), rest.WithPolicies(c.Names), rest.WithPolicies(c.NFTs)
	for _, cc := range []*grpc.ClientConnInterface{
		&c.Activity, &c.Analytics, &c.Auth, &c.Balances, &c.Bitcoin, &c.Bundler, &c.Chains, &c.Convert, &c.Directory, &c.Names, &c.NFTs, &c.Onramp, &c.Preview,
		&c.Sandbox, &c.Sessions, &c.Wallet,
	} {
		*cc = access.Metered(*cc)
	}
	known := newFeatures(c, cfg)
	ctx := context.Background()
	if err := errors.Join(
		activityv1.RegisterActivityServiceHandlerClient(ctx, routes, activityv1.NewActivityServiceClient(c.Activity)),
		analyticsv1.RegisterAnalyticsServiceHandlerClient(ctx, routes, analyticsv1.NewAnalyticsServiceClient(c.Analytics)),
		authv1.RegisterAuthServiceHandlerClient(ctx, routes, authv1.NewAuthServiceClient(c.Auth)),
		directoryv1.RegisterDirectoryServiceHandlerClient(ctx, routes, directoryv1.NewDirectoryServiceClient(c.Directory)),
		convertv1.RegisterConvertServiceHandlerClient(ctx, routes, convertv1.NewConvertServiceClient(c.Convert)),
		namesv1.RegisterNamesServiceHandlerClient(ctx, routes, namesv1.NewNamesServiceClient(c.Names)),
		onrampv1.RegisterOnrampServiceHandlerClient(ctx, routes, onrampv1.NewOnrampServiceClient(c.Onramp)),
		nftsv1.RegisterNftsServiceHandlerClient(ctx, routes, nftsv1.NewNftsServiceClient(c.NFTs)),
		nftsv1.RegisterMediaServiceHandlerClient(ctx, routes, nftsv1.NewMediaServiceClient(c.NFTs)),
		previewv1.RegisterPreviewServiceHandlerClient(ctx, routes, previewv1.NewPreviewServiceClient(c.Preview)),
		bitcoinv1.RegisterBitcoinServiceHandlerClient(ctx, routes, bitcoinv1.NewBitcoinServiceClient(c.Bitcoin)),
		bundlerv1.RegisterCallsServiceHandlerClient(ctx, routes, bundlerv1.NewCallsServiceClient(c.Bundler)),
		sessionsv1.RegisterSessionsServiceHandlerClient(ctx, routes, sessionsv1.NewSessionsServiceClient(c.Sessions)),
		balancesv1.RegisterBalancesServiceHandlerClient(ctx, routes, balancesv1.NewBalancesServiceClient(c.Balances)),
		chainsv1.RegisterChainsServiceHandlerClient(ctx, routes, chainsv1.NewChainsServiceClient(c.Chains)),
		featuresv1.RegisterFeaturesServiceHandlerClient(ctx, routes, featuresv1.NewFeaturesServiceClient(known)),
		walletv1.RegisterKeyServiceHandlerClient(ctx, routes, walletv1.NewKeyServiceClient(c.Wallet)),
	); err != nil {
		return nil, err
	}
	if deps.Limiter == nil {
		deps.Limiter = limit.NewLocal(clock.System{}, cfg.Limits.Callers)
	}
	_, walletHost, _ := strings.Cut(cfg.Frame.Origin, "://")
	book := projectcache.New(projectsv1.NewProjectsServiceClient(c.Projects))
	guard := &access.Guard{
		Projects: book, Limiter: deps.Limiter, Limits: cfg.Limits, Memory: deps.Memory,
		TrustedHops: cfg.trustedHops(), LocalPages: cfg.LocalPages, WalletHost: walletHost,
	}

	// Paths without a project come first.
	mux := http.NewServeMux()
	mux.Handle("GET /health", guard.WrapOpen(health(deps)))
	mux.Handle("GET /openapi.json", guard.WrapOpen(rest.OpenAPI()))
	mux.Handle("GET /docs", guard.WrapOpen(rest.Docs()))
	mux.Handle("GET /{$}", guard.WrapOpen(http.RedirectHandler("/docs", http.StatusFound)))
	mux.Handle("/v1/supported-chains", guard.WrapOpen(rest.Cacheable(routes)))
	mux.Handle("/v1/features", guard.WrapOpen(rest.Cacheable(routes)))
	mux.Handle("/v1/networks", guard.WrapOpen(rest.Cacheable(routes)))
	nodes := guard.Wrap(rest.WithoutProvider(jsonrpc.Nodes(chainsv1.NewNodeServiceClient(c.Chains))))
	mux.Handle("/v1/{$}", nodes)
	mux.Handle("/v1", nodes)
	userOperations := guard.Wrap(jsonrpc.Bundler(bundlerv1.NewUserOperationServiceClient(c.Bundler)))
	mux.Handle("/v1/bundler", userOperations)
	jsonRPC := jsonrpc.WalletMethods(guard, set.Fill, balancesv1.NewBalancesServiceClient(c.Balances), sessionsv1.NewSessionCallsServiceClient(c.Sessions))
	mux.Handle("/v1/wallet", jsonRPC)
	mux.Handle("/v1/json-rpc", jsonRPC)
	mux.Handle("/v1/profile/", guard.WrapOptional(rest.EmptyWhereAbsent(routes)))
	mux.Handle("/v1/ens", guard.WrapOptional(routes))
	mux.Handle("/v1/ens/", guard.WrapOptional(routes))
	identity := guard.WrapREST(rest.WithoutUseCache(rest.WithMaxAge(routes)))
	mux.Handle("/v1/identity/", identity)
	mux.Handle("/v1/account/{address}/identity", identity)
	mux.Handle("/v1/identity/{address}/avatar", rest.Harmless(guard.WrapREST(rest.WithMaxAge(routes))))
	mux.Handle(marks.AssetsPath, set.Assets())
	mux.Handle("/v1/nft-media/", rest.Harmless(guard.WrapREST(rest.WithMaxAge(routes))))
	mux.Handle(authPath, guard.WrapREST(access.WithTokens(routes)))
	mux.Handle("/getWallets", guard.Wrap(rest.Cacheable(routes)))
	mux.Handle("GET "+marks.WalletImagePath, set.WalletImages())
	mux.Handle("POST /v1/onramp/webhooks/{provider}", guard.WrapOpen(rest.Webhook(onrampv1.NewWebhookServiceClient(c.Onramp))))
	if c.Sandbox != nil {
		mux.Handle(rest.SandboxPath, guard.WrapOpen(rest.SandboxPages(sandboxv1.NewPageServiceClient(c.Sandbox))))
	}
	if cfg.LocalPages {
		mux.Handle(rest.DevPath, guard.WrapOpen(rest.DevPages(walletv1.NewDevPageServiceClient(c.Wallet))))
	}
	mux.Handle("POST /v1/sessions/{account}", guard.WrapREST(rest.WithKeyForm(routes)))
	mux.Handle("/wallet/v1/keys", guard.WrapOpen(routes))
	mux.Handle("/v1/simulate", guard.ForPreviews().WrapREST(routes))
	mux.Handle("/v1/", guard.WrapREST(answers.Wrap(routes)))
	mux.Handle("/", guard.WrapOpen(access.NotFound()))

	rpcs := rpc.New(mux, set.Fill, answers)
	rpc.Forward[chainsv1.ListSupportedChainsRequest, chainsv1.ListSupportedChainsResponse](rpcs, c.Chains, chainsv1connect.ChainsServiceListSupportedChainsProcedure, guard.WrapOpenRPC)
	rpc.Forward[featuresv1.GetFeaturesRequest, featuresv1.GetFeaturesResponse](rpcs, known, featuresv1connect.FeaturesServiceGetFeaturesProcedure, guard.WrapOpenRPC)
	rpc.Forward[walletv1.ListKeysRequest, walletv1.ListKeysResponse](rpcs, c.Wallet, walletv1connect.KeyServiceListKeysProcedure, guard.WrapOpenRPC)
	rpc.Forward[chainsv1.ListNetworksRequest, chainsv1.ListNetworksResponse](rpcs, c.Chains, chainsv1connect.ChainsServiceListNetworksProcedure, guard.WrapOpenRPC)
	rpc.Forward[balancesv1.GetBalanceRequest, balancesv1.GetBalanceResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceGetBalanceProcedure, guard.WrapRPC)
	rpc.ForwardBitcoin(rpcs, c.Bitcoin, guard)
	rpc.ForwardCalls(rpcs, c.Bundler, guard)
	rpc.ForwardPreview(rpcs, c.Preview, guard)
	rpc.ForwardSessions(rpcs, c.Sessions, guard, func(h http.Handler) http.Handler { return h })
	rpc.Forward[analyticsv1.RecordEventsRequest, analyticsv1.RecordEventsResponse](rpcs, c.Analytics, analyticsv1connect.AnalyticsServiceRecordEventsProcedure, guard.WrapRPC)
	wrapAuth := func(h http.Handler) http.Handler { return guard.WrapRPC(access.WithTokens(h)) }
	rpc.Forward[authv1.CreateNonceRequest, authv1.CreateNonceResponse](rpcs, c.Auth, authv1connect.AuthServiceCreateNonceProcedure, wrapAuth)
	rpc.Forward[authv1.AuthenticateRequest, authv1.AuthenticateResponse](rpcs, c.Auth, authv1connect.AuthServiceAuthenticateProcedure, wrapAuth)
	rpc.Forward[authv1.GetSessionRequest, authv1.GetSessionResponse](rpcs, c.Auth, authv1connect.AuthServiceGetSessionProcedure, wrapAuth)
	rpc.Forward[authv1.SignOutRequest, authv1.SignOutResponse](rpcs, c.Auth, authv1connect.AuthServiceSignOutProcedure, wrapAuth)
	rpc.Forward[directoryv1.ListWalletsRequest, directoryv1.ListWalletsResponse](rpcs, c.Directory, directoryv1connect.DirectoryServiceListWalletsProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.ListTokensRequest, convertv1.ListTokensResponse](rpcs, c.Convert, convertv1connect.ConvertServiceListTokensProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.ListQuotesRequest, convertv1.ListQuotesResponse](rpcs, c.Convert, convertv1connect.ConvertServiceListQuotesProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.GetAllowanceRequest, convertv1.GetAllowanceResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetAllowanceProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.GetGasPriceRequest, convertv1.GetGasPriceResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetGasPriceProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.BuildApproveRequest, convertv1.BuildApproveResponse](rpcs, c.Convert, convertv1connect.ConvertServiceBuildApproveProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.GetPermitRequest, convertv1.GetPermitResponse](rpcs, c.Convert, convertv1connect.ConvertServiceGetPermitProcedure, guard.WrapRPC)
	rpc.Forward[convertv1.BuildTransactionRequest, convertv1.BuildTransactionResponse](rpcs, c.Convert, convertv1connect.ConvertServiceBuildTransactionProcedure, guard.WrapRPC)
	rpc.Forward[activityv1.GetHistoryRequest, activityv1.GetHistoryResponse](rpcs, c.Activity, activityv1connect.ActivityServiceGetHistoryProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.RegisterNameRequest, namesv1.RegisterNameResponse](rpcs, c.Names, namesv1connect.NamesServiceRegisterNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.GetInstallationRequest, namesv1.GetInstallationResponse](rpcs, c.Names, namesv1connect.NamesServiceGetInstallationProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.GetNameRequest, namesv1.GetNameResponse](rpcs, c.Names, namesv1connect.NamesServiceGetNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.ListNamesRequest, namesv1.ListNamesResponse](rpcs, c.Names, namesv1connect.NamesServiceListNamesProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.SuggestNamesRequest, namesv1.SuggestNamesResponse](rpcs, c.Names, namesv1connect.NamesServiceSuggestNamesProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.SetAttributesRequest, namesv1.SetAttributesResponse](rpcs, c.Names, namesv1connect.NamesServiceSetAttributesProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.SetAddressRequest, namesv1.SetAddressResponse](rpcs, c.Names, namesv1connect.NamesServiceSetAddressProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.ReleaseNameRequest, namesv1.ReleaseNameResponse](rpcs, c.Names, namesv1connect.NamesServiceReleaseNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.TransferNameRequest, namesv1.TransferNameResponse](rpcs, c.Names, namesv1connect.NamesServiceTransferNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.GetIdentityRequest, namesv1.GetIdentityResponse](rpcs, c.Names, namesv1connect.NamesServiceGetIdentityProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.GetAvatarRequest, httpbody.HttpBody](rpcs, c.Names, namesv1connect.NamesServiceGetAvatarProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.GetPrimaryNameRequest, namesv1.GetPrimaryNameResponse](rpcs, c.Names, namesv1connect.NamesServiceGetPrimaryNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.ResolveNameRequest, namesv1.ResolveNameResponse](rpcs, c.Names, namesv1connect.NamesServiceResolveNameProcedure, guard.WrapRPC)
	rpc.Forward[namesv1.AnswerLookupRequest, namesv1.AnswerLookupResponse](rpcs, c.Names, namesv1connect.NamesServiceAnswerLookupProcedure, guard.WrapRPC)
	rpc.Forward[nftsv1.ListNftsRequest, nftsv1.ListNftsResponse](rpcs, c.NFTs, nftsv1connect.NftsServiceListNftsProcedure, guard.WrapRPC)
	rpc.Forward[nftsv1.GetMediaRequest, httpbody.HttpBody](rpcs, c.NFTs, nftsv1connect.MediaServiceGetMediaProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.GetOptionsRequest, onrampv1.GetOptionsResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetOptionsProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.GetQuoteRequest, onrampv1.GetQuoteResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetQuoteProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.CreateUrlRequest, onrampv1.CreateUrlResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceCreateUrlProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.ListBuyOptionsRequest, onrampv1.ListBuyOptionsResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListBuyOptionsProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.GetBuyQuoteRequest, onrampv1.GetBuyQuoteResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetBuyQuoteProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.ListProvidersRequest, onrampv1.ListProvidersResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListProvidersProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.ListProviderPropertiesRequest, onrampv1.ListProviderPropertiesResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListProviderPropertiesProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.ListQuotesRequest, onrampv1.ListQuotesResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListQuotesProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.OpenWidgetRequest, onrampv1.OpenWidgetResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceOpenWidgetProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.ListOrdersRequest, onrampv1.ListOrdersResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceListOrdersProcedure, guard.WrapRPC)
	rpc.Forward[onrampv1.GetOrderRequest, onrampv1.GetOrderResponse](rpcs, c.Onramp, onrampv1connect.OnrampServiceGetOrderProcedure, guard.WrapRPC)
	rpc.Forward[balancesv1.GetPortfolioRequest, balancesv1.GetPortfolioResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceGetPortfolioProcedure, guard.WrapRPC)
	rpc.Forward[balancesv1.ListPricesRequest, balancesv1.ListPricesResponse](rpcs, c.Balances, balancesv1connect.BalancesServiceListPricesProcedure, guard.WrapRPC)

	// Streams have no deadline.
	all := http.NewServeMux()
	sockets := socket.New(deps.Stopping, c.Chains, guard)
	switch {
	case c.Relay != nil:
		c.Relay = guard.WithAddress(c.Relay)
	case c.RelayAddresses != "":
		c.Relay = socket.NewRelayProxy(deps.Stopping, guard, c.RelayAddresses)
	}
	if c.Relay != nil {
		// The relay authorizes and limits its clients itself: a connection that is refused here would be tried again at once.
		all.Handle("GET "+socket.RelayPath, c.Relay)
		all.Handle("GET "+socket.RelayPath+"/{$}", c.Relay)
	}
	all.Handle("/", sockets.Wrap(access.Bounded(mux, cfg.RequestTimeout)))
	rpc.ForwardStream[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](deps.Stopping, all, set.Fill, streams.Updates, updatesv1connect.UpdatesServiceWatchAccountProcedure, guard)
	rpc.ForwardStream[convertv1.WatchQuoteRequest, convertv1.WatchQuoteResponse](deps.Stopping, all, set.Fill, streams.Convert, convertv1connect.QuoteServiceWatchQuoteProcedure, guard)
	g := &Gateway{Handler: access.WithBodyDeadline(deps.Stopping, withMiddleware(cfg.publicURL().Wrap(all), cfg), cfg.BodyTimeout), projects: book, answers: answers, sockets: sockets}
	if cfg.Frame.Origin == "" {
		return g, nil
	}
	return g, g.serveFrame(c, cfg, deps, sharedRoutes{guard, set, nodes, userOperations})
}

// sharedRoutes is what the embedded wallet's origin shares with the gateway's.
type sharedRoutes struct {
	guard *access.Guard
	marks *marks.Set
	// nodes serves JSON-RPC of chains, and userOperations that of bundlers.
	nodes, userOperations http.Handler
}

// serveFrame makes the handler of the embedded wallet's origin.
func (g *Gateway) serveFrame(c Conns, cfg Config, deps Deps, shared sharedRoutes) error {
	f, err := frame.New(cfg.Frame, shared.guard, deps.FramePages, deps.Version)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	f.Routes(mux)
	mux.Handle("/v1", shared.nodes)
	mux.Handle("/v1/{$}", shared.nodes)
	mux.Handle("/v1/bundler", shared.userOperations)
	mux.Handle(marks.AssetsPath, shared.marks.Assets())
	calls := rpc.New(mux, shared.marks.Fill, g.answers)
	rpc.Forward[chainsv1.ListNetworksRequest, chainsv1.ListNetworksResponse](calls, c.Chains, chainsv1connect.ChainsServiceListNetworksProcedure, shared.guard.WrapOpenRPC)
	frame.ForwardCalls(calls, c.Wallet, shared.guard)
	rpc.ForwardCalls(calls, c.Bundler, shared.guard)
	rpc.ForwardPreview(calls, c.Preview, shared.guard)
	rpc.Forward[balancesv1.ListPricesRequest, balancesv1.ListPricesResponse](calls, c.Balances, balancesv1connect.BalancesServiceListPricesProcedure, shared.guard.WrapRPC)
	rpc.ForwardSessions(calls, c.Sessions, shared.guard, access.WithDevice)
	g.Frame = access.WithBodyDeadline(deps.Stopping, f.Wrap(access.Bounded(cfg.publicURL().Wrap(mux), cfg.RequestTimeout)), cfg.BodyTimeout)
	return nil
}

// Wait returns when every WebSocket is closed, after Deps.Stopping: http.Server.Shutdown does not wait for hijacked connections.
func (g *Gateway) Wait() { g.sockets.Wait() }

// OnHead drops what the gateway keeps about a chain, by CAIP-2 id, when the chain has a new block.
func (g *Gateway) OnHead(chainID, hash string) { g.answers.OnHead(chainID, hash) }

// OnHeadsMissed drops everything that the gateway keeps about chains.
func (g *Gateway) OnHeadsMissed() { g.answers.Reset() }

// ForgetProject invalidates the cached project.
func (g *Gateway) ForgetProject(id string) { g.projects.Forget(id) }

// ForgetProjects invalidates all cached projects.
func (g *Gateway) ForgetProjects() { g.projects.ForgetAll() }

// withMiddleware wraps the routes. CORS is outermost, so that browsers can read every error.
func withMiddleware(h http.Handler, cfg Config) http.Handler {
	h = access.RequireUTF8(h)
	h = access.Recovered(h)
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
