package rest

import (
	"context"
	"errors"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"

	accessv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	directoryv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	featuresv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	handoffv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
)

// Register adds the REST forms of every service to mux. conns are the connections to the services by name, such as names for hawser.names.v1.
func Register(mux *runtime.ServeMux, conns map[string]grpc.ClientConnInterface) error {
	ctx := context.Background()
	// A gateway may have no webhooks.
	var ofWebhooks error
	if conn := conns["webhooks"]; conn != nil {
		ofWebhooks = webhooksv1.RegisterTransactionsServiceHandlerClient(ctx, mux, webhooksv1.NewTransactionsServiceClient(conn))
	}
	return errors.Join(ofWebhooks,
		accessv1.RegisterAccessServiceHandlerClient(ctx, mux, accessv1.NewAccessServiceClient(conns["access"])),
		activityv1.RegisterActivityServiceHandlerClient(ctx, mux, activityv1.NewActivityServiceClient(conns["activity"])),
		analyticsv1.RegisterAnalyticsServiceHandlerClient(ctx, mux, analyticsv1.NewAnalyticsServiceClient(conns["analytics"])),
		authv1.RegisterAuthServiceHandlerClient(ctx, mux, authv1.NewAuthServiceClient(conns["auth"])),
		directoryv1.RegisterDirectoryServiceHandlerClient(ctx, mux, directoryv1.NewDirectoryServiceClient(conns["directory"])),
		convertv1.RegisterConvertServiceHandlerClient(ctx, mux, convertv1.NewConvertServiceClient(conns["convert"])),
		handoffv1.RegisterHandoffServiceHandlerClient(ctx, mux, handoffv1.NewHandoffServiceClient(conns["handoff"])),
		namesv1.RegisterNamesServiceHandlerClient(ctx, mux, namesv1.NewNamesServiceClient(conns["names"])),
		onrampv1.RegisterOnrampServiceHandlerClient(ctx, mux, onrampv1.NewOnrampServiceClient(conns["onramp"])),
		nftsv1.RegisterNftsServiceHandlerClient(ctx, mux, nftsv1.NewNftsServiceClient(conns["nfts"])),
		nftsv1.RegisterMediaServiceHandlerClient(ctx, mux, nftsv1.NewMediaServiceClient(conns["nfts"])),
		previewv1.RegisterPreviewServiceHandlerClient(ctx, mux, previewv1.NewPreviewServiceClient(conns["preview"])),
		bitcoinv1.RegisterBitcoinServiceHandlerClient(ctx, mux, bitcoinv1.NewBitcoinServiceClient(conns["bitcoin"])),
		bundlerv1.RegisterCallsServiceHandlerClient(ctx, mux, bundlerv1.NewCallsServiceClient(conns["bundler"])),
		sessionsv1.RegisterSmartSessionsServiceHandlerClient(ctx, mux, sessionsv1.NewSmartSessionsServiceClient(conns["sessions"])),
		balancesv1.RegisterBalancesServiceHandlerClient(ctx, mux, balancesv1.NewBalancesServiceClient(conns["balances"])),
		chainsv1.RegisterChainsServiceHandlerClient(ctx, mux, chainsv1.NewChainsServiceClient(conns["chains"])),
		featuresv1.RegisterFeaturesServiceHandlerClient(ctx, mux, featuresv1.NewFeaturesServiceClient(conns["features"])),
		walletv1.RegisterKeyServiceHandlerClient(ctx, mux, walletv1.NewKeyServiceClient(conns["wallet"])),
	)
}
