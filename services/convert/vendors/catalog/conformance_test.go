package catalog_test

import (
	"errors"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	usdc      = evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	dai       = evm.MustAddress("0x6B175474E89094C44Da98b954EedeAC495271d0F")
	swapper   = evm.MustAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	unrelated = evm.MustAddress("0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF")
)

// largest is 2^256-1, of 78 digits.
var largest = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

func ask(from, to evm.Address, amount *big.Int) vendors.Request {
	return vendors.Request{
		ChainID: "eip155:1", From: from, To: to, Amount: amount, Sender: swapper, SlippageBPS: 50,
		GasPrice: big.NewInt(1_325_427_480),
	}
}

func each(t *testing.T, test func(t *testing.T, server *vendorstest.Server, source vendors.Source)) {
	for _, name := range slices.Sorted(maps.Keys(catalog.Vendors())) {
		t.Run(name, func(t *testing.T) {
			server := vendorstest.Serve(t, name)
			sources, err := catalog.Open(map[string]vendors.Config{name: server.Config()})
			if err != nil {
				t.Fatal(err)
			}
			test(t, server, sources[0])
		})
	}
}

func TestQuoteReturnsTheAmountOfTheVendor(t *testing.T) {
	for what, a := range map[string]vendors.Request{
		"a token for another":         ask(dai, usdc, big.NewInt(1e18)),
		"the native currency is sold": ask(evm.Native, usdc, big.NewInt(1e18)),
		"and bought":                  ask(usdc, evm.Native, big.NewInt(1e9)),
		"one unit":                    ask(dai, usdc, big.NewInt(1)),
		"as many as there can be":     ask(dai, usdc, largest),
	} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				q, err := source.Quote(t.Context(), a)
				if err != nil {
					t.Fatal(err)
				}
				if q.Vendor != server.Vendor || q.Out.Cmp(pays(a.Amount)) != 0 || q.Gas != 189_669 {
					t.Errorf("quoted %+v", q)
				}
				if want := spender(a, server); q.Spender != want {
					t.Errorf("the allowance goes to %s, want %s", q.Spender, want)
				}
				received := server.Calls()
				if len(received) != 1 || received[0].From != a.From || received[0].To != a.To || received[0].Amount.Cmp(a.Amount) != 0 || received[0].ChainNumber != "1" {
					t.Errorf("requested %+v", received)
				}
				if received[0].Sender == swapper {
					t.Error("the vendor got the account that swaps, for a quote")
				}
			})
		})
	}
}

func TestBuildReturnsTheQuotedAmounts(t *testing.T) {
	for what, a := range map[string]vendors.Request{
		"a token for another":         ask(dai, usdc, big.NewInt(1e18)),
		"the native currency is sold": ask(evm.Native, usdc, big.NewInt(1e18)),
		"and bought":                  ask(usdc, evm.Native, big.NewInt(1e9)),
		"as many as there can be":     ask(dai, usdc, largest),
	} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				tx := build(t, source, a)
				if tx.To != server.Contract() || tx.Spender != spender(a, server) || tx.Gas != 189_669 || len(tx.Data) < 36 || tx.Unbounded != (server.Vendor == "0x") {
					t.Errorf("built %+v", tx)
				}
				if want := value(a); tx.Value.Cmp(want) != 0 {
					t.Errorf("pays %s wei, want %s", tx.Value, want)
				}
				out := pays(a.Amount)
				if least := afterHalfPercent(out); tx.Out.Cmp(out) != 0 || tx.MinOut.Cmp(least) != 0 {
					t.Errorf("pays %s and at least %s, want %s and %s", tx.Out, tx.MinOut, out, least)
				}
				received := server.Calls()
				last := received[len(received)-1]
				if len(received) != 2 || !last.Building || last.Sender != swapper || last.Amount.Cmp(a.Amount) != 0 {
					t.Errorf("requested %+v", received)
				}
			})
		})
	}
}

func TestSlippageIsSentInTheUnitOfTheVendor(t *testing.T) {
	want := map[string]string{"0x": "50", "1inch": "0.5"}
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		build(t, source, ask(dai, usdc, big.NewInt(1e18)))
		if received := server.Calls(); received[1].Slippage != want[server.Vendor] {
			t.Errorf("requested for a slippage of %q, want %q", received[1].Slippage, want[server.Vendor])
		}
	})
}

func TestTheGasPriceIsOptional(t *testing.T) {
	a := ask(dai, usdc, big.NewInt(1e18))
	a.GasPrice = nil
	each(t, func(t *testing.T, _ *vendorstest.Server, source vendors.Source) { build(t, source, a) })
}

// expect checks the kind of an error, and that it names the vendor and contains no secret.
func expect(t *testing.T, server *vendorstest.Server, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("failed with %v, want %v", err, want)
		return
	}
	if text := err.Error(); !strings.HasPrefix(text, server.Vendor+": ") || strings.Contains(text, vendorstest.Key) || strings.Contains(text, "?") {
		t.Errorf("failed with %q", text)
	}
}

func build(t *testing.T, source vendors.Source, a vendors.Request) vendors.Transaction {
	t.Helper()
	q, err := source.Quote(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := source.Build(t.Context(), a, q)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func say(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// pays returns the output of the servers for an amount.
func pays(amount *big.Int) *big.Int {
	out := new(big.Int).Mul(amount, big.NewInt(997))
	if out.Quo(out, big.NewInt(1000)); out.Sign() == 0 {
		out.SetInt64(1)
	}
	return out
}

func afterHalfPercent(n *big.Int) *big.Int {
	left := new(big.Int).Mul(n, big.NewInt(9_950))
	return left.Quo(left, big.NewInt(10_000))
}

func value(a vendors.Request) *big.Int {
	if a.From == evm.Native {
		return a.Amount
	}
	return new(big.Int)
}

func spender(a vendors.Request, server *vendorstest.Server) evm.Address {
	if a.From == evm.Native {
		return evm.Address{}
	}
	return server.Contract()
}
