package catalog_test

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/evm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	usdc     = evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	dai      = evm.MustAddress("0x6B175474E89094C44Da98b954EedeAC495271d0F")
	swapper  = evm.MustAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	stranger = evm.MustAddress("0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF")
)

// largest is 2^256-1, of 78 digits.
var largest = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

func ask(from, to evm.Address, amount *big.Int) vendors.Request {
	return vendors.Request{
		ChainID: "eip155:1", From: from, To: to, FromDecimals: 18, ToDecimals: 6, Amount: amount, Sender: swapper, SlippageBPS: 50,
		GasPrice: big.NewInt(1_325_427_480), Deadline: time.Unix(1_763_660_000, 0),
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

func TestAQuoteIsWhatTheVendorSays(t *testing.T) {
	for what, a := range map[string]vendors.Request{
		"a token for another":              ask(dai, usdc, big.NewInt(1e18)),
		"the chain's own currency is sold": ask(evm.Native, usdc, big.NewInt(1e18)),
		"and bought":                       ask(usdc, evm.Native, big.NewInt(1e9)),
		"one unit":                         ask(dai, usdc, big.NewInt(1)),
		"as many as there can be":          ask(dai, usdc, largest),
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
				heard := server.Calls()
				if len(heard) != 1 || heard[0].From != a.From || heard[0].To != a.To || heard[0].Amount.Cmp(a.Amount) != 0 || heard[0].ChainNumber != "1" {
					t.Errorf("asked %+v", heard)
				}
				if heard[0].Sender == swapper {
					t.Error("the vendor was told who swaps, for a quote")
				}
			})
		})
	}
}

func TestATransactionIsWhatWasQuoted(t *testing.T) {
	for what, a := range map[string]vendors.Request{
		"a token for another":              ask(dai, usdc, big.NewInt(1e18)),
		"the chain's own currency is sold": ask(evm.Native, usdc, big.NewInt(1e18)),
		"and bought":                       ask(usdc, evm.Native, big.NewInt(1e9)),
		"as many as there can be":          ask(dai, usdc, largest),
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
				heard := server.Calls()
				last := heard[len(heard)-1]
				if len(heard) != 2 || !last.Building || last.Sender != swapper || last.Amount.Cmp(a.Amount) != 0 {
					t.Errorf("asked %+v", heard)
				}
			})
		})
	}
}

func TestSlippageIsSpelledAsTheVendorDoes(t *testing.T) {
	want := map[string]string{"0x": "50", "1inch": "0.5", "kyberswap": "50", "lifi": "0.005", "openocean": "0.5", "velora": "50"}
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		build(t, source, ask(dai, usdc, big.NewInt(1e18)))
		if heard := server.Calls(); heard[1].Slippage != want[server.Vendor] {
			t.Errorf("asked for a slippage of %q, want %q", heard[1].Slippage, want[server.Vendor])
		}
	})
}

func TestTheDeadlineIsSaidToThoseWhoTakeOne(t *testing.T) {
	takes := []string{"kyberswap", "velora"}
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		build(t, source, ask(dai, usdc, big.NewInt(1e18)))
		want := ""
		if slices.Contains(takes, server.Vendor) {
			want = "1763660000"
		}
		if heard := server.Calls(); heard[1].Deadline != want {
			t.Errorf("said %q, want %q", heard[1].Deadline, want)
		}
	})
}

func TestWhatIsNotKnownIsLeftToTheVendor(t *testing.T) {
	a := ask(dai, usdc, big.NewInt(1e18))
	a.GasPrice, a.Deadline = nil, time.Time{}
	each(t, func(t *testing.T, _ *vendorstest.Server, source vendors.Source) { build(t, source, a) })
}

func TestFailuresAreToldApart(t *testing.T) {
	for way, want := range map[string]error{
		"no-liquidity": vendors.ErrNoLiquidity,
		"token":        vendors.ErrToken,
		"chain":        vendors.ErrChain,
		"refused":      vendors.ErrRejected,
		"key":          vendors.ErrKey,
		"limit":        vendors.ErrRateLimited,
		"broken":       vendors.ErrBroken,
	} {
		t.Run(way, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				a := ask(dai, usdc, big.NewInt(1e18))
				quote, err := source.Quote(t.Context(), a)
				if err != nil {
					t.Fatal(err)
				}
				server.Fail(way)
				_, err = source.Quote(t.Context(), a)
				expect(t, server, err, want)
				_, err = source.Build(t.Context(), a, quote)
				expect(t, server, err, want)
			})
		})
	}
}

func TestAnAnswerInAnotherFormIsNone(t *testing.T) {
	for behaviour, answer := range map[string]http.HandlerFunc{
		"HTML":              say(http.StatusOK, "<html>"),
		"nothing":           say(http.StatusOK, ""),
		"null":              say(http.StatusOK, "null"),
		"an empty object":   say(http.StatusOK, "{}"),
		"a list":            say(http.StatusOK, "[]"),
		"cut off":           say(http.StatusOK, `{"data":`),
		"a bad gateway":     say(http.StatusBadGateway, "<html>"),
		"another one's 500": say(http.StatusInternalServerError, "{}"),
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"more than is read":  say(http.StatusOK, `{"code":0,"filler":"`+strings.Repeat("x", 2<<20)+`"}`),
		"an error and more":  say(http.StatusInternalServerError, strings.Repeat("x", 2<<20)),
		"a broken pipe":      func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"the key, in return": func(w http.ResponseWriter, r *http.Request) { _ = r.Header.Write(w) },
	} {
		t.Run(behaviour, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				a := ask(dai, usdc, big.NewInt(1e18))
				quote, err := source.Quote(t.Context(), a)
				if err != nil {
					t.Fatal(err)
				}
				server.Answer(answer)
				_, err = source.Quote(t.Context(), a)
				expect(t, server, err, vendors.ErrBroken)
				if _, err = source.Build(t.Context(), a, quote); !errors.Is(err, vendors.ErrBroken) && !errors.Is(err, vendors.ErrUnsafe) {
					t.Errorf("built, with %v", err)
				}
			})
		})
	}
}

func TestASlowVendorIsNotWaitedFor(t *testing.T) {
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		server.Answer(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := source.Quote(ctx, ask(dai, usdc, big.NewInt(1e18)))
		expect(t, server, err, vendors.ErrBroken)
	})
}

func TestAnAskerThatLeavesIsNoFailure(t *testing.T) {
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		ctx, cancel := context.WithCancel(t.Context())
		server.Answer(func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		if _, err := source.Quote(ctx, ask(dai, usdc, big.NewInt(1e18))); !errors.Is(err, context.Canceled) || errors.Is(err, vendors.ErrBroken) {
			t.Errorf("failed with %v", err)
		}
	})
}

func TestAVendorCannotCheat(t *testing.T) {
	own := ask(evm.Native, usdc, big.NewInt(1e18))
	other := ask(dai, usdc, big.NewInt(1e18))
	bought := ask(dai, evm.Native, big.NewInt(1e18))
	// speaks lists the vendors whose format can say the lie at all; nil is all of them.
	for lie, tt := range map[string]struct {
		ask    vendors.Request
		bend   func(*vendorstest.Terms)
		speaks []string
		want   error
	}{
		"another contract is called":      {other, func(t *vendorstest.Terms) { t.Contract = stranger }, nil, vendors.ErrUnsafe},
		"the sold token is called":        {other, func(t *vendorstest.Terms) { t.Contract = dai }, nil, vendors.ErrUnsafe},
		"nothing is called":               {own, func(t *vendorstest.Terms) { t.Contract = evm.Address{} }, nil, vendors.ErrUnsafe},
		"another may take the token":      {other, func(t *vendorstest.Terms) { t.Spender = stranger }, []string{"0x", "lifi"}, vendors.ErrUnsafe},
		"more is paid":                    {own, func(t *vendorstest.Terms) { t.Value = big.NewInt(2e18) }, nil, vendors.ErrUnsafe},
		"less is paid":                    {own, func(t *vendorstest.Terms) { t.Value = new(big.Int) }, nil, vendors.ErrUnsafe},
		"a token's sale is paid for":      {other, func(t *vendorstest.Terms) { t.Value = big.NewInt(1) }, nil, vendors.ErrUnsafe},
		"its call pays a stranger":        {other, func(t *vendorstest.Terms) { t.Call.Receiver = stranger }, nil, vendors.ErrUnsafe},
		"its call pays ether to one":      {own, func(t *vendorstest.Terms) { t.Call.Receiver = stranger }, nil, vendors.ErrUnsafe},
		"its call sells another token":    {other, func(t *vendorstest.Terms) { t.Call.From = usdc }, nil, vendors.ErrUnsafe},
		"its call buys another token":     {other, func(t *vendorstest.Terms) { t.Call.To = stranger }, nil, vendors.ErrUnsafe},
		"its call sells more":             {other, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(2e18) }, nil, vendors.ErrUnsafe},
		"its call sells less":             {other, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(1) }, nil, vendors.ErrUnsafe},
		"its call pays nobody":            {other, func(t *vendorstest.Terms) { t.Call.Receiver = evm.Address{} }, []string{"0x", "lifi"}, vendors.ErrUnsafe},
		"its call buys no token":          {bought, func(t *vendorstest.Terms) { t.Call.To = evm.Address{} }, []string{"0x"}, vendors.ErrUnsafe},
		"its call gives a stranger":       {other, func(t *vendorstest.Terms) { t.Call.Operator = stranger }, []string{"0x"}, vendors.ErrUnsafe},
		"its call calls a stranger":       {other, func(t *vendorstest.Terms) { t.Call.Target = stranger }, []string{"0x"}, vendors.ErrUnsafe},
		"its call calls nothing":          {own, func(t *vendorstest.Terms) { t.Call.Operator, t.Call.Target = evm.Address{}, evm.Address{} }, []string{"0x"}, vendors.ErrUnsafe},
		"its call sells more ether":       {own, func(t *vendorstest.Terms) { t.Call.Amount = big.NewInt(2e18) }, []string{"0x"}, vendors.ErrUnsafe},
		"its call may pay nothing":        {other, func(t *vendorstest.Terms) { t.Call.MinOut = new(big.Int) }, nil, vendors.ErrUnsafe},
		"its call may pay less":           {other, func(t *vendorstest.Terms) { t.Call.MinOut = big.NewInt(992e15) }, nil, vendors.ErrUnsafe},
		"its call is another function":    {other, func(t *vendorstest.Terms) { t.Data = "0x12345678" + strings.Repeat("00", 320) }, nil, vendors.ErrUnsafe},
		"its call transfers":              {other, func(t *vendorstest.Terms) { t.Data = "0xa9059cbb" + strings.Repeat("00", 64) }, nil, vendors.ErrUnsafe},
		"its call ends early":             {other, func(t *vendorstest.Terms) { t.Data = "0x07ed2379" + strings.Repeat("00", 32) }, nil, vendors.ErrUnsafe},
		"nothing is said to the contract": {other, func(t *vendorstest.Terms) { t.Data = "0x" }, nil, vendors.ErrUnsafe},
		"too much is said":                {other, func(t *vendorstest.Terms) { t.Data = "0x" + strings.Repeat("00", 100<<10) }, nil, vendors.ErrUnsafe},
		"it is not call data":             {other, func(t *vendorstest.Terms) { t.Data = "0xzz" }, nil, vendors.ErrBroken},
		"nothing is guaranteed":           {other, func(t *vendorstest.Terms) { t.MinOut = "0" }, []string{"0x", "lifi", "openocean"}, vendors.ErrUnsafe},
		"less than asked is guaranteed":   {other, func(t *vendorstest.Terms) { t.MinOut = "992000000000000000" }, []string{"0x", "lifi", "openocean"}, vendors.ErrUnsafe},
		"more than is paid is guaranteed": {other, func(t *vendorstest.Terms) { t.MinOut = "998000000000000000" }, []string{"0x", "lifi", "openocean"}, vendors.ErrUnsafe},
		"far less is paid than quoted": {other, func(t *vendorstest.Terms) {
			t.Out, t.MinOut, t.Call.MinOut = "900000000000000000", "895500000000000000", big.NewInt(8955e14)
		}, []string{"0x", "1inch", "kyberswap", "lifi", "openocean"}, vendors.ErrMoved},
		"nothing is paid":                {other, func(t *vendorstest.Terms) { t.Out, t.MinOut = "0", "0" }, []string{"0x", "1inch", "kyberswap", "lifi", "openocean"}, vendors.ErrBroken},
		"more is paid than there can be": {other, func(t *vendorstest.Terms) { t.Out = "1" + strings.Repeat("0", 78) }, []string{"0x", "1inch", "kyberswap", "lifi", "openocean"}, vendors.ErrBroken},
		"it has been through a float":    {other, func(t *vendorstest.Terms) { t.Out = "9.97e17" }, []string{"0x", "1inch", "kyberswap", "lifi", "openocean"}, vendors.ErrBroken},
		"another amount is sold":         {other, func(t *vendorstest.Terms) { t.Amount = "2000000000000000000" }, []string{"0x", "kyberswap", "lifi", "openocean"}, vendors.ErrBroken},
		"another token is sold":          {other, func(t *vendorstest.Terms) { t.From = stranger }, []string{"0x", "1inch", "lifi", "openocean"}, vendors.ErrBroken},
		"another token is bought":        {other, func(t *vendorstest.Terms) { t.To = stranger }, []string{"0x", "1inch", "lifi", "openocean"}, vendors.ErrBroken},
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
				server.Bend(tt.bend)
				tx, err := source.Build(t.Context(), tt.ask, quote)
				if err == nil {
					t.Fatalf("built %+v", tx)
				}
				expect(t, server, err, tt.want)
			})
		})
	}
}

func TestAQuoteCannotCheatEither(t *testing.T) {
	for lie, tt := range map[string]struct {
		bend func(*vendorstest.Terms)
		want error
		not  []string
	}{
		"nothing is paid":                {func(t *vendorstest.Terms) { t.Out = "0" }, vendors.ErrNoLiquidity, nil},
		"more is paid than there can be": {func(t *vendorstest.Terms) { t.Out = "1" + strings.Repeat("0", 78) }, vendors.ErrBroken, nil},
		"less than nothing is paid":      {func(t *vendorstest.Terms) { t.Out = "-1" }, vendors.ErrBroken, nil},
		"the amount is text":             {func(t *vendorstest.Terms) { t.Out = "a lot" }, vendors.ErrBroken, nil},
		"no block could hold it":         {func(t *vendorstest.Terms) { t.Gas = 2_000_000_000 }, vendors.ErrBroken, nil},
		"another amount is sold":         {func(t *vendorstest.Terms) { t.Amount = "2000000000000000000" }, vendors.ErrBroken, []string{"1inch"}},
		"another token is sold":          {func(t *vendorstest.Terms) { t.From = stranger }, vendors.ErrBroken, nil},
		"another token is bought":        {func(t *vendorstest.Terms) { t.To = stranger }, vendors.ErrBroken, nil},
		"another may take the token":     {func(t *vendorstest.Terms) { t.Spender = stranger }, vendors.ErrUnsafe, []string{"1inch", "openocean"}},
	} {
		t.Run(lie, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				if slices.Contains(tt.not, server.Vendor) {
					t.Skip("its format cannot say this")
				}
				server.Bend(tt.bend)
				_, err := source.Quote(t.Context(), ask(dai, usdc, big.NewInt(1e18)))
				expect(t, server, err, tt.want)
			})
		})
	}
}

func TestAnotherVendorsQuoteIsNotBuilt(t *testing.T) {
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
			t.Error("the vendor was asked")
		}
	})
}

func TestWhatCannotBeSwappedIsNotAsked(t *testing.T) {
	for what, tt := range map[string]struct {
		spoil func(*vendors.Request)
		want  error
	}{
		"nothing":              {func(a *vendors.Request) { a.Amount = new(big.Int) }, vendors.ErrRejected},
		"no amount":            {func(a *vendors.Request) { a.Amount = nil }, vendors.ErrRejected},
		"less than nothing":    {func(a *vendors.Request) { a.Amount = big.NewInt(-1) }, vendors.ErrRejected},
		"more than there is":   {func(a *vendors.Request) { a.Amount = new(big.Int).Lsh(big.NewInt(1), 256) }, vendors.ErrRejected},
		"a token for itself":   {func(a *vendors.Request) { a.To = a.From }, vendors.ErrRejected},
		"all for nothing":      {func(a *vendors.Request) { a.SlippageBPS = 10_000 }, vendors.ErrRejected},
		"a chain of one's own": {func(a *vendors.Request) { a.ChainID = "eip155:31337" }, vendors.ErrChain},
	} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				a := ask(dai, usdc, big.NewInt(1e18))
				tt.spoil(&a)
				_, err := source.Quote(t.Context(), a)
				expect(t, server, err, tt.want)
				if len(server.Calls()) != 0 {
					t.Error("the vendor was asked")
				}
			})
		})
	}
}

// expect checks the kind of an error, and that it names the vendor and holds no secret.
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

// pays is what the servers pay.
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

// FuzzAnswers has every vendor answer anything at all: what comes through is a quote that could be.
func FuzzAnswers(f *testing.F) {
	servers, sources := map[string]*vendorstest.Server{}, map[string]vendors.Source{}
	for name := range catalog.Vendors() {
		servers[name] = vendorstest.Serve(f, name)
		opened, err := catalog.Open(map[string]vendors.Config{name: servers[name].Config()})
		if err != nil {
			f.Fatal(err)
		}
		sources[name] = opened[0]
		for _, fixture := range []string{"quote", "build"} {
			f.Add(200, vendorstest.Fixture(f, name, fixture))
		}
	}
	f.Add(400, []byte(`{"code":4008}`))
	a := ask(evm.Native, usdc, big.NewInt(1e18))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 {
			return
		}
		for name, source := range sources {
			servers[name].Answer(say(status, string(body)))
			q, err := source.Quote(t.Context(), a)
			if err == nil && (q.Out.Sign() <= 0 || q.Out.BitLen() > 256 || q.Spender != evm.Address{} || q.Vendor != name) {
				t.Errorf("%s quoted %+v", name, q)
			}
			if err != nil && (strings.Contains(err.Error(), vendorstest.Key) || !strings.HasPrefix(err.Error(), name+": ")) {
				t.Errorf("%s failed with %v", name, err)
			}
			servers[name].Answer(nil)
		}
	})
}
