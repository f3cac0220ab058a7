package vendors_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/config"
)

var (
	usdc   = evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	dai    = evm.MustAddress("0x6B175474E89094C44Da98b954EedeAC495271d0F")
	router = evm.MustAddress("0x1111111111111111111111111111111111111111")
)

// swap is the only function of the vendor's router; its argument is the minimum output.
var swap = calldata.Parse("swap(uint256)")

// plain is a vendor whose translator returns what its API returns.
func plain(needsKey bool) vendors.Vendor {
	return vendors.Vendor{
		URL: "https://vendor.example", NeedsKey: needsKey,
		Header:    func(key string) http.Header { return http.Header{"X-Key": {key}} },
		Explain:   func(int, []byte) error { return nil },
		Contracts: vendors.Contracts{"eip155:1": {router}, "eip155:10": {router}},
		Calls: []aggregator.Call{{Function: swap, Terms: func(v calldata.Value, _ *big.Int) (aggregator.Terms, bool) {
			return aggregator.Terms{From: dai, To: usdc, Amount: big.NewInt(1000), MinOut: v.At(0).Int()}, true
		}}},
		New: func(api *vendors.API) vendors.Translator { return translator{api} },
	}
}

type translator struct{ api *vendors.API }

func (t translator) Quote(ctx context.Context, _ vendors.Request) (vendors.Quote, error) {
	var q vendors.Quote
	err := t.api.Get(ctx, "/quote", nil, &q)
	return q, err
}

func (t translator) Build(ctx context.Context, a vendors.Request, q vendors.Quote) (vendors.Transaction, error) {
	tx := vendors.Transaction{To: router, Data: swap.Write(q.Out), Value: new(big.Int), Out: q.Out}
	err := t.api.Post(ctx, "/build", map[string]any{"route": q.Raw, "sender": a.Sender.String()}, &tx)
	return tx, err
}

func ask() vendors.Request {
	return vendors.Request{ChainID: "eip155:1", From: dai, To: usdc, Amount: big.NewInt(1000), Sender: evm.Address{1}, SlippageBPS: 50}
}

func TestVendorsThatAreNotConfiguredAreNotUsed(t *testing.T) {
	for _, cfg := range []map[string]vendors.Config{nil, {}} {
		if sources, err := vendors.Open(cfg, map[string]vendors.Vendor{"a": plain(false)}); err != nil || len(sources) != 0 {
			t.Errorf("opened %v, %v", sources, err)
		}
	}
}

func TestVendorsAreOpenedByName(t *testing.T) {
	known := map[string]vendors.Vendor{"keyless": plain(false), "keyed": plain(true)}
	sources, err := vendors.Open(map[string]vendors.Config{"keyless": {}, "keyed": {Key: "hunter2"}}, known)
	if err != nil || len(sources) != 2 || sources[0].Name() != "keyed" || sources[1].Name() != "keyless" {
		t.Fatalf("opened %v, %v", sources, err)
	}
	for chain, want := range map[string]bool{"eip155:1": true, "eip155:10": true, "eip155:8453": false, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": false, "": false} {
		if got := sources[0].Serves(chain); got != want {
			t.Errorf("serves %q: %v", chain, got)
		}
	}
}

func TestOpenNamesTheWrongSetting(t *testing.T) {
	t.Setenv("EMPTY", "")
	known := map[string]vendors.Vendor{"keyless": plain(false), "keyed": plain(true)}
	for name, tt := range map[string]struct {
		vendor string
		cfg    vendors.Config
		want   string
	}{
		"an unknown vendor":     {"kiberswap", vendors.Config{}, `there is no vendor "kiberswap"; there are keyed, keyless`},
		"a key is missing":      {"keyed", vendors.Config{}, "keyed: key: it answers only with a key"},
		"its variable is empty": {"keyed", vendors.Config{Key: "${EMPTY}"}, "keyed: key: it answers only with a key"},
		"its variable is unset": {"keyed", vendors.Config{Key: "${HAWSER_NO_SUCH}"}, "keyed: key: HAWSER_NO_SUCH is not set in the environment"},
		"a key of two lines":    {"keyed", vendors.Config{Key: "hunter2\r\nHost: elsewhere"}, "keyed: key: it has a character that no key has"},
		"no URL":                {"keyless", vendors.Config{URL: "hunter2"}, "keyless: url: it is not an http or https URL without a query"},
		"a URL of a file":       {"keyless", vendors.Config{URL: "file:///hunter2"}, "keyless: url: it is not an http or https URL without a query"},
		"a URL with a query":    {"keyless", vendors.Config{URL: "https://vendor.example?key=hunter2"}, "keyless: url: it is not an http or https URL without a query"},
		"a chain of no EVM":     {"keyless", vendors.Config{Contracts: map[string][]string{"1": {router.String()}}}, `keyless: contracts: "1" is not the CAIP-2 id of an EVM chain`},
		"no contract":           {"keyless", vendors.Config{Contracts: map[string][]string{"eip155:1": {"0x12"}}}, "keyless: contracts: eip155:1: not an address: want 0x and 40 hex digits"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := vendors.Open(map[string]vendors.Config{tt.vendor: tt.cfg}, known)
			if err == nil || err.Error() != tt.want {
				t.Errorf("received %q\nwant %q", err, tt.want)
			}
		})
	}
}

func TestConfiguredContractsAreAddedToThePinnedOnes(t *testing.T) {
	known := map[string]vendors.Vendor{"a": plain(false)}
	cfg := vendors.Config{Contracts: map[string][]string{"eip155:8453": {dai.String()}, "eip155:1": {dai.String()}}}
	sources, err := vendors.Open(map[string]vendors.Config{"a": cfg}, known)
	if err != nil {
		t.Fatal(err)
	}
	if !sources[0].Serves("eip155:8453") || !sources[0].Serves("eip155:1") || !sources[0].Serves("eip155:10") {
		t.Error("a chain is missing")
	}
	other, err := vendors.Open(map[string]vendors.Config{"a": {}}, known)
	if err != nil || other[0].Serves("eip155:8453") {
		t.Errorf("what one operator added, another has: %v", err)
	}
}

func TestTheKeyIsReadFromTheEnvironmentAndSentInAHeader(t *testing.T) {
	var received []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received = append(received, r.URL.Path+" "+r.Header.Get("X-Key"))
		_, _ = w.Write([]byte(`{"Out":997}`))
	}))
	defer server.Close()
	t.Setenv("VENDOR_KEY", "hunter2")
	t.Setenv("VENDOR_URL", server.URL)
	sources, err := vendors.Open(map[string]vendors.Config{"a": {Key: "${VENDOR_KEY}", URL: "${VENDOR_URL}/"}}, map[string]vendors.Vendor{"a": plain(true)})
	if err != nil {
		t.Fatal(err)
	}
	if q, err := sources[0].Quote(t.Context(), ask()); err != nil || q.Out.Int64() != 997 || q.Vendor != "a" || q.Spender != router {
		t.Errorf("quoted %+v, %v", q, err)
	}
	if !slices.Equal(received, []string{"/quote hunter2"}) {
		t.Errorf("received %v", received)
	}
}

func TestAKeySelectsTheURLForCustomers(t *testing.T) {
	serve := func() (*httptest.Server, *atomic.Int32) {
		calls := new(atomic.Int32)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			_, _ = w.Write([]byte(`{"Out":997}`))
		}))
		t.Cleanup(s.Close)
		return s, calls
	}
	common, commonCalls := serve()
	customers, customerCalls := serve()
	own, ownCalls := serve()
	v := plain(false)
	v.URL, v.KeyURL = common.URL, customers.URL
	for _, cfg := range []vendors.Config{{}, {Key: "hunter2"}, {Key: "hunter2", URL: own.URL}, {URL: own.URL}} {
		sources, err := vendors.Open(map[string]vendors.Config{"a": cfg}, map[string]vendors.Vendor{"a": v})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sources[0].Quote(t.Context(), ask()); err != nil {
			t.Fatal(err)
		}
	}
	if commonCalls.Load() != 1 || customerCalls.Load() != 1 || ownCalls.Load() != 2 {
		t.Errorf("requested %d, %d and %d times", commonCalls.Load(), customerCalls.Load(), ownCalls.Load())
	}
}

func TestARefusedKeyIsNotARefusedToken(t *testing.T) {
	for status, want := range map[int]error{
		http.StatusUnauthorized: vendors.ErrKey, http.StatusForbidden: vendors.ErrToken, http.StatusTooManyRequests: vendors.ErrRateLimited,
		http.StatusBadRequest: vendors.ErrToken, http.StatusInternalServerError: vendors.ErrToken,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		v := plain(false)
		v.Explain = func(int, []byte) error { return vendors.ErrToken }
		sources, err := vendors.Open(map[string]vendors.Config{"a": {URL: server.URL}}, map[string]vendors.Vendor{"a": v})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sources[0].Quote(t.Context(), ask()); !errors.Is(err, want) {
			t.Errorf("HTTP %d is %v, want %v", status, err, want)
		}
		server.Close()
	}
}

func TestTheRouteOfAQuoteIsSentBackUnchanged(t *testing.T) {
	const route = `{"n":1461446703485210103287273052203988822378723970341,"f":1.50,"text":"a < b & c > d","e":1E5}`
	var received string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		received = string(raw)
		_, _ = w.Write([]byte(`{}`))
	}))
	defer server.Close()
	sources, err := vendors.Open(map[string]vendors.Config{"a": {URL: server.URL}}, map[string]vendors.Vendor{"a": plain(false)})
	if err != nil {
		t.Fatal(err)
	}
	q := vendors.Quote{Vendor: "a", Out: big.NewInt(997), Raw: json.RawMessage(route)}
	if _, err := sources[0].Build(t.Context(), ask(), q); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(received, `"route":`+route) {
		t.Errorf("sent %s", received)
	}
}

func TestTheMinimumOfATransactionMayBeRoundedButNotLowered(t *testing.T) {
	for least, want := range map[int64]bool{
		1_000_000_000_000: true,  // no slippage
		995_000_000_000:   true,  // exactly the slippage
		994_999_999_999:   true,  // one unit less, for rounding
		994_999_005_000:   true,  // a millionth less
		994_998_000_000:   false, // less than that
		0:                 false,
		1_000_000_000_001: false, // more than is paid
	} {
		if got := vendors.Believes(ask(), big.NewInt(1_000_000_000_000), big.NewInt(least)); got != want {
			t.Errorf("at least %d of 10^12: %v", least, got)
		}
	}
}

func TestAMistypedContractIsRefused(t *testing.T) {
	for _, mistyped := range []string{"0x6B175474E89094C44Da98b954EedeAC495271d0f", "0x6B175474E89094C44Da98b954EedeAC495271d0E", "0x6b175474e89094c44da98b954eedeac495271d0f", "0x12"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is pinned", mistyped)
				}
			}()
			vendors.PinnedAddress(mistyped)
		}()
	}
}

func TestAPrintedConfigurationHidesItsSecrets(t *testing.T) {
	var cfg struct {
		Vendors map[string]vendors.Config `yaml:"vendors"`
	}
	flags := flag.NewFlagSet("hawser", flag.ContinueOnError)
	path := filepath.Join(t.TempDir(), "hawser.yaml")
	const file = `vendors:
  other: {}
  third:
  1inch: {key: hunter2, url: "https://me:hunter2@vendor.example/?key=hunter2", contracts: {"eip155:1": ["0x6B175474E89094C44Da98b954EedeAC495271d0F"]}}
`
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := config.Load(&cfg, config.Options{Flags: flags, Args: []string{"-config", path}, Environ: func(string) (string, bool) { return "", false }}); err != nil {
		t.Fatal(err)
	}
	if len(cfg.Vendors) != 3 || cfg.Vendors["1inch"].Key != "hunter2" || len(cfg.Vendors["1inch"].Contracts["eip155:1"]) != 1 {
		t.Errorf("read %+v", cfg.Vendors)
	}
	var printed strings.Builder
	if err := config.Print(&printed, &cfg); err != nil || strings.Contains(printed.String(), "hunter2") || !strings.Contains(printed.String(), "other") {
		t.Errorf("printed %s, %v", &printed, err)
	}
}

func TestTheNativeCurrencyIsRecognisedInEverySpelling(t *testing.T) {
	zero, pol := evm.Address{}, evm.MustAddress("0x0000000000000000000000000000000000001010")
	one := big.NewInt(1)
	for what, tt := range map[string]struct {
		ask      vendors.Request
		from, to evm.Address
		amount   *big.Int
		want     bool
	}{
		"unchanged":                      {vendors.Request{ChainID: "eip155:1", From: evm.Native, To: usdc, Amount: one}, evm.Native, usdc, one, true},
		"as the zero address":            {vendors.Request{ChainID: "eip155:1", From: usdc, To: evm.Native, Amount: one}, usdc, zero, one, true},
		"as Polygon's contract":          {vendors.Request{ChainID: "eip155:137", From: evm.Native, To: usdc, Amount: one}, pol, usdc, one, true},
		"Polygon's contract by its name": {vendors.Request{ChainID: "eip155:137", From: pol, To: usdc, Amount: one}, pol, usdc, one, true},
		"that contract on another chain": {vendors.Request{ChainID: "eip155:1", From: evm.Native, To: usdc, Amount: one}, pol, usdc, one, false},
		"the other way round":            {vendors.Request{ChainID: "eip155:1", From: evm.Native, To: usdc, Amount: one}, usdc, evm.Native, one, false},
		"another amount":                 {vendors.Request{ChainID: "eip155:1", From: evm.Native, To: usdc, Amount: one}, evm.Native, usdc, big.NewInt(2), false},
		"no amount":                      {vendors.Request{ChainID: "eip155:1", From: evm.Native, To: usdc, Amount: one}, evm.Native, usdc, nil, false},
	} {
		if err := tt.ask.Matches(tt.from, tt.to, tt.amount); (err == nil) != tt.want {
			t.Errorf("%s: %v", what, err)
		}
	}
}
