package kyberswap_test

import (
	"errors"
	"math/big"
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/kyberswap"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/evm"
)

var ask = vendors.Request{
	ChainID: "eip155:1", From: evm.Native, To: evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), Amount: big.NewInt(1e18), Sender: evm.Address{1},
}

func open(t *testing.T) (*vendorstest.Server, vendors.Source) {
	t.Helper()
	server := vendorstest.Serve(t, "kyberswap")
	cfg := server.Config()
	cfg.Contracts = map[string][]string{"eip155:31337": {server.Contract().String()}}
	sources, err := vendors.Open(map[string]vendors.Config{"kyberswap": cfg}, map[string]vendors.Vendor{"kyberswap": kyberswap.Vendor()})
	if err != nil {
		t.Fatal(err)
	}
	return server, sources[0]
}

func TestErrorsAreClassifiedByTheirCodeWhateverTheStatus(t *testing.T) {
	server, source := open(t)
	for code, want := range map[string]error{
		"4008": vendors.ErrNoLiquidity, "4009": vendors.ErrNoLiquidity, "4010": vendors.ErrNoLiquidity, "4011": vendors.ErrToken, "4221": vendors.ErrToken,
		"4222": vendors.ErrMoved, "4000": vendors.ErrRejected, "4227": vendors.ErrRejected,
	} {
		for _, status := range []int{http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity} {
			server.Answer(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				_, _ = w.Write([]byte(`{"code":` + code + `,"message":"as documented"}`))
			})
			if _, err := source.Quote(t.Context(), ask); !errors.Is(err, want) {
				t.Errorf("HTTP %d with code %s is %v, want %v", status, code, err, want)
			}
		}
	}
}

func TestAChainWithoutANameIsUnsupported(t *testing.T) {
	server, source := open(t)
	local := ask
	local.ChainID = "eip155:31337"
	if _, err := source.Quote(t.Context(), local); !errors.Is(err, vendors.ErrChain) || len(server.Calls()) != 0 {
		t.Errorf("failed with %v, after %d calls", err, len(server.Calls()))
	}
}

func TestALargeSlippageIsSentAsIntended(t *testing.T) {
	server, source := open(t)
	for _, bps := range []uint32{2_000, 2_001, 5_000} {
		a := ask
		a.SlippageBPS = bps
		quote, err := source.Quote(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := source.Build(t.Context(), a, quote); err != nil {
			t.Errorf("%d bps: %v", bps, err)
		}
	}
	if len(server.Calls()) != 6 {
		t.Errorf("requested %+v", server.Calls())
	}
}

func TestAQuoteWithoutItsRouteIsNotBuilt(t *testing.T) {
	server, source := open(t)
	if _, err := source.Build(t.Context(), ask, vendors.Quote{Vendor: "kyberswap", Out: big.NewInt(1)}); !errors.Is(err, vendors.ErrRejected) || len(server.Calls()) != 0 {
		t.Errorf("failed with %v, after %d calls", err, len(server.Calls()))
	}
}
