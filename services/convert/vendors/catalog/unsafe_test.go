package catalog_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestBuildRefusesWhatDiffersFromTheSwap(t *testing.T) {
	own := ask(evm.Native, usdc, big.NewInt(1e18))
	other := ask(dai, usdc, big.NewInt(1e18))
	bought := ask(dai, evm.Native, big.NewInt(1e18))
	// speaks lists the vendors whose format can express the lie; nil means all of them.
	for lie, tt := range map[string]struct {
		ask    vendors.Request
		bend   func(*vendorstest.Terms)
		speaks []string
		want   error
	}{
		"another contract is called":            {other, func(t *vendorstest.Terms) { t.Contract = unrelated }, nil, vendors.ErrUnsafe},
		"the sold token is called":              {other, func(t *vendorstest.Terms) { t.Contract = dai }, nil, vendors.ErrUnsafe},
		"the zero address is called":            {own, func(t *vendorstest.Terms) { t.Contract = evm.Address{} }, nil, vendors.ErrUnsafe},
		"another may take the token":            {other, func(t *vendorstest.Terms) { t.Spender = unrelated }, []string{"0x"}, vendors.ErrUnsafe},
		"more is paid":                          {own, func(t *vendorstest.Terms) { t.Value = big.NewInt(2e18) }, nil, vendors.ErrUnsafe},
		"less is paid":                          {own, func(t *vendorstest.Terms) { t.Value = new(big.Int) }, nil, vendors.ErrUnsafe},
		"a token's sale is paid for":            {other, func(t *vendorstest.Terms) { t.Value = big.NewInt(1) }, nil, vendors.ErrUnsafe},
		"its call pays another account":         {other, func(t *vendorstest.Terms) { t.Call.Receiver = unrelated }, nil, vendors.ErrUnsafe},
		"its call pays ether to another":        {own, func(t *vendorstest.Terms) { t.Call.Receiver = unrelated }, nil, vendors.ErrUnsafe},
		"its call sells another token":          {other, func(t *vendorstest.Terms) { t.Call.From = usdc }, nil, vendors.ErrUnsafe},
		"its call buys another token":           {other, func(t *vendorstest.Terms) { t.Call.To = unrelated }, nil, vendors.ErrUnsafe},
		"its call sells more":                   {other, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(2e18) }, nil, vendors.ErrUnsafe},
		"its call sells less":                   {other, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(1) }, nil, vendors.ErrUnsafe},
		"its call pays no account":              {other, func(t *vendorstest.Terms) { t.Call.Receiver = evm.Address{} }, []string{"0x"}, vendors.ErrUnsafe},
		"its call buys no token":                {bought, func(t *vendorstest.Terms) { t.Call.To = evm.Address{} }, []string{"0x"}, vendors.ErrUnsafe},
		"its call gives another account":        {other, func(t *vendorstest.Terms) { t.Call.Operator = unrelated }, []string{"0x"}, vendors.ErrUnsafe},
		"its call calls another contract":       {other, func(t *vendorstest.Terms) { t.Call.Target = unrelated }, []string{"0x"}, vendors.ErrUnsafe},
		"its call calls the zero address":       {own, func(t *vendorstest.Terms) { t.Call.Operator, t.Call.Target = evm.Address{}, evm.Address{} }, []string{"0x"}, vendors.ErrUnsafe},
		"its call sells more ether":             {own, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(2e18) }, []string{"0x"}, vendors.ErrUnsafe},
		"its call has no minimum":               {other, func(t *vendorstest.Terms) { t.Call.MinOut = new(big.Int) }, nil, vendors.ErrUnsafe},
		"its call may pay less":                 {other, func(t *vendorstest.Terms) { t.Call.MinOut = big.NewInt(992e15) }, nil, vendors.ErrUnsafe},
		"its call is another function":          {other, func(t *vendorstest.Terms) { t.Data = "0x12345678" + strings.Repeat("00", 320) }, nil, vendors.ErrUnsafe},
		"its call transfers":                    {other, func(t *vendorstest.Terms) { t.Data = "0xa9059cbb" + strings.Repeat("00", 64) }, nil, vendors.ErrUnsafe},
		"its call ends early":                   {other, func(t *vendorstest.Terms) { t.Data = "0x07ed2379" + strings.Repeat("00", 32) }, nil, vendors.ErrUnsafe},
		"the call data is empty":                {other, func(t *vendorstest.Terms) { t.Data = "0x" }, nil, vendors.ErrUnsafe},
		"the call data is too long":             {other, func(t *vendorstest.Terms) { t.Data = "0x" + strings.Repeat("00", 100<<10) }, nil, vendors.ErrUnsafe},
		"it is not call data":                   {other, func(t *vendorstest.Terms) { t.Data = "0xzz" }, nil, vendors.ErrBroken},
		"the minimum is zero":                   {other, func(t *vendorstest.Terms) { t.MinOut = "0" }, []string{"0x"}, vendors.ErrUnsafe},
		"the minimum is lower than requested":   {other, func(t *vendorstest.Terms) { t.MinOut = "992000000000000000" }, []string{"0x"}, vendors.ErrUnsafe},
		"the minimum is higher than the output": {other, func(t *vendorstest.Terms) { t.MinOut = "998000000000000000" }, []string{"0x"}, vendors.ErrUnsafe},
		"far less is paid than quoted": {other, func(t *vendorstest.Terms) {
			t.Out, t.MinOut, t.Call.MinOut = "900000000000000000", "895500000000000000", big.NewInt(8955e14)
		}, nil, vendors.ErrMoved},
		"nothing is paid":                     {other, func(t *vendorstest.Terms) { t.Out, t.MinOut = "0", "0" }, nil, vendors.ErrBroken},
		"more is paid than there can be":      {other, func(t *vendorstest.Terms) { t.Out = "1" + strings.Repeat("0", 78) }, nil, vendors.ErrBroken},
		"the amount was formatted as a float": {other, func(t *vendorstest.Terms) { t.Out = "9.97e17" }, nil, vendors.ErrBroken},
		"another amount is sold":              {other, func(t *vendorstest.Terms) { t.Amount = "2000000000000000000" }, []string{"0x"}, vendors.ErrBroken},
		"another token is sold":               {other, func(t *vendorstest.Terms) { t.From = unrelated }, nil, vendors.ErrBroken},
		"another token is bought":             {other, func(t *vendorstest.Terms) { t.To = unrelated }, nil, vendors.ErrBroken},
	} {
		t.Run(lie, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				if tt.speaks != nil && !slices.Contains(tt.speaks, server.Vendor) {
					t.Skip("its format cannot say this")
				}
				quote, err := source.Quote(t.Context(), tt.ask)
				if err != nil {
					t.Fatal(err)
				}
				server.Modify(tt.bend)
				tx, err := source.Build(t.Context(), tt.ask, quote)
				if err == nil {
					t.Fatalf("built %+v", tx)
				}
				expect(t, server, err, tt.want)
			})
		})
	}
}

func TestQuoteRefusesWhatDiffersFromTheRequest(t *testing.T) {
	for lie, tt := range map[string]struct {
		bend func(*vendorstest.Terms)
		want error
		not  []string
	}{
		"nothing is paid":                 {func(t *vendorstest.Terms) { t.Out = "0" }, vendors.ErrNoLiquidity, nil},
		"more is paid than there can be":  {func(t *vendorstest.Terms) { t.Out = "1" + strings.Repeat("0", 78) }, vendors.ErrBroken, nil},
		"the output is negative":          {func(t *vendorstest.Terms) { t.Out = "-1" }, vendors.ErrBroken, nil},
		"the amount is text":              {func(t *vendorstest.Terms) { t.Out = "a lot" }, vendors.ErrBroken, nil},
		"the gas exceeds that of a block": {func(t *vendorstest.Terms) { t.Gas = 2_000_000_000 }, vendors.ErrBroken, nil},
		"another amount is sold":          {func(t *vendorstest.Terms) { t.Amount = "2000000000000000000" }, vendors.ErrBroken, []string{"1inch"}},
		"another token is sold":           {func(t *vendorstest.Terms) { t.From = unrelated }, vendors.ErrBroken, nil},
		"another token is bought":         {func(t *vendorstest.Terms) { t.To = unrelated }, vendors.ErrBroken, nil},
		"another may take the token":      {func(t *vendorstest.Terms) { t.Spender = unrelated }, vendors.ErrUnsafe, []string{"1inch"}},
	} {
		t.Run(lie, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				if slices.Contains(tt.not, server.Vendor) {
					t.Skip("its format cannot say this")
				}
				server.Modify(tt.bend)
				_, err := source.Quote(t.Context(), ask(dai, usdc, big.NewInt(1e18)))
				expect(t, server, err, tt.want)
			})
		})
	}
}

func TestBuildRefusesTheQuoteOfAnotherVendor(t *testing.T) {
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		a := ask(dai, usdc, big.NewInt(1e18))
		for _, q := range []vendors.Quote{{}, {Vendor: "onchain", Out: big.NewInt(1)}, {Vendor: server.Vendor}} {
			_, err := source.Build(t.Context(), a, q)
			expect(t, server, err, vendors.ErrRejected)
		}
		q, err := source.Quote(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		a.Sender = evm.Address{}
		_, err = source.Build(t.Context(), a, q)
		expect(t, server, err, vendors.ErrRejected)
		if len(server.Calls()) != 1 {
			t.Error("the vendor was called")
		}
	})
}
