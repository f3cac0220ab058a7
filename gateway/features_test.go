package gateway

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	featuresv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
)

func always(answer proto.Message) func(proto.Message) (proto.Message, error) {
	return func(proto.Message) (proto.Message, error) { return answer, nil }
}

func configured() accesstest.Conn {
	return accesstest.Conn{
		chainsv1.ChainsService_ListSupportedChains_FullMethodName: always(&chainsv1.ListSupportedChainsResponse{Http: []string{"eip155:1", "eip155:10"}}),
		convertv1.ExchangeService_ListChains_FullMethodName:       always(&convertv1.ListChainsResponse{ChainIds: []string{"eip155:1"}}),
		onrampv1.PurchaseService_ListConfigured_FullMethodName:    always(&onrampv1.ListConfiguredResponse{Providers: []string{"meld"}}),
		walletv1.OwnerService_ListLogins_FullMethodName:           always(&walletv1.ListLoginsResponse{Email: true, Socials: []string{"google"}}),
	}
}

func featuresOf(c accesstest.Conn, hasFrame bool, more ...string) *features {
	cfg := Config{}
	if hasFrame {
		cfg.Frame.Origin = "https://wallet.example.net"
	}
	return newFeatures(accesstest.Services(c, append(more, "chains", "convert", "onramp", "wallet")...), cfg)
}

func TestFeaturesAreWhatTheServicesAreConfiguredWith(t *testing.T) {
	all := &featuresv1.GetFeaturesResponse{
		Chains:     &featuresv1.ChainList{ChainIds: []string{"eip155:1", "eip155:10"}},
		SwapChains: &featuresv1.ChainList{ChainIds: []string{"eip155:1"}},
		Onramp:     &featuresv1.Onramp{Providers: []string{"meld"}},
		Logins:     &featuresv1.Logins{Email: true, Socials: []string{"google"}},
		Approvals:  new(false),
	}
	for name, tt := range map[string]struct {
		down     []string
		hasFrame bool
		want     func(*featuresv1.GetFeaturesResponse)
	}{
		"all services answer": {hasFrame: true, want: func(*featuresv1.GetFeaturesResponse) {}},
		"no pages of the wallet": {want: func(r *featuresv1.GetFeaturesResponse) {
			r.Logins = &featuresv1.Logins{}
		}},
		"what does not answer is unknown": {
			down: []string{
				convertv1.ExchangeService_ListChains_FullMethodName, onrampv1.PurchaseService_ListConfigured_FullMethodName,
				walletv1.OwnerService_ListLogins_FullMethodName,
			},
			hasFrame: true,
			want:     func(r *featuresv1.GetFeaturesResponse) { r.SwapChains, r.Onramp, r.Logins = nil, nil, nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := configured()
			for _, method := range tt.down {
				delete(c, method)
			}
			want := proto.CloneOf(all)
			tt.want(want)
			got, err := featuresOf(c, tt.hasFrame).GetFeatures(t.Context(), nil)
			if err != nil || !proto.Equal(got, want) {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
		})
	}
}

func TestApprovalsAreAFeatureWhereTheirServiceIs(t *testing.T) {
	if got, err := featuresOf(configured(), true, "access").GetFeatures(t.Context(), nil); err != nil || !got.GetApprovals() {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestFeaturesFailWithoutTheChains(t *testing.T) {
	c := configured()
	delete(c, chainsv1.ChainsService_ListSupportedChains_FullMethodName)
	if got, err := featuresOf(c, true).GetFeatures(t.Context(), nil); err == nil {
		t.Errorf("got %v", got)
	}
}

func TestFeaturesAreTheOnlyProcedure(t *testing.T) {
	f := featuresOf(configured(), true)
	if err := f.Invoke(t.Context(), walletv1.OwnerService_GetOwner_FullMethodName, nil, &walletv1.GetOwnerResponse{}); err == nil {
		t.Error("another procedure is answered")
	}
	if _, err := f.NewStream(t.Context(), nil, ""); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a stream is opened: %v", err)
	}
}
