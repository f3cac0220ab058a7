package velora

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/evm"
)

func TestErrorsAreClassifiedByTheirText(t *testing.T) {
	for text, want := range map[string]error{
		"No routes found with enough liquidity":  vendors.ErrNoLiquidity,
		"ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT": vendors.ErrNoLiquidity,
		"Amount 1 is too small to proceed":       vendors.ErrNoLiquidity,
		"Invalid srcToken":                       vendors.ErrToken,
		"Invalid tokens":                         vendors.ErrToken,
		"Unsupported chain":                      vendors.ErrChain,
		"Network 8217 is not supported":          vendors.ErrChain,
		"Invalid priceRoute":                     nil,
		"Price Timeout":                          nil,
	} {
		body, err := json.Marshal(map[string]string{"error": text})
		if err != nil {
			t.Fatal(err)
		}
		if got := explain(400, body); !errors.Is(got, want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

func TestARouteOfAnotherSwapIsNotBuilt(t *testing.T) {
	server := vendorstest.Serve(t, "velora")
	sources, err := vendors.Open(map[string]vendors.Config{"velora": server.Config()}, map[string]vendors.Vendor{"velora": Vendor()})
	if err != nil {
		t.Fatal(err)
	}
	a := vendors.Request{
		ChainID: "eip155:1", From: evm.Native, To: evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), Amount: big.NewInt(1e18), Sender: evm.Address{1},
	}
	quote, err := sources[0].Quote(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for what, tt := range map[string]struct {
		raw  string
		want error
	}{
		"another amount": {`{"srcToken":"` + a.From.String() + `","destToken":"` + a.To.String() + `","srcAmount":"2","destAmount":"1"}`, vendors.ErrBroken},
		"no route":       {`{}`, vendors.ErrBroken},
		"no JSON":        {`{`, vendors.ErrBroken},
		"nothing":        {``, vendors.ErrRejected},
	} {
		quote.Raw = json.RawMessage(tt.raw)
		if _, err := sources[0].Build(t.Context(), a, quote); !errors.Is(err, tt.want) {
			t.Errorf("%s: failed with %v, want %v", what, err, tt.want)
		}
	}
	if len(server.Calls()) != 1 {
		t.Error("the vendor was called")
	}
}
