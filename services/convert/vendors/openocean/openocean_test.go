package openocean_test

import (
	"errors"
	"math/big"
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/openocean"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/evm"
)

var ask = vendors.Request{
	ChainID: "eip155:1", From: evm.Native, To: evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), Amount: big.NewInt(1e18), Sender: evm.Address{1},
	SlippageBPS: 50,
}

func open(t *testing.T) (*vendorstest.Server, vendors.Source) {
	t.Helper()
	server := vendorstest.Serve(t, "openocean")
	sources, err := vendors.Open(map[string]vendors.Config{"openocean": server.Config()}, map[string]vendors.Vendor{"openocean": openocean.Vendor()})
	if err != nil {
		t.Fatal(err)
	}
	return server, sources[0]
}

func TestErrorsAreClassifiedByTheirTextWhateverTheStatus(t *testing.T) {
	server, source := open(t)
	for body, want := range map[string]error{
		`{"code":500,"error":"Insufficient liquidity"}`:     vendors.ErrNoLiquidity,
		`{"code":500,"message":"No available route"}`:       vendors.ErrNoLiquidity,
		`{"code":500,"error":"token is not exist"}`:         vendors.ErrToken,
		`{"code":500,"error":"chain not support"}`:          vendors.ErrChain,
		`{"code":429,"error":"slow down"}`:                  vendors.ErrRateLimited,
		`{"code":500,"error":"boom","data":"not an offer"}`: vendors.ErrBroken,
	} {
		for _, status := range []int{http.StatusOK, http.StatusInternalServerError} {
			server.Answer(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				_, _ = w.Write([]byte(body))
			})
			if _, err := source.Quote(t.Context(), ask); !errors.Is(err, want) {
				t.Errorf("HTTP %d with %s is %v, want %v", status, body, err, want)
			}
		}
	}
}

func TestAGasPriceIsSentEvenIfNoneIsKnown(t *testing.T) {
	server, source := open(t)
	dear := ask
	dear.GasPrice = big.NewInt(42)
	for _, a := range []vendors.Request{ask, dear} {
		if _, err := source.Quote(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if received := server.Calls(); received[0].GasPrice != "1000000000" || received[1].GasPrice != "42" {
		t.Errorf("said %s and %s", received[0].GasPrice, received[1].GasPrice)
	}
}

func TestSlippageBelowTheLeastOfTheVendorIsNotRaised(t *testing.T) {
	server, source := open(t)
	tight := ask
	tight.SlippageBPS = 4
	quote, err := source.Quote(t.Context(), tight)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Build(t.Context(), tight, quote); !errors.Is(err, vendors.ErrRejected) || len(server.Calls()) != 1 {
		t.Errorf("failed with %v after %d calls", err, len(server.Calls()))
	}
}
