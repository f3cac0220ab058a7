package activity

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"google.golang.org/grpc"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
)

// directions of the transfers that a client with this name and version gets of one trade.
func directions(t *testing.T, st, sv string, trade ...Transfer) string {
	t.Helper()
	p := Page{Named: wellKnown{}, Rows: []Entry{{Row: Row{Detail: Detail{Operation: Trade, Transfers: trade}}, Claims: 1}}}
	res := p.answer(readerOf(&activityv1.GetHistoryRequest{St: st, Sv: sv}))
	var list []string
	for _, transfer := range res.GetData()[0].GetTransfers() {
		list = append(list, transfer.GetDirection()+transfer.GetQuantity().GetNumeric())
	}
	return strings.Join(list, " ")
}

func TestATradeIsToldInTheOrderThatItsClientReads(t *testing.T) {
	moved := func(d Direction, units int64) Transfer {
		return Transfer{Asset: Asset{Standard: ERC20}, Direction: d, Units: big.NewInt(units)}
	}
	const sold, bought = "out1 out4 in2 in3 out9", "in2 in3 out1 out4 out9"
	for _, c := range []struct{ st, sv, want string }{
		{"", "", sold},
		{"hawser", "html-core-2.0.0", sold},
		{"appkit", "", sold},
		{"appkit", "unknown", sold},
		{"appkit", "react-wagmi-1.7.3", sold},
		{"appkit", "html-core-1.7.10", sold},
		{"appkit", "react-wagmi-1.7.11", bought},
		{"appkit", "html-core-1.8.0", bought},
		{"appkit", "vue-ethers5-1.8.0", bought},
		{"appkit", "next-wagmi-solana-1.8.0-canary.1", bought},
		{"appkit", "1.8.0", bought},
		{"appkit", "react-wagmi-99999.8.0", sold},
	} {
		if got := directions(t, c.st, c.sv, moved(In, 2), moved(Out, 1), moved(In, 3), moved(Out, 4), moved(Out, 9)); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.st, c.sv, got, c.want)
		}
	}
}

func TestAnAllowanceWithoutAnEndIsNotSpeltToClientsThatPrintItAsAFloat(t *testing.T) {
	unlimited := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	permit2 := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))
	numericTo := func(st string, operation Operation, units *big.Int) string {
		p := Page{Named: wellKnown{}, Rows: []Entry{{Row: Row{Detail: Detail{Operation: operation, Transfers: []Transfer{{Asset: Asset{Standard: ERC20}, Direction: Out, Units: units}}}}}}}
		res := p.answer(readerOf(&activityv1.GetHistoryRequest{St: st, Sv: "react-wagmi-1.7.3"}))
		return res.GetData()[0].GetTransfers()[0].GetQuantity().GetNumeric()
	}
	for _, units := range []*big.Int{unlimited, permit2} {
		if got := numericTo("appkit", Approve, units); got != "" {
			t.Errorf("the incumbent's client reads %s", got)
		}
		if got := numericTo("hawser", Approve, units); got != units.String() {
			t.Errorf("everyone else reads %q", got)
		}
	}
	if got := numericTo("appkit", Approve, big.NewInt(5)); got != "5" {
		t.Errorf("an allowance of 5 is %q", got)
	}
}

// emptyHouse stands for the service of purchases where no provider is set up.
type emptyHouse struct{}

func (emptyHouse) ListPurchases(_ context.Context, r *onrampv1.ListPurchasesRequest, _ ...grpc.CallOption) (*onrampv1.ListPurchasesResponse, error) {
	return nil, apiparse.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", r.GetProvider()).GRPCStatus().Err()
}

func TestPurchasesOfCoinbaseAreNoneWhereItIsNotSetUp(t *testing.T) {
	for what, s := range map[string]*server{"nothing is sold": {}, "others sell": {purchases: purchases{emptyHouse{}}}} {
		res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase"})
		if err != nil || len(res.GetData()) != 0 || res.Next != nil {
			t.Errorf("%s: %v, %v", what, res, err)
		}
		if _, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "meld"}); err == nil {
			t.Errorf("%s: meld is not refused", what)
		}
	}
}
