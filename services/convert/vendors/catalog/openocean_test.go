package catalog_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestOpenOceanIsSentAGasPriceEvenIfNoneIsKnown(t *testing.T) {
	server, source := open(t, "openocean")
	for _, price := range []*big.Int{nil, big.NewInt(42)} {
		a := ask(evm.Native, usdc, big.NewInt(1e18))
		a.GasPrice = price
		if _, err := source.Quote(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if received := server.Calls(); received[0].GasPrice != "1000000000" || received[1].GasPrice != "42" {
		t.Errorf("said %s and %s", received[0].GasPrice, received[1].GasPrice)
	}
}

func TestSlippageBelowTheLeastOfOpenOceanIsNotRaised(t *testing.T) {
	server, source := open(t, "openocean")
	tight := ask(evm.Native, usdc, big.NewInt(1e18))
	tight.SlippageBPS = 4
	quote, err := source.Quote(t.Context(), tight)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Build(t.Context(), tight, quote); !errors.Is(err, vendors.ErrRejected) || len(server.Calls()) != 1 {
		t.Errorf("failed with %v after %d calls", err, len(server.Calls()))
	}
}
