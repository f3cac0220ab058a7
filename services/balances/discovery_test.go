package balances

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/balances/evm"
)

// index is a history in which contracts moved something to every account; nil: the index cannot be reached.
type index []string

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

// storageWord is the slot, or the value, n.
func storageWord(n *big.Int) string { return fmt.Sprintf("0x%064x", n) }

// stranger puts a token of eighteen decimals at an address that no list knows, and gives some of it to a holder. Name and symbol are at
// most 31 bytes.
func (w world) stranger(tb testing.TB, number int, name, symbol, holder string, units *big.Int) string {
	tb.Helper()
	address := fmt.Sprintf("0x%040x", 0xdecade0000+number)
	var code string
	if err := json.Unmarshal(w.chain.Call(tb, "eth_getCode", w.chain.Token(tb, "tDAI").Address, "latest"), &code); err != nil {
		tb.Fatal(err)
	}
	w.chain.Call(tb, "anvil_setCode", address, code)
	for slot, text := range []string{name, symbol} {
		short := append(append([]byte(text), make([]byte, 31-len(text))...), byte(2*len(text)))
		w.chain.Call(tb, "anvil_setStorageAt", address, storageWord(big.NewInt(int64(slot))), storageWord(new(big.Int).SetBytes(short)))
	}
	w.give(tb, address, holder, units)
	return address
}

// give sets what a holder has of a token.
func (w world) give(tb testing.TB, token, holder string, units *big.Int) {
	tb.Helper()
	const balanceOf = 3
	slot := sha3.NewLegacyKeccak256()
	slot.Write(evm.MustAddress(holder).Word())
	slot.Write(evm.Address{19: balanceOf}.Word())
	w.chain.Call(tb, "anvil_setStorageAt", token, storageWord(new(big.Int).SetBytes(slot.Sum(nil))), storageWord(units))
}

func TestTokensOutsideTheListsAreFoundInTheHistory(t *testing.T) {
	holder := "0x00000000000000000000000000000000000000D1"
	w := open(t)
	touched := index{
		w.stranger(t, 1, "Honest Coin", "HON", holder, big.NewInt(5)),
		w.stranger(t, 2, "Sold Coin", "SOLD", holder, new(big.Int)),
		w.chain.Token(t, "RVRT").Address, w.chain.Token(t, "BURN").Address, w.devnet.Accounts[0].Address, w.chain.Token(t, "tUSD").Address,
	}
	w = open(t, holdings(touched))
	request := &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain}
	for range 2 {
		got := w.ask(t, request)
		if len(got) != 1 || got[0].GetName() != "Honest Coin" || got[0].GetQuantity().GetNumeric() != "0.000000000000000005" || got[0].Hidden != nil {
			t.Errorf("got %v, want only what is held, and not hidden where no pools are known", got)
		}
		w.OnHead(watchedChain, 1)
	}
	if n := w.nodes.requests.Load(); n != 2 {
		t.Errorf("%d requests, want one a reading: what is not listed rides along", n)
	}
}

func TestListedTokensAreThereWhileTheHistoryIsNot(t *testing.T) {
	w := open(t, holdings(nil))
	if got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[1].Address, Currency: "usd", ChainId: watchedChain}); len(got) < 3 {
		t.Errorf("got %s", symbols(got))
	}
}

func TestDeceitfulTokensComeLastAndSayWhy(t *testing.T) {
	w := open(t)
	holder := w.devnet.Accounts[5].Address
	touched := index{
		w.stranger(t, 11, "Test USD", "tUЅD", holder, big.NewInt(1)), // a Cyrillic letter in it
		w.stranger(t, 12, "Visit rich.example to claim", "RICH", holder, big.NewInt(1)),
		w.stranger(t, 13, "Ether", "E T H", holder, big.NewInt(1)),
		w.stranger(t, 14, "Honest Coin", "HON", holder, big.NewInt(1)),
	}
	w = open(t, holdings(touched))
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: holder, Currency: "usd", ChainId: watchedChain})
	want := map[string]string{"ETH": "", "tUSD": "", "HON": "", "tUЅD": HiddenLookAlike, "RICH": HiddenLink, "E T H": HiddenLookAlike}
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

func TestWhatHidesAToken(t *testing.T) {
	j := judge{taken: map[string]bool{looks("USDC"): true, looks("WETH"): true}, liquid: true}
	cases := []struct {
		name, symbol string
		priced       bool
		want         string
	}{
		{"USD Coin", "USDC", true, HiddenLookAlike},
		{"USD Coin", "usd-c", true, HiddenLookAlike},
		{"USD Coin", "UЅDС", true, HiddenLookAlike},
		{"USD Coin", "U$DC", true, HiddenLookAlike},
		{"USD Coin", "ＵＳＤＣ", true, HiddenLookAlike},
		{"Wrapped", "WΕΤΗ", true, HiddenLookAlike},
		{"USD Coin (bridged)", "USDC.e", true, ""},
		{"https://rich.example", "RICH", true, HiddenLink},
		{"Rich www.rich.example", "RICH", true, HiddenLink},
		{"Join t.me/rich", "RICH", true, HiddenLink},
		{"Rich", "rich.example", true, HiddenLink},
		{"Claim at rich.example", "RICH", true, HiddenLink},
		{"curve.fi DAI pool", "3CRV", true, ""},
		{"Visit Card", "VISIT", true, ""},
		{"Unsellable", "UNS", false, HiddenNoLiquidity},
		{"Sellable", "SEL", true, ""},
	}
	for _, c := range cases {
		if got := j.verdict(Holding{Name: c.name, Symbol: c.symbol, Priced: c.priced}); got != c.want {
			t.Errorf("%s (%s): got %q, want %q", c.name, c.symbol, got, c.want)
		}
	}
	if got := (judge{}).verdict(Holding{Name: "Unsellable", Symbol: "UNS"}); got != "" {
		t.Errorf("where no pools are known: got %q", got)
	}
}
