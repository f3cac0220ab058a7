// Package gatewaytest opens gateways over the services of a test.
package gatewaytest

import (
	"context"
	"log/slog"
	"maps"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

// WalletOrigin is the origin of the embedded wallet's pages in tests that have them.
const WalletOrigin = "https://wallet.example.org"

// Open returns a gateway for the project of b.
func Open(t *testing.T, b *accesstest.Book) *gateway.Gateway {
	t.Helper()
	return OpenOn(t, b, nil)
}

// OpenOn is Open with more procedures than those that every test has.
func OpenOn(t *testing.T, b *accesstest.Book, more accesstest.Conn) *gateway.Gateway {
	t.Helper()
	return OpenWith(t, gateway.DefaultConfig(), b, more)
}

// OpenWith is OpenOn with a configuration.
func OpenWith(t *testing.T, cfg gateway.Config, b *accesstest.Book, more accesstest.Conn) *gateway.Gateway {
	t.Helper()
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: b.Get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)}, nil
		},
		chainsv1.ChainsService_ListSupportedChains_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ListSupportedChainsResponse{Http: []string{"eip155:1"}}, nil
		},
		balancesv1.BalancesService_ListPrices_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if len(req.(*balancesv1.ListPricesRequest).GetAddresses()) == 0 {
				panic("no addresses")
			}
			return &balancesv1.ListPricesResponse{}, nil
		},
	}
	maps.Copy(services, more)
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "activity", "convert", "names", "nfts", "balances", "chains", "onramp", "projects")}, cfg, Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Deps returns the dependencies of a gateway that is ready and has no limits beside those of its configuration.
func Deps(t *testing.T) gateway.Deps {
	t.Helper()
	return gateway.Deps{Log: slog.New(slog.DiscardHandler), Ready: func(context.Context) error { return nil }, Stopping: t.Context(), Version: "1.2.3", Commit: "abc"}
}
