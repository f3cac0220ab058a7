package catalog_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestVeloraBuildsNoRouteOfAnotherSwap(t *testing.T) {
	server, source := open(t, "velora")
	a := ask(evm.Native, usdc, big.NewInt(1e18))
	quote, err := source.Quote(t.Context(), a)
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
		if _, err := source.Build(t.Context(), a, quote); !errors.Is(err, tt.want) {
			t.Errorf("%s: failed with %v, want %v", what, err, tt.want)
		}
	}
	if len(server.Calls()) != 1 {
		t.Error("the vendor was called")
	}
}
