package balances

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// nodes forwards requests to the local chains as the chains service does, and counts them.
type nodes struct {
	devnet   *devnettest.Devnet
	requests atomic.Int64
	// down lists chains whose nodes do not answer, by CAIP-2 id.
	down map[string]bool
}

func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	n.requests.Add(1)
	for _, c := range n.devnet.Chains {
		if c.CAIP2 == r.GetChainId() && !n.down[c.CAIP2] {
			body, err := c.Forward(ctx, r.GetBody())
			return &chainsv1.ForwardResponse{Body: body}, err
		}
	}
	return nil, status.Error(codes.Unavailable, "no node")
}

const bitcoin = "bip122:000000000019d6689c085ae165831e93"

// table is the network table of the local chains and of a chain whose nodes are unreachable.
type table struct {
	devnet *devnettest.Devnet
	// bare networks do not describe their contracts.
	bare bool
}

func (t table) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	ether := &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}
	res := &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{
		{ChainId: "eip155:1", Name: "Ethereum", NativeCurrency: ether},
		{ChainId: "eip155:11155111", Name: "Sepolia", NativeCurrency: ether, Testnet: true},
		{ChainId: bitcoin, Name: "Bitcoin", NativeCurrency: &chainsv1.NativeCurrency{Name: "Bitcoin", Symbol: "BTC", Decimals: 8}},
	}}
	for _, c := range t.devnet.Chains {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, NativeCurrency: ether, Testnet: true})
		if !t.bare {
			res.Networks[len(res.Networks)-1].Development = t.devnet.Describe(c.CAIP2)
		}
	}
	return res, nil
}

func (table) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, errors.New("balances has no use for it")
}

type world struct {
	*server
	devnet *devnettest.Devnet
	nodes  *nodes
	chain  devnettest.Chain
	// published are the events of the service.
	published *events
}

// onHead does what the service does on a new block.
func (w world) onHead(chainID string) { w.reader.Cache.OnHead(chainID, rand.Text()) }

// set changes the configuration or the dependencies of the service.
type set func(*Config, *Deps)

// configured changes only the configuration.
func configured(change func(*Config)) set { return func(c *Config, _ *Deps) { change(c) } }

// withHistory sets the history in which the service looks for tokens.
func withHistory(history activityv1.HoldingsServiceClient) set {
	return func(_ *Config, d *Deps) { d.Holdings = history }
}

// open starts the service on the local chains.
func open(tb testing.TB, change ...set) world {
	tb.Helper()
	d := devnettest.Start(tb)
	cfg := DefaultConfig()
	n := &nodes{devnet: d, down: map[string]bool{}}
	deps := Deps{Chain: chainclient.NewFrom(table{devnet: d}, n, clock.System{}), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&cfg, &deps)
	}
	published := &events{}
	s, err := newServer(cfg, deps, published)
	if err != nil {
		tb.Fatal(err)
	}
	return world{s, d, n, d.Chain(tb, "eip155:31337"), published}
}

func (w world) ask(tb testing.TB, r *balancesv1.GetBalanceRequest) []*balancesv1.Balance {
	tb.Helper()
	res, err := w.GetBalance(tb.Context(), r)
	if err != nil {
		tb.Fatal(err)
	}
	return res.GetBalances()
}

func find(tb testing.TB, list []*balancesv1.Balance, symbol string) *balancesv1.Balance {
	tb.Helper()
	for _, b := range list {
		if b.GetSymbol() == symbol {
			return b
		}
	}
	tb.Fatalf("no %s among %d balances", symbol, len(list))
	return nil
}

func symbols(list []*balancesv1.Balance) string {
	names := make([]string, len(list))
	for i, b := range list {
		names[i] = b.GetSymbol()
	}
	return strings.Join(names, " ")
}

func TestBalancesAreExactInBaseUnits(t *testing.T) {
	w := open(t)
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"})
	want := map[string]struct{ decimals, numeric string }{
		"tUSD":                          {"6", "1000000.000001"},
		"tDAI":                          {"18", "1234567.000000000000000001"},
		"WIDE":                          {"36", "1.234567890123456789012345678901234567"},
		"HUGE":                          {"18", "340282366920938463463.374607431768211457"},
		"tUSDT":                         {"6", "5000.000123"},
		"WHOLE":                         {"0", "7"},
		"ANUNREASONABLYLONGTOKENSYMBOL": {"18", "42.000000000000000000"},
	}
	for symbol, w := range want {
		if q := find(t, got, symbol).GetQuantity(); q.GetDecimals() != w.decimals || q.GetNumeric() != w.numeric {
			t.Errorf("%s: got %v, want %v", symbol, q, w)
		}
	}
	odd := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[5].Address, Currency: "usd", ChainId: "31337"})
	if q := odd[0].GetQuantity(); q.GetNumeric() != "1.000000000000000001" || odd[0].Address != nil {
		t.Errorf("native: got %v of %v, want 1.000000000000000001 without an address", q, odd[0].Address)
	}
}

func TestBalancesAreSortedWithoutZerosAndUnreadableTokens(t *testing.T) {
	w := open(t)
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"})
	want := "ETH tDAI tUSD tUSDT WIDE ANUNREASONABLYLONGTOKENSYMBOL HUGE WHOLE"
	if symbols(got)[:len("ETH ")] != "ETH " {
		t.Errorf("the native currency is not first: %s", symbols(got))
	}
	if symbols(got) != want {
		t.Errorf("got %s, want %s", symbols(got), want)
	}
	if empty := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[9].Address, Currency: "usd", ChainId: "eip155:31337"}); len(empty) != 0 {
		t.Errorf("an empty account: got %s, want nothing", symbols(empty))
	}
}

func TestPricesComeFromTheChainsFeeds(t *testing.T) {
	w := open(t)
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"})
	if b := find(t, got, "WIDE"); b.GetPrice() != 2.5 || b.Value == nil || b.GetValue() < 3.08 || b.GetValue() > 3.09 {
		t.Errorf("WIDE: got price %v and value %v, want 2.5 and 1.2345… x 2.5", b.GetPrice(), b.Value)
	}
	if b := find(t, got, "HUGE"); b.GetPrice() != 0 || b.Value != nil {
		t.Errorf("HUGE has no feed: got price %v and value %v, want 0 and none", b.GetPrice(), b.Value)
	}
	if b := find(t, got, "ETH"); b.GetPrice() != 3125.42 {
		t.Errorf("ETH: got price %v, want 3125.42", b.GetPrice())
	}
}

func TestValuesInAnotherCurrency(t *testing.T) {
	w := open(t, configured(func(c *Config) { c.Prices.Rates = map[string]float64{"eur": 1.25} }))
	account := w.devnet.Accounts[0].Address
	in := func(currency string) *balancesv1.Balance {
		return find(t, w.ask(t, &balancesv1.GetBalanceRequest{Address: account, Currency: currency, ChainId: "eip155:31337"}), "WIDE")
	}
	if b := in("eur"); b.GetPrice() != 2 {
		t.Errorf("at a configured rate of 1.25 dollars: got %v, want 2", b.GetPrice())
	}
	dollars, ether := 2.5, 3125.42
	if b := in("eth"); b.GetPrice() != dollars/ether {
		t.Errorf("in ether, from the chain's own feed: got %v, want %v", b.GetPrice(), dollars/ether)
	}
	if b := in("jpy"); b.GetPrice() != 0 || b.Value != nil {
		t.Errorf("at an unknown rate: got price %v and value %v, want 0 and none", b.GetPrice(), b.Value)
	}
}

func TestFailedRateReadsAreNotRetriedOnEveryRequest(t *testing.T) {
	w := open(t)
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "gbp", ChainId: "eip155:31337"}
	w.ask(t, request)
	if n := w.nodes.requests.Load(); n != 2 {
		t.Errorf("%d requests, want one for the balances and one for the rates of a chain that does not answer", n)
	}
	w.onHead("eip155:31337")
	w.ask(t, request)
	if n := w.nodes.requests.Load(); n != 3 {
		t.Errorf("a moment later: %d requests, want 3", n)
	}
}

func TestUncachedReadIsOneRoundTrip(t *testing.T) {
	w := open(t)
	w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"})
	if n := w.nodes.requests.Load(); n != 1 {
		t.Errorf("balances, prices and all: %d requests, want 1", n)
	}
}

func TestHoldingsAreCachedUntilTheNextBlock(t *testing.T) {
	w := open(t)
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[6].Address, Currency: "usd", ChainId: "eip155:31337"}
	w.onHead("eip155:31337")
	before := w.ask(t, request)[0].GetQuantity().GetNumeric()
	w.chain.Call(t, "anvil_setBalance", w.devnet.Accounts[6].Address, "0x7")
	if again := w.ask(t, request)[0].GetQuantity().GetNumeric(); again != before || w.nodes.requests.Load() != 1 {
		t.Errorf("before a new block: got %s after %d requests, want %s after 1", again, w.nodes.requests.Load(), before)
	}
	w.onHead("eip155:31338")
	if w.ask(t, request); w.nodes.requests.Load() != 1 {
		t.Errorf("another chain's block made %d requests", w.nodes.requests.Load())
	}
	w.onHead("eip155:31337")
	if after := w.ask(t, request)[0].GetQuantity().GetNumeric(); after != "0.000000000000000007" {
		t.Errorf("after a new block: got %s, want 0.000000000000000007", after)
	}
}

func TestForcedTokensBypassTheCacheAndAreListedWhenZero(t *testing.T) {
	w := open(t)
	tusd := strings.ToLower(w.chain.Token(t, "tUSD").Address)
	reverting := w.chain.Token(t, "RVRT").Address
	force := "eip155:31337:" + tusd + ",eip155:31337:0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE,eip155:31338:" + w.devnet.Chain(t, "eip155:31338").Token(t, "tEUR").Address + ",eip155:31337:" + reverting
	for range 2 {
		got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[9].Address, Currency: "usd", ChainId: "eip155:31337", ForceUpdate: force})
		if symbols(got) != "ETH tEUR tUSD" {
			t.Fatalf("got %s, want ETH tEUR tUSD", symbols(got))
		}
		if b := find(t, got, "tUSD"); b.GetAddress() != "eip155:31337:"+tusd || b.GetQuantity().GetNumeric() != "0.000000" {
			t.Errorf("got %s of %s, want 0.000000 of the address as it was given", b.GetQuantity().GetNumeric(), b.GetAddress())
		}
	}
	if n := w.nodes.requests.Load(); n != 4 {
		t.Errorf("two forced questions about two chains made %d requests, want 4", n)
	}
}

func TestUnlistedForcedTokensAreDescribedByTheirContracts(t *testing.T) {
	w := open(t)
	bare := open(t, func(_ *Config, d *Deps) {
		d.Chain = chainclient.NewFrom(table{devnet: devnettest.Start(t), bare: true}, &nodes{devnet: devnettest.Start(t), down: map[string]bool{}}, clock.System{})
	}) // the token is in no list
	wide := w.chain.Token(t, "WIDE")
	got := bare.ask(t, &balancesv1.GetBalanceRequest{
		Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337", ForceUpdate: "eip155:31337:" + wide.Address,
	})
	b := find(t, got, "WIDE")
	if b.GetName() != wide.Name || b.GetQuantity().GetDecimals() != "36" || b.GetQuantity().GetNumeric() != "1.234567890123456789012345678901234567" {
		t.Errorf("got %v", b)
	}
}

func TestAllChainsAreReadAndAFailedChainIsOmitted(t *testing.T) {
	w := open(t)
	got := w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[1].Address, Currency: "usd"})
	if symbols(got) != "ETH ETH tUSD tUSDT tUSD tDAI" {
		t.Errorf("got %s, want both local chains: ETH ETH tUSD tUSDT tUSD tDAI", symbols(got))
	}
	if n := w.nodes.requests.Load(); n != 3 {
		t.Errorf("%d requests, want 3: a public test network is not asked", n)
	}
	w.onHead("eip155:31337")
	if w.ask(t, &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[1].Address, Currency: "usd"}); w.nodes.requests.Load() != 4 {
		t.Errorf("a moment later: %d requests, want one more, for the chain that has a new block and not for the one that failed", w.nodes.requests.Load())
	}
}

// slowTable is the network table of the local chains behind as many hanging chains as one request reads at once.
type slowTable struct{ table }

func (t slowTable) ListNetworks(ctx context.Context, r *chainsv1.ListNetworksRequest, opts ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res, err := t.table.ListNetworks(ctx, r, opts...)
	var hanging []*chainsv1.Network
	for i := range 8 {
		hanging = append(hanging, &chainsv1.Network{
			ChainId: fmt.Sprintf("eip155:%d", 900_000+i), Name: "Hanging", NativeCurrency: &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18},
		})
	}
	res.Networks = slices.Concat(hanging, res.GetNetworks())
	return res, err
}

// hangingNodes are nodes of which those of the chains of a slowTable hang.
type hangingNodes struct{ *nodes }

func (n hangingNodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, opts ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if strings.HasPrefix(r.GetChainId(), "eip155:90000") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return n.nodes.Forward(ctx, r, opts...)
}

func TestAChainThatWaitsBehindSlowOnesHasNotFailed(t *testing.T) {
	d := devnettest.Start(t)
	w := open(t, func(_ *Config, deps *Deps) {
		deps.Chain = chainclient.NewFrom(slowTable{table{devnet: d}}, hangingNodes{&nodes{devnet: d}}, clock.System{})
	})
	request := &balancesv1.GetBalanceRequest{Address: d.Accounts[1].Address, Currency: "usd"}
	_, _ = w.GetBalance(t.Context(), request)
	if got := symbols(w.ask(t, request)); got != "ETH ETH tUSD tUSDT tUSD tDAI" {
		t.Errorf("got %s at the next request, want both local chains", got)
	}
}

func TestRequestFailsWhenEveryChainFails(t *testing.T) {
	w := open(t)
	w.nodes.down["eip155:31337"], w.nodes.down["eip155:31338"] = true, true
	for _, chainID := range []string{"", "eip155:31337"} {
		_, err := w.GetBalance(t.Context(), &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[1].Address, Currency: "usd", ChainId: chainID})
		e := fault.From(err)
		if e.Code != codes.Unavailable || e.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE || e.Public != "Requested namespace eip155 balance provider is temporarily unavailable" {
			t.Errorf("chain %q: got %v %v %q", chainID, e.Code, e.Reason, e.Public)
		}
	}
}

func TestCallerErrorDoesNotBackOffTheChain(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[1].Address
	_, err := w.GetBalance(t.Context(), &balancesv1.GetBalanceRequest{Address: account, Currency: "usd", ForceUpdate: "eip155:31337:" + account})
	if e := fault.From(err); e.Code != codes.InvalidArgument {
		t.Fatalf("got %v", err)
	}
	if got := symbols(w.ask(t, &balancesv1.GetBalanceRequest{Address: account, Currency: "usd"})); got != "ETH ETH tUSD tUSDT tUSD tDAI" {
		t.Errorf("got %s, want both local chains", got)
	}
}

func TestInvalidBalanceRequestsAreRefused(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[0].Address
	good := func(change func(*balancesv1.GetBalanceRequest)) *balancesv1.GetBalanceRequest {
		r := &balancesv1.GetBalanceRequest{Address: account, Currency: "usd", ChainId: "eip155:31337"}
		change(r)
		return r
	}
	cases := map[string]struct {
		request *balancesv1.GetBalanceRequest
		reason  faultv1.Reason
		field   string
		text    string
	}{
		"no currency":                {good(func(r *balancesv1.GetBalanceRequest) { r.Currency = "" }), faultv1.Reason_REASON_PARAMETER_INVALID, "currency", "Failed to deserialize query string: missing field `currency`"},
		"unknown currency":           {good(func(r *balancesv1.GetBalanceRequest) { r.Currency = "irn" }), faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "Unsupported currency: irn"},
		"upper case":                 {good(func(r *balancesv1.GetBalanceRequest) { r.Currency = "USD" }), faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "Unsupported currency: USD"},
		"no address":                 {good(func(r *balancesv1.GetBalanceRequest) { r.Address = "0x12" }), faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid"},
		"unlisted chain":             {good(func(r *balancesv1.GetBalanceRequest) { r.ChainId = "eip155:999999" }), faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "We don't support the chainId you provided: eip155:999999. See the list of supported chains here: /v1/supported-chains"},
		"polkadot":                   {good(func(r *balancesv1.GetBalanceRequest) { r.ChainId = "polkadot:91b171bb158e2d3848fa23a9f1c25182" }), faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "address", "Unsupported namespace: polkadot"},
		"bare solana":                {good(func(r *balancesv1.GetBalanceRequest) { r.ChainId = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" }), faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid"},
		"bitcoin":                    {good(func(r *balancesv1.GetBalanceRequest) { r.ChainId = "bip122:000000000019d6689c085ae165831e93" }), faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "address", "Unsupported namespace: bip122"},
		"no chain id":                {good(func(r *balancesv1.GetBalanceRequest) { r.ChainId = "eip155:1:2" }), faultv1.Reason_REASON_IDENTIFIER_INVALID, "", `Crypto utils error: not a CAIP-2 chain id: "eip155:1:2"`},
		"forced garbage":             {good(func(r *balancesv1.GetBalanceRequest) { r.ForceUpdate = "x" }), faultv1.Reason_REASON_IDENTIFIER_INVALID, "", `Crypto utils error: not a CAIP-10 account: "x"`},
		"forced empty ids":           {good(func(r *balancesv1.GetBalanceRequest) { r.ForceUpdate = "," }), faultv1.Reason_REASON_IDENTIFIER_INVALID, "", `Crypto utils error: not a CAIP-10 account: ""`},
		"forced bad address":         {good(func(r *balancesv1.GetBalanceRequest) { r.ForceUpdate = "eip155:31337:0x12" }), faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid"},
		"forced on an unknown chain": {good(func(r *balancesv1.GetBalanceRequest) { r.ForceUpdate = "eip155:999999:" + account }), faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "We don't support the chainId you provided: eip155:999999. See the list of supported chains here: /v1/supported-chains"},
		"forced on solana": {good(func(r *balancesv1.GetBalanceRequest) {
			r.ForceUpdate = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So11111111111111111111111111111111111111111"
		}), faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "address", "Unsupported namespace: solana"},
		"forced account": {good(func(r *balancesv1.GetBalanceRequest) { r.ForceUpdate = "eip155:31337:" + account }), faultv1.Reason_REASON_PARAMETER_INVALID, "forceUpdate", "Invalid parameter: eip155:31337:" + account + " is not a token"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			res, err := w.GetBalance(t.Context(), c.request)
			if err == nil {
				t.Fatalf("got %v, want an error", res)
			}
			e := fault.From(err)
			if e.Code != codes.InvalidArgument || e.Reason != c.reason || e.Field != c.field || e.Public != c.text {
				t.Errorf("got %v %v field %q %q", e.Code, e.Reason, e.Field, e.Public)
			}
		})
	}
}

func TestPricesKeepTheRequestedOrderAndOmitUnknownTokens(t *testing.T) {
	w := open(t)
	id := func(symbol string) string { return "eip155:31337:" + strings.ToLower(w.chain.Token(t, symbol).Address) }
	native := "eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
	requested := []string{id("WIDE"), native, id("HUGE"), "eip155:31337:" + w.devnet.Accounts[0].Address, id("tUSD"), native}
	res, err := w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: requested})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		address, symbol string
		price           float64
		decimals        uint32
	}{{id("WIDE"), "WIDE", 2.5, 36}, {native, "ETH", 3125.42, 18}, {id("tUSD"), "tUSD", 1, 6}, {native, "ETH", 3125.42, 18}}
	if len(res.GetFungibles()) != len(want) {
		t.Fatalf("got %v, want %v", res.GetFungibles(), want)
	}
	for i, f := range res.GetFungibles() {
		if w := want[i]; f.GetAddress() != w.address || f.GetSymbol() != w.symbol || f.GetPrice() != w.price || f.GetDecimals() != w.decimals {
			t.Errorf("%d: got %v, want %v", i, f, w)
		}
	}
}

func TestBitcoinIsPricedByTheVendorAlone(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/prices/current/coingecko:bitcoin" {
			t.Errorf("requested %s", r.URL.Path)
		}
		_, _ = w.Write([]byte(`{"coins":{"coingecko:bitcoin":{"price":101234.5,"timestamp":1760000000,"confidence":0.99}}}`))
	}))
	defer api.Close()
	price := func(w world) []*balancesv1.Fungible {
		res, err := w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: []string{bitcoin + ":0x"}})
		if err != nil {
			t.Fatal(err)
		}
		return res.GetFungibles()
	}
	if got := price(open(t)); len(got) != 0 {
		t.Errorf("without a vendor got %v", got)
	}

	t.Setenv("PRICE_VENDOR", api.URL)
	w := open(t, configured(func(c *Config) { c.Prices.Vendor, c.Prices.VendorURL = "defillama", "${PRICE_VENDOR}" }))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.priceTable.Run(ctx) }()
	defer func() { stop(); <-ended }()
	var got []*balancesv1.Fungible
	for len(got) == 0 && t.Context().Err() == nil {
		got = price(w)
		time.Sleep(50 * time.Millisecond)
	}
	if f := got[0]; f.GetAddress() != bitcoin+":0x" || f.GetSymbol() != "BTC" || f.GetDecimals() != 8 || f.GetPrice() != 101234.5 || f.GetPriceSource() != "defillama" {
		t.Errorf("got %v", f)
	}
}

func TestInvalidPriceRequestsAreRefused(t *testing.T) {
	w := open(t)
	native := []string{"eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}
	cases := map[string]struct {
		currency  string
		addresses []string
		reason    faultv1.Reason
		field     string
	}{
		"no addresses":     {"usd", nil, faultv1.Reason_REASON_PARAMETER_INVALID, "address"},
		"unknown currency": {"irn", native, faultv1.Reason_REASON_BODY_INVALID, "currency"},
		"no currency":      {"", native, faultv1.Reason_REASON_BODY_INVALID, "currency"},
		"no CAIP-10":       {"usd", []string{"0x12"}, faultv1.Reason_REASON_IDENTIFIER_INVALID, ""},
		"bad address":      {"usd", []string{"eip155:1:0x12"}, faultv1.Reason_REASON_ADDRESS_INVALID, "address"},
		"bip122":           {"usd", []string{"bip122:000000000019d6689c085ae165831e93:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"}, faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "address"},
		"bitcoin in euros": {"eur", []string{bitcoin + ":0x"}, faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency"},
		"unlisted bip122":  {"usd", []string{"bip122:000000000933ea01ad0ee984209779ba:0x"}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId"},
		"unlisted chain":   {"usd", []string{"eip155:999999:" + native[0][len("eip155:31337:"):]}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			res, err := w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: c.currency, Addresses: c.addresses})
			if err == nil {
				t.Fatalf("got %v, want an error", res)
			}
			if e := fault.From(err); e.Code != codes.InvalidArgument || e.Reason != c.reason || e.Field != c.field {
				t.Errorf("got %v %v field %q %q", e.Code, e.Reason, e.Field, e.Public)
			}
		})
	}
}
