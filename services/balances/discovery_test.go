package balances

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// index is a history in which contracts transferred tokens to every account; nil means that the index is unavailable.
type index []string

func (index) ListApproved(context.Context, *activityv1.ListApprovedRequest, ...grpc.CallOption) (*activityv1.ListApprovedResponse, error) {
	return nil, status.Error(codes.Unimplemented, "balances do not ask for approvals")
}

func (x index) ListTouched(_ context.Context, r *activityv1.ListTouchedRequest, _ ...grpc.CallOption) (*activityv1.ListTouchedResponse, error) {
	if x == nil {
		return nil, status.Error(codes.Unavailable, "no index")
	}
	res := &activityv1.ListTouchedResponse{}
	if !strings.HasPrefix(r.GetAccount(), watchedChain+":") || r.GetAccount() != strings.ToLower(r.GetAccount()) {
		return res, nil
	}
	for _, address := range x {
		res.Contracts = append(res.Contracts, &activityv1.Touched{Address: address, Standard: "erc20"})
	}
	return res, nil
}

// unlisted deploys a token of eighteen decimals that is not in a list, and gives some of it to a holder.
func (w world) unlisted(tb testing.TB, name, symbol, holder string, units *big.Int) string {
	tb.Helper()
	token := exchangetest.Token(tb, w.chain, name, symbol)
	exchangetest.Give(tb, w.chain, token, holder, units)
	return token
}

func TestUnlistedTokensAreFoundInTheHistory(t *testing.T) {
	holder := "0x00000000000000000000000000000000000000D1"
	w := open(t)
	touched := index{
		w.unlisted(t, "Honest Coin", "HON", holder, big.NewInt(5)),
		w.unlisted(t, "Sold Coin", "SOLD", holder, new(big.Int)),
		w.chain.Token(t, "RVRT").Address, w.chain.Token(t, "BURN").Address, w.devnet.Accounts[0].Address, w.chain.Token(t, "tUSD").Address,
	}
	w = open(t, withHistory(touched))
	request := &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain}
	for range 2 {
		got := w.ask(t, request)
		if len(got) != 1 || got[0].GetName() != "Honest Coin" || got[0].GetQuantity().GetNumeric() != "0.000000000000000005" || got[0].Hidden != nil {
			t.Errorf("got %v, want only what is held, and not hidden where no pools are known", got)
		}
		w.onHead(watchedChain)
	}
	if n := w.nodes.requests.Load(); n != 2 {
		t.Errorf("%d requests, want one a reading: what is not listed rides along", n)
	}
}

func TestATokenIsFoundWhereThereWasNoneAMinuteAgo(t *testing.T) {
	const address, holder = "0x00000000000000000000000000000000DeCade99", "0x00000000000000000000000000000000000000D2"
	now := clocktest.StoppedAt(time.Now())
	w := open(t, withHistory(index{address}), func(_ *Config, d *Deps) { d.Clock = now })
	w.chain.Call(t, "anvil_setCode", address, "0x")
	request := &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain}
	if got := w.ask(t, request); len(got) != 0 {
		t.Fatalf("got %s before there is a token", symbols(got))
	}
	w.chain.Call(t, "anvil_setCode", address, text(t, w.chain.Call(t, "eth_getCode", w.chain.Token(t, "tDAI").Address, "latest")))
	exchangetest.Give(t, w.chain, address, holder, big.NewInt(5))
	now.Pass(time.Minute)
	w.onHead(watchedChain)
	if got := w.ask(t, request); len(got) != 1 || got[0].GetQuantity().GetNumeric() != "0.000000000000000005" {
		t.Errorf("got %v", got)
	}
}

func text(tb testing.TB, raw json.RawMessage) (text string) {
	tb.Helper()
	if err := json.Unmarshal(raw, &text); err != nil {
		tb.Fatal(err)
	}
	return text
}

func TestListedTokensAreReadWithoutTheHistory(t *testing.T) {
	w := open(t, withHistory(nil))
	if got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[1].Address, Currency: "usd", ChainId: watchedChain}); len(got) < 3 {
		t.Errorf("got %s", symbols(got))
	}
}

func TestSpamTokensAreLastWithAReason(t *testing.T) {
	w := open(t)
	holder := w.devnet.Accounts[5].Address
	touched := index{
		w.unlisted(t, "Test USD", "tUЅD", holder, big.NewInt(1)), // the symbol has a Cyrillic letter
		w.unlisted(t, "Visit rich.example to claim", "RICH", holder, big.NewInt(1)),
		w.unlisted(t, "Ether", "E T H", holder, big.NewInt(1)),
		w.unlisted(t, "Honest Coin", "HON", holder, big.NewInt(1)),
	}
	w = open(t, withHistory(touched))
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain})
	want := map[string]string{"ETH": "", "tUSD": "", "HON": "", "tUЅD": holdings.HiddenLookAlike, "RICH": holdings.HiddenLink, "E T H": holdings.HiddenLookAlike}
	hidden := false
	for _, b := range got {
		if reason, ok := want[b.GetSymbol()]; !ok || reason != b.GetHidden() {
			t.Errorf("%s: hidden %q, want %q", b.GetSymbol(), b.GetHidden(), reason)
		}
		if hidden && b.Hidden == nil {
			t.Errorf("%s comes after a hidden token", b.GetSymbol())
		}
		hidden = b.Hidden != nil
	}
	if len(got) != len(want) {
		t.Errorf("got %s", symbols(got))
	}
	res, err := w.GetPortfolio(t.Context(), &balancesv1.GetPortfolioRequest{Address: holder})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range res.GetData() {
		if want[p.GetSymbol()] != "" {
			t.Errorf("the portfolio shows %s", p.GetSymbol())
		}
	}
}

func TestReasonsToHideAToken(t *testing.T) {
	sellable := prices.Asset{Chain: "eip155:1", Address: evm.Address{1}}
	taken := spam.ListedNames{}
	taken.Add("USDC", "USD Coin", "WETH")
	j := holdings.Visibility{Taken: taken, Unsellable: func(a prices.Asset) bool { return a != sellable }}
	cases := []struct {
		name, symbol string
		priced       bool
		want         string
	}{
		{"USD Coin", "USDC", true, holdings.HiddenLookAlike},
		{"USD Coin", "usd-c", true, holdings.HiddenLookAlike},
		{"USD Coin", "UЅDС", true, holdings.HiddenLookAlike},
		{"USD Coin", "U$DC", true, holdings.HiddenLookAlike},
		{"USD Cоin", "MINE", true, holdings.HiddenLookAlike},
		{"USD Coin", "ＵＳＤＣ", true, holdings.HiddenLookAlike},
		{"Wrapped", "WΕΤΗ", true, holdings.HiddenLookAlike},
		{"USD Coin (bridged)", "USDC.e", true, ""},
		{"https://rich.example", "RICH", true, holdings.HiddenLink},
		{"Rich www.rich.example", "RICH", true, holdings.HiddenLink},
		{"Join t.me/rich", "RICH", true, holdings.HiddenLink},
		{"Rich", "rich.example", true, holdings.HiddenLink},
		{"Claim at rich.example", "RICH", true, holdings.HiddenLink},
		{"curve.fi DAI pool", "3CRV", true, ""},
		{"Visit Card", "VISIT", true, ""},
		{"Unsellable", "UNS", false, holdings.HiddenNoLiquidity},
		{"Sellable", "SEL", true, ""},
	}
	for _, c := range cases {
		if got := j.HiddenBecause(prices.Asset{}, holdings.Holding{Name: c.name, Symbol: c.symbol, Priced: c.priced}); got != c.want {
			t.Errorf("%s (%s): got %q, want %q", c.name, c.symbol, got, c.want)
		}
	}
	if got := j.HiddenBecause(sellable, holdings.Holding{Name: "Without a price", Symbol: "UNK"}); got != "" {
		t.Errorf("where nothing is known of pools: got %q", got)
	}
}

func TestUnlistedTokensArePricedByPools(t *testing.T) {
	w := open(t)
	holder := "0x00000000000000000000000000000000000000D2"
	units := exchangetest.Units
	deep := w.unlisted(t, "Deep Coin", "DEEP", holder, units(3, 18))
	thin := w.unlisted(t, "Thin Coin", "THIN", holder, units(3, 18))
	dollar := w.chain.Token(t, "tUSD").Address
	whale := "0x00000000000000000000000000000000000000D3"
	exchangetest.Give(t, w.chain, deep, whale, units(1_000_000_000, 18))
	market := exchangetest.Deploy(t, w.chain)
	market.PoolV2(t, exchangetest.Amount{Token: deep, Units: units(10_000, 18)}, exchangetest.Amount{Token: dollar, Units: units(20_000, 6)})
	market.PoolV2(t, exchangetest.Amount{Token: thin, Units: units(10, 18)}, exchangetest.Amount{Token: dollar, Units: units(20, 6)})
	pools := map[string]prices.ChainPools{watchedChain: {
		Anchors:   []prices.Anchor{{Token: dollar, Decimals: 6}},
		Factories: []prices.Factory{{Name: "Uniswap", Shape: "v2", Address: market.V2, Fee: 3000}},
	}}
	w = open(t, withHistory(index{deep, thin}), configured(func(c *Config) { c.Prices.Pools = pools }))
	for range 2 {
		got := w.ask(t, &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain})
		if symbols(got) != "DEEP THIN" {
			t.Fatalf("got %s, want DEEP THIN", symbols(got))
		}
		if b := got[0]; b.GetValue() < 5.97 || b.GetValue() > 5.99 || b.ValueLimit != nil || b.GetPrice() != 2 || b.GetPriceSource() != "pool" || b.PriceAge == nil || b.Hidden != nil {
			t.Errorf("deep: got %v", b)
		}
		if b := got[1]; b.Value != nil || b.GetPrice() != 0 || b.PriceSource != nil || b.GetHidden() != holdings.HiddenNoLiquidity || b.GetValueLimit() != prices.ThinPools {
			t.Errorf("thin: got %v", b)
		}
		w.onHead(watchedChain)
	}
	requested := []string{watchedChain + ":" + strings.ToLower(deep), watchedChain + ":" + thin}
	res, err := open(t, configured(func(c *Config) { c.Prices.Pools = pools })).ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: requested})
	if err != nil {
		t.Fatal(err)
	}
	if f := res.GetFungibles(); len(f) != 1 || f[0].GetAddress() != requested[0] || f[0].GetPrice() != 2 || f[0].GetSymbol() != "DEEP" || f[0].GetPriceSource() != "pool" {
		t.Errorf("priced: got %v", f)
	}
	if n := w.nodes.requests.Load(); n != 4 {
		t.Errorf("%d requests, want three for tokens that are new here and one after the next block", n)
	}
	// What the pool pays for a million dollars' worth is bounded by a tenth of what is in it.
	if b := w.ask(t, &balancesv1.GetBalanceRequest{Address: whale, Currency: "usd", ChainId: watchedChain})[0]; b.GetValue() != 2_000 || b.GetValueLimit() != holdings.LimitSale {
		t.Errorf("a holding that no pool pays for: got %v", b)
	}
	young, err := poolLogs{chainclient.NewFrom(table{devnet: w.devnet}, w.nodes, clock.System{}).Transport}.Young(t.Context(), watchedChain, []evm.Address{evm.MustAddress(market.V2)}, []evm.Address{evm.MustAddress(deep), evm.MustAddress(dollar)})
	if err != nil || len(young) != 1 {
		t.Errorf("pools of the last hour: %v, %v", young, err)
	}
}
