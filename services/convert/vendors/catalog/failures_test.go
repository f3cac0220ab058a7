package catalog_test

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestEachKindOfFailureHasItsError(t *testing.T) {
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

func TestAMalformedAnswerIsErrBroken(t *testing.T) {
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

func TestQuoteEndsAtItsDeadline(t *testing.T) {
	each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
		server.Answer(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := source.Quote(ctx, ask(dai, usdc, big.NewInt(1e18)))
		expect(t, server, err, vendors.ErrBroken)
	})
}

func TestACancelledQuoteIsNotAFailureOfTheVendor(t *testing.T) {
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

func TestInvalidRequestsAreNotSent(t *testing.T) {
	for what, tt := range map[string]struct {
		spoil func(*vendors.Request)
		want  error
	}{
		"nothing":                   {func(a *vendors.Request) { a.Amount = new(big.Int) }, vendors.ErrRejected},
		"no amount":                 {func(a *vendors.Request) { a.Amount = nil }, vendors.ErrRejected},
		"a negative amount":         {func(a *vendors.Request) { a.Amount = big.NewInt(-1) }, vendors.ErrRejected},
		"more than 2^256-1":         {func(a *vendors.Request) { a.Amount = new(big.Int).Lsh(big.NewInt(1), 256) }, vendors.ErrRejected},
		"a token for itself":        {func(a *vendors.Request) { a.To = a.From }, vendors.ErrRejected},
		"a slippage of 100 percent": {func(a *vendors.Request) { a.SlippageBPS = 10_000 }, vendors.ErrRejected},
		"an unsupported chain":      {func(a *vendors.Request) { a.ChainID = "eip155:31337" }, vendors.ErrChain},
	} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, server *vendorstest.Server, source vendors.Source) {
				a := ask(dai, usdc, big.NewInt(1e18))
				tt.spoil(&a)
				_, err := source.Quote(t.Context(), a)
				expect(t, server, err, tt.want)
				if len(server.Calls()) != 0 {
					t.Error("the vendor was called")
				}
			})
		})
	}
}

// FuzzAnswers makes every vendor return arbitrary answers, and checks that accepted quotes are plausible.
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
