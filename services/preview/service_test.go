package preview

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// noChains is a chains service that does not answer.
type noChains struct{}

func (noChains) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return nil, status.Error(codes.Unavailable, "no connection")
}

func (noChains) Forward(context.Context, *chainsv1.ForwardRequest, ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	return nil, status.Error(codes.Unavailable, "no connection")
}

func TestAChainIsUnsupportedOnlyIfItsIDIsNotCanonicalWhileTheNetworksAreUnknown(t *testing.T) {
	client := chainclient.NewFrom(noChains{}, noChains{}, clock.System{})
	lists, err := tokens.Load(tokens.Config{}, client)
	if err != nil {
		t.Fatal(err)
	}
	s := serverOf(t, DefaultConfig(), Deps{Chain: client, Lists: lists, Clock: clock.System{}})
	_, err = s.Simulate(t.Context(), &previewv1.SimulateRequest{ChainId: "eip155:1", Account: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", Message: "0x00"})
	if got := fault.From(err); got.Code != codes.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
	for _, id := range []string{"1", "eip155:01", "eip155:1e0", "eip155:0x1", "eip155:0b1", "eip155:+1", "eip155:0", "eip155:12345678901234567"} {
		_, err = s.Simulate(t.Context(), &previewv1.SimulateRequest{ChainId: id, Account: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", Message: "0x00"})
		if got := fault.From(err); got.Code != codes.InvalidArgument {
			t.Errorf("%s: got %v, want INVALID_ARGUMENT", id, err)
		}
	}
}

// serverOf returns the service.
func serverOf(t *testing.T, cfg Config, deps Deps) *server {
	t.Helper()
	descriptors, err := LoadDescriptors(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(cfg, deps, descriptors)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
