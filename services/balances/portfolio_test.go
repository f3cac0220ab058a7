package balances

import (
	"slices"
	"testing"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestPortfolioListsEachPositionOnceByValue(t *testing.T) {
	w := open(t)
	holder := w.devnet.Accounts[1].Address
	res, err := w.GetPortfolio(t.Context(), &balancesv1.GetPortfolioRequest{Address: holder})
	if err != nil {
		t.Fatal(err)
	}
	value := map[string]float64{}
	for _, b := range w.ask(t, &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd"}) {
		id := b.GetAddress()
		if id == "" {
			id = b.GetChainId() + ":0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
		}
		value[id] = b.GetValue()
	}
	var values []float64
	for _, p := range res.GetData() {
		v, held := value[p.GetId()]
		if !held || p.GetName() == "" || p.GetSymbol() == "" {
			t.Errorf("got %v, which is not held", p)
		}
		delete(value, p.GetId())
		values = append(values, -v)
	}
	if len(value) != 0 || !slices.IsSorted(values) {
		t.Errorf("values %v, without %v", values, value)
	}
}

func TestInvalidPortfolioRequestsAreRefused(t *testing.T) {
	w := open(t)
	cases := map[faultv1.Reason]*balancesv1.GetPortfolioRequest{
		faultv1.Reason_REASON_ADDRESS_INVALID:      {Address: "0x12"},
		faultv1.Reason_REASON_CURRENCY_UNSUPPORTED: {Address: w.devnet.Accounts[0].Address, Currency: "irn"},
	}
	for reason, request := range cases {
		if _, err := w.GetPortfolio(t.Context(), request); fault.From(err).Reason != reason {
			t.Errorf("%v: got %v, want %v", request, err, reason)
		}
	}
}
