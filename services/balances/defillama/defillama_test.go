package defillama

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"

// answer is a response as the API documents it.
const answer = `{"coins":{
	"ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48":{"decimals":6,"symbol":"USDC","price":0.9998,"timestamp":1760000000,"confidence":0.99},
	"ethereum:0x0000000000000000000000000000000000000000":{"decimals":18,"symbol":"ETH","price":3125.42,"timestamp":1760000001},
	"base:0x1111111111111111111111111111111111111111":{"symbol":"ODD","price":7,"timestamp":1760000001,"confidence":0.3},
	"ethereum:0x2222222222222222222222222222222222222222":{"symbol":"UNREQUESTED","price":1,"timestamp":1}}}`

func asset(t *testing.T, chain, address string) prices.Coin {
	t.Helper()
	a, err := evm.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	return prices.Coin{Chain: chain, Address: a.String()}
}

func TestUSDPricesDecodesTheResponse(t *testing.T) {
	var path string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ = url.PathUnescape(r.URL.EscapedPath())
		_, _ = w.Write([]byte(answer))
	}))
	defer api.Close()
	coin, ether := asset(t, "eip155:1", usdc), prices.Coin{Chain: "eip155:1"}
	odd, local := asset(t, "eip155:8453", "0x1111111111111111111111111111111111111111"), prices.Coin{Chain: "eip155:31337"}

	got, err := New(api.URL).USDPrices(t.Context(), []prices.Coin{coin, ether, odd, local})

	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, %v", got, err)
	}
	if p := got[coin]; p.Amount != 0.9998 || !p.At.Equal(time.Unix(1760000000, 0)) {
		t.Errorf("USDC is %+v", p)
	}
	if p := got[ether]; p.Amount != 3125.42 {
		t.Errorf("ether is %+v", p)
	}
	if !strings.HasPrefix(path, "/prices/current/ethereum:"+usdc+",") || strings.Contains(path, "31337") {
		t.Errorf("requested %s", path)
	}
}

func TestCurrencyOfTwoNetworksIsRequestedOnce(t *testing.T) {
	var path string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ = url.PathUnescape(r.URL.EscapedPath())
		_, _ = w.Write([]byte(`{"coins":{"coingecko:bitcoin":{"price":101234.5,"timestamp":1760000000,"confidence":0.99},"coingecko:polkadot":{"price":4.2,"timestamp":1760000000,"confidence":0.99}}}`))
	}))
	defer api.Close()
	bitcoin, relay, hub := prices.Coin{Chain: "bip122:000000000019d6689c085ae165831e93"}, prices.Coin{Chain: "polkadot:91b171bb158e2d3848fa23a9f1c25182"}, prices.Coin{Chain: "polkadot:68d56f15f85d3136970ec16946040bc1"}

	got, err := New(api.URL).USDPrices(t.Context(), []prices.Coin{bitcoin, relay, hub, {Chain: "bip122:000000000933ea01ad0ee984209779ba"}})

	if err != nil || len(got) != 3 || got[bitcoin].Amount != 101234.5 || got[relay].Amount != 4.2 || got[hub].Amount != 4.2 {
		t.Errorf("got %v, %v", got, err)
	}
	if path != "/prices/current/coingecko:bitcoin,coingecko:polkadot" {
		t.Errorf("requested %s", path)
	}
}

func TestFailedRequestIsAnError(t *testing.T) {
	for name, say := range map[string]http.HandlerFunc{
		"500":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"429":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
		"HTML": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := httptest.NewServer(say)
			defer api.Close()
			if got, err := New(api.URL).USDPrices(t.Context(), []prices.Coin{asset(t, "eip155:1", usdc)}); err == nil {
				t.Errorf("got %v", got)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(answer))
	f.Add([]byte(`{"coins":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		requested := map[string][]prices.Coin{"ethereum:" + nativeAddress: {{Chain: "eip155:1"}}}
		if got, err := parse(body, requested); err == nil && len(got) > len(requested) {
			t.Errorf("got prices that were not requested: %v", got)
		}
	})
}
