package gateway

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	featuresv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// featuresName is the name of the service of the features, whose protos are those of hawser.features.v1.
const featuresName = "features"

// featureTimeout bounds the wait for the services that know the features.
const featureTimeout = 2 * time.Second

// features implements hawser.features.v1.FeaturesService by asking each service what it is configured with.
type features struct {
	chains  chainsv1.ChainsServiceClient
	convert convertv1.ExchangeServiceClient
	onramp  onrampv1.PurchaseServiceClient
	wallet  walletv1.OwnerServiceClient
	// hasFrame reports whether the pages of the embedded wallet are served, and hasAccess whether approvals are listed.
	hasFrame, hasAccess bool
}

func newFeatures(calls map[string]grpc.ClientConnInterface, cfg Config) *features {
	return &features{
		chains:    chainsv1.NewChainsServiceClient(calls["chains"]),
		convert:   convertv1.NewExchangeServiceClient(calls["convert"]),
		onramp:    onrampv1.NewPurchaseServiceClient(calls["onramp"]),
		wallet:    walletv1.NewOwnerServiceClient(calls["wallet"]),
		hasFrame:  cfg.Frame.Origin != "",
		hasAccess: calls["access"] != nil,
	}
}

// GetFeatures returns the features. It fails if the chains are unknown; what another service does not tell in time is left out.
func (f *features) GetFeatures(ctx context.Context, _ *featuresv1.GetFeaturesRequest) (*featuresv1.GetFeaturesResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, featureTimeout)
	defer cancel()
	res := &featuresv1.GetFeaturesResponse{Approvals: new(f.hasAccess)}
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error {
		got, err := f.chains.ListSupportedChains(ctx, &chainsv1.ListSupportedChainsRequest{})
		res.Chains = &featuresv1.ChainList{ChainIds: got.GetHttp()}
		return err
	})
	g.Go(func() error {
		if got, err := f.convert.ListChains(ctx, &convertv1.ListChainsRequest{}); err == nil {
			res.SwapChains = &featuresv1.ChainList{ChainIds: got.GetChainIds()}
		}
		return nil
	})
	g.Go(func() error {
		if got, err := f.onramp.ListConfigured(ctx, &onrampv1.ListConfiguredRequest{}); err == nil {
			res.Onramp = &featuresv1.Onramp{Providers: got.GetProviders()}
		}
		return nil
	})
	g.Go(func() error {
		res.Logins = f.logins(ctx)
		return nil
	})
	return res, g.Wait()
}

// logins returns the logins; empty ones if the pages of the wallet are not served, and nil if they are unknown.
func (f *features) logins(ctx context.Context) *featuresv1.Logins {
	if !f.hasFrame {
		return &featuresv1.Logins{}
	}
	got, err := f.wallet.ListLogins(ctx, &walletv1.ListLoginsRequest{})
	if err != nil {
		return nil
	}
	return &featuresv1.Logins{Email: got.GetEmail(), Socials: got.GetSocials()}
}

// Invoke calls GetFeatures, so that the gateway serves it as it serves the services behind connections.
func (f *features) Invoke(ctx context.Context, method string, _, resp any, _ ...grpc.CallOption) error {
	out, ok := resp.(*featuresv1.GetFeaturesResponse)
	if !ok {
		return status.Errorf(codes.Unimplemented, "%s is not served", method)
	}
	got, err := f.GetFeatures(ctx, nil)
	if err != nil {
		return err
	}
	proto.Merge(out, got)
	return nil
}

// NewStream fails: the service has no streams.
func (*features) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.ErrUnsupported
}
