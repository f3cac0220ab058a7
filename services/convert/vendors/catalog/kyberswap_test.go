package catalog_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestKyberSwapDoesNotServeAChainWithoutAName(t *testing.T) {
	server, source := open(t, "kyberswap")
	local := ask(evm.Native, usdc, big.NewInt(1e18))
	local.ChainID = "eip155:31337"
	if _, err := source.Quote(t.Context(), local); !errors.Is(err, vendors.ErrChain) || len(server.Calls()) != 0 {
		t.Errorf("failed with %v, after %d calls", err, len(server.Calls()))
	}
}

func TestKyberSwapIsSentALargeSlippageAsIntended(t *testing.T) {
	server, source := open(t, "kyberswap")
	for _, bps := range []uint32{2_000, 2_001, 5_000} {
		a := ask(evm.Native, usdc, big.NewInt(1e18))
		a.SlippageBPS = bps
		build(t, source, a)
	}
	if len(server.Calls()) != 6 {
		t.Errorf("requested %+v", server.Calls())
	}
}

func TestKyberSwapBuildsNoQuoteWithoutItsRoute(t *testing.T) {
	server, source := open(t, "kyberswap")
	quote := vendors.Quote{Vendor: "kyberswap", Out: big.NewInt(1)}
	if _, err := source.Build(t.Context(), ask(evm.Native, usdc, big.NewInt(1e18)), quote); !errors.Is(err, vendors.ErrRejected) || len(server.Calls()) != 0 {
		t.Errorf("failed with %v, after %d calls", err, len(server.Calls()))
	}
}
