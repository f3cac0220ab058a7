package activity

import (
	"math/big"
	"strings"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
)

// directions returns the transfers of a trade in the order for a client with this name and version.
func directions(t *testing.T, st, sv string, trade ...index.Transfer) string {
	t.Helper()
	p := Page{Names: wellKnown{}, Rows: []Entry{{Row: index.Row{Detail: index.Detail{Operation: index.Trade, Transfers: trade}}, Claims: 1}}}
	res := p.response(clientOf(&activityv1.GetHistoryRequest{St: st, Sv: sv}))
	var list []string
	for _, transfer := range res.GetData()[0].GetTransfers() {
		list = append(list, transfer.GetDirection()+transfer.GetQuantity().GetNumeric())
	}
	return strings.Join(list, " ")
}

func TestTransfersOfATradeAreInTheOrderThatTheClientExpects(t *testing.T) {
	moved := func(d index.Direction, units int64) index.Transfer {
		return index.Transfer{Asset: index.Asset{Standard: index.ERC20}, Direction: d, Units: big.NewInt(units)}
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
		if got := directions(t, c.st, c.sv, moved(index.In, 2), moved(index.Out, 1), moved(index.In, 3), moved(index.Out, 4), moved(index.Out, 9)); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.st, c.sv, got, c.want)
		}
	}
}

func TestAnUnlimitedAllowanceHasNoQuantityForClientsOfTheIncumbent(t *testing.T) {
	unlimited := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	permit2 := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))
	numericTo := func(st string, operation index.Operation, units *big.Int) string {
		p := Page{Names: wellKnown{}, Rows: []Entry{{Row: index.Row{Detail: index.Detail{Operation: operation, Transfers: []index.Transfer{{Asset: index.Asset{Standard: index.ERC20}, Direction: index.Out, Units: units}}}}}}}
		res := p.response(clientOf(&activityv1.GetHistoryRequest{St: st, Sv: "react-wagmi-1.7.3"}))
		return res.GetData()[0].GetTransfers()[0].GetQuantity().GetNumeric()
	}
	for _, units := range []*big.Int{unlimited, permit2} {
		if got := numericTo("appkit", index.Approve, units); got != "" {
			t.Errorf("AppKit gets %s", got)
		}
		if got := numericTo("hawser", index.Approve, units); got != units.String() {
			t.Errorf("other clients get %q", got)
		}
	}
	if got := numericTo("appkit", index.Approve, big.NewInt(5)); got != "5" {
		t.Errorf("an allowance of 5 is %q", got)
	}
}
