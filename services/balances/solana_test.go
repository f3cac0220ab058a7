package balances

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// solanaNodes is the chains service with the local Solana chain. It records the methods of each forwarded body.
type solanaNodes struct {
	chain *devnettest.Solana
	down  bool
	// ethereum adds a network whose nodes do not answer.
	ethereum bool

	mu     sync.Mutex
	bodies [][]string
}

func (n *solanaNodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if r.GetChainId() != n.chain.CAIP2 || n.down {
		return nil, status.Error(codes.Unavailable, "no node")
	}
	var calls []struct{ Method string }
	if err := json.Unmarshal(r.GetBody(), &calls); err != nil {
		return nil, err
	}
	var methods []string
	for _, c := range calls {
		methods = append(methods, c.Method)
	}
	n.mu.Lock()
	n.bodies = append(n.bodies, methods)
	n.mu.Unlock()
	body, err := n.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

func (n *solanaNodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	sol := &chainsv1.NativeCurrency{Name: "Solana", Symbol: "SOL", Decimals: 9}
	res := &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: n.chain.CAIP2, Name: "Solana Devnet", NativeCurrency: sol}}}
	if n.ethereum {
		ether := &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: "eip155:1", Name: "Ethereum", NativeCurrency: ether})
	}
	return res, nil
}

func (*solanaNodes) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, nil
}

// solanaWorld is the service on the local Solana chain.
type solanaWorld struct {
	*server
	chain     *devnettest.Solana
	nodes     *solanaNodes
	published *events
}

func openSolana(tb testing.TB, change ...func(*Config)) solanaWorld {
	tb.Helper()
	chain := devnettest.StartSolana(tb)
	n := &solanaNodes{chain: chain}
	cfg := DefaultConfig()
	tUSD := chain.Token(tb, "tUSD")
	cfg.Tokens.Extra = map[string][]tokens.Entry{chain.CAIP2: {{Address: tUSD.Address, Symbol: tUSD.Symbol, Name: tUSD.Name, Decimals: 6, Icon: "https://icons.example/tusd.png"}}}
	cfg.Prices.Static = map[string]float64{chain.CAIP2 + ":" + svm.Native.String(): 150, chain.CAIP2 + ":" + tUSD.Address: 1}
	for _, c := range change {
		c(&cfg)
	}
	published := &events{}
	s, err := newServer(cfg, Deps{Chain: chainclient.NewFrom(n, n, clock.System{}), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}, published)
	if err != nil {
		tb.Fatal(err)
	}
	return solanaWorld{s, chain, n, published}
}

func (w solanaWorld) balances(tb testing.TB, r *balancesv1.GetBalanceRequest) *balancesv1.GetBalanceResponse {
	tb.Helper()
	r.Currency = "usd"
	res, err := w.GetBalance(tb.Context(), r)
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

// line prints the parts of a balance that a page shows.
func line(b *balancesv1.Balance) string {
	return strings.TrimSpace(fmt.Sprintf("%s|%s|%s|%s", b.GetSymbol(), b.GetName(), b.GetQuantity().GetNumeric(), b.GetHidden()))
}

func TestASolanaAccountHoldsSOLAndTokensOfBothPrograms(t *testing.T) {
	w := openSolana(t)
	owner := w.chain.Accounts[0].Address
	res := w.balances(t, &balancesv1.GetBalanceRequest{Address: owner, ChainId: w.chain.CAIP2})
	got := map[string]string{}
	for _, b := range res.GetBalances() {
		got[b.GetAddress()] = line(b)
		if b.GetChainId() != w.chain.CAIP2 {
			t.Errorf("%s is on %s", b.GetSymbol(), b.GetChainId())
		}
	}
	id := func(symbol string) string { return w.chain.CAIP2 + ":" + w.chain.Token(t, symbol).Address }
	for address, want := range map[string]string{
		w.chain.CAIP2 + ":So11111111111111111111111111111111111111111": "SOL|Solana|1000.000000000|",
		id("tUSD"):   "tUSD|Test USD|1000000.000001|",
		id("tJUP"):   "tJUP|Test Jupiter|1234567.000000001|",
		id("HUGE"):   "HUGE|The largest balance there is|184467440737095.51615|",
		id("WHOLE"):  "WHOLE|No decimals|7|",
		id("BARE"):   "||123.45|",
		id("CLAIM"):  "CLAIM|Claim at https://claim.example|5000.000000|link",
		id("tPYUSD"): "tPYUSD|Test PayUSD|750.000000|",
		id("TAX"):    "TAX|Takes one percent|42.00000000|",
	} {
		if got[address] != want {
			t.Errorf("%s: got %q, want %q", address, got[address], want)
		}
	}
	if first := res.GetBalances()[0]; first.GetSymbol() != "SOL" || first.GetValue() != 150_000 || first.GetPriceSource() != "static" || res.More != nil {
		t.Errorf("the first balance is %v, more %v", first, res.More)
	}
	if last := res.GetBalances()[len(res.GetBalances())-1]; last.GetHidden() == "" {
		t.Errorf("the last balance is %v, want a hidden one", last)
	}
}

func TestASolanaAccountCostsOneRequestAProgram(t *testing.T) {
	w := openSolana(t)
	r := &balancesv1.GetBalanceRequest{Address: w.chain.Accounts[0].Address, ChainId: w.chain.CAIP2}
	w.balances(t, r)
	if got := fmt.Sprint(w.nodes.bodies[0]); got != "[getBalance getTokenAccountsByOwner getTokenAccountsByOwner]" || len(w.nodes.bodies) != 2 {
		t.Errorf("the first read sent %v", w.nodes.bodies)
	}
	w.balances(t, r)
	if len(w.nodes.bodies) != 2 {
		t.Errorf("a cached read sent %v", w.nodes.bodies[2:])
	}
	w.solana.Cache.OnHead(w.chain.CAIP2, "another slot")
	w.balances(t, r)
	if len(w.nodes.bodies) != 3 {
		t.Errorf("the read after a slot sent %v", w.nodes.bodies[2:])
	}
}

func TestAForcedTokenOfSolanaIsListedWithoutABalance(t *testing.T) {
	w := openSolana(t)
	holder := w.chain.Accounts[6].Address
	token := w.chain.CAIP2 + ":" + w.chain.Token(t, "tPYUSD").Address
	res := w.balances(t, &balancesv1.GetBalanceRequest{Address: holder, ChainId: w.chain.CAIP2, ForceUpdate: token})
	if got := line(res.GetBalances()[1]); got != "tPYUSD|Test PayUSD|0.000000|" {
		t.Errorf("got %q of %v", got, res)
	}
	_, err := w.GetBalance(t.Context(), &balancesv1.GetBalanceRequest{Address: holder, ChainId: w.chain.CAIP2, Currency: "usd", ForceUpdate: w.chain.CAIP2 + ":" + holder})
	if got := fault.From(err); got.Reason != faultv1.Reason_REASON_PARAMETER_INVALID {
		t.Errorf("an account that is not a mint: %v", err)
	}
}

func TestRequestsForSolanaAreRefusedInTheTextsOfTheAPI(t *testing.T) {
	w := openSolana(t)
	owner := w.chain.Accounts[0].Address
	for name, c := range map[string]struct {
		request *balancesv1.GetBalanceRequest
		want    faultv1.Reason
	}{
		"an address of another namespace":  {&balancesv1.GetBalanceRequest{Address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", ChainId: w.chain.CAIP2}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"a chain that is not served":       {&balancesv1.GetBalanceRequest{Address: owner, ChainId: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
		"an address of Solana on eip155":   {&balancesv1.GetBalanceRequest{Address: owner, ChainId: "eip155:1"}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"a forced token of eip155":         {&balancesv1.GetBalanceRequest{Address: owner, ChainId: w.chain.CAIP2, ForceUpdate: "eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}, faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED},
		"a namespace that is not read yet": {&balancesv1.GetBalanceRequest{Address: owner, ChainId: "polkadot:91b171bb158e2d3848fa23a9f1c25182"}, faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED},
	} {
		c.request.Currency = "usd"
		_, err := w.GetBalance(t.Context(), c.request)
		if got := fault.From(err); err == nil || got.Reason != c.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	w.nodes.down = true
	_, err := w.GetBalance(t.Context(), &balancesv1.GetBalanceRequest{Address: owner, ChainId: w.chain.CAIP2, Currency: "usd"})
	if got := fault.From(err); got.Code != codes.Unavailable || got.Public != solanaUnavailable {
		t.Errorf("without a node: %v", err)
	}
}

func TestAWatchedSolanaAccountIsReadPastTheCacheAndItsChangePublished(t *testing.T) {
	w := openSolana(t)
	holder := w.chain.Accounts[7].Address
	read := func(block uint64) string {
		t.Helper()
		res, err := w.ReadAccount(t.Context(), &balancesv1.ReadAccountRequest{Address: holder, ChainId: w.chain.CAIP2, Currencies: []string{"usd"}, Block: block})
		if err != nil {
			t.Fatal(err)
		}
		return res.GetLists()[0].GetBalances()[0].GetQuantity().GetNumeric()
	}
	before := read(1)
	w.chain.Call(t, "requestAirdrop", holder, 5)
	if after := read(2); after == before {
		t.Errorf("after an airdrop the balance is still %s", after)
	}
	if len(w.published.byID) != 1 {
		t.Errorf("published %v", w.published.byID)
	}
	for _, m := range w.published.byID {
		if got := m.(*balancesv1.BalanceChanged); got.GetAccount() != w.chain.CAIP2+":"+holder || got.GetBlock() != 2 {
			t.Errorf("published %v", got)
		}
	}
}

func TestAPortfolioOfSolanaHasTheMostValuableFirst(t *testing.T) {
	w := openSolana(t)
	res, err := w.GetPortfolio(t.Context(), &balancesv1.GetPortfolioRequest{Address: w.chain.Accounts[0].Address})
	if err != nil || len(res.GetData()) < 2 || res.GetData()[0].GetSymbol() != "tUSD" || res.GetData()[1].GetId() != w.chain.CAIP2+":"+svm.Native.String() {
		t.Errorf("got %v %v", res, err)
	}
}

func TestTokensOfSolanaArePricedInUSDollarsOnly(t *testing.T) {
	w := openSolana(t)
	native, tUSD := w.chain.CAIP2+":"+svm.Native.String(), w.chain.CAIP2+":"+w.chain.Token(t, "tUSD").Address
	unknown := w.chain.CAIP2 + ":" + w.chain.Token(t, "TAX").Address
	res, err := w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: []string{tUSD, unknown, native}})
	if err != nil || len(res.GetFungibles()) != 2 {
		t.Fatalf("got %v %v", res, err)
	}
	if f := res.GetFungibles()[0]; f.GetAddress() != tUSD || f.GetPrice() != 1 || f.GetIconUrl() == "" || f.GetDecimals() != 6 {
		t.Errorf("the first price is %v", f)
	}
	if f := res.GetFungibles()[1]; f.GetAddress() != native || f.GetName() != "Solana" || f.GetPrice() != 150 || f.GetDecimals() != 9 {
		t.Errorf("the second price is %v", f)
	}
	_, err = w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "eur", Addresses: []string{native}})
	if got := fault.From(err); err == nil || got.Field != "currency" || got.Code != codes.InvalidArgument {
		t.Errorf("in euros: %v", err)
	}
}

func TestAnUnreadableNamespaceLeavesThePricesOfTheOthers(t *testing.T) {
	w := openSolana(t)
	w.nodes.ethereum = true
	const ether = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
	sol, unlisted := w.chain.CAIP2+":"+svm.Native.String(), w.chain.CAIP2+":"+w.chain.Token(t, "TAX").Address
	res, err := w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: []string{ether, sol}})
	if err != nil || len(res.GetFungibles()) != 1 || res.GetFungibles()[0].GetAddress() != sol {
		t.Errorf("got %v %v", res, err)
	}
	w.nodes.down = true
	_, err = w.ListPrices(t.Context(), &balancesv1.ListPricesRequest{Currency: "usd", Addresses: []string{ether, unlisted}})
	if got := fault.From(err); err == nil || got.Code != codes.Unavailable {
		t.Errorf("without any price: %v", err)
	}
}
