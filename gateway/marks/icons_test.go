package marks_test

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
)

const (
	usdcID      = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
	lookalikeID = "eip155:1:0x000000000000000000000000000000000000dEaD"
	usdcMark    = "http://wallet.test:8080/v1/assets/tokens/eip155:1/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.svg"
	ethMark     = "http://wallet.test:8080/v1/assets/tokens/eip155:1/native.svg"
)

func TestMarksAreServedFromTheGatewaysOwnFiles(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{
		"/v1/assets/networks/eip155:1.svg", "/v1/assets/networks/eip155:31337.svg", "/v1/assets/tokens/eip155:1/native.svg",
		strings.TrimPrefix(usdcMark, "http://wallet.test:8080"), "/v1/assets/sellers/beacon-pay.svg",
	} {
		w := accesstest.Ask(g, "GET", path, "", "Origin", "https://app.example")
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), "<svg ") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		accesstest.WantHeaders(t, w, map[string]string{
			"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=604800",
			"Content-Security-Policy":      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
			"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
		})
		tag := w.Header().Get("ETag")
		if again := accesstest.Ask(g, "GET", path, "", "If-None-Match", tag); tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s: asked again for %s: %d", path, tag, again.Code)
		}
	}
}

func TestAMarkThatIsNotThereStaysSoForADay(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{
		"/v1/assets/networks/eip155:5.svg", "/v1/assets/networks/eip155:1", "/v1/assets/networks/eip155:1.png",
		"/v1/assets/tokens/eip155:1/0x000000000000000000000000000000000000dead.svg", "/v1/assets/sellers/nobody.svg",
	} {
		w := accesstest.Ask(g, "GET", path, "")
		if w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "public, max-age=86400" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	if w := accesstest.Ask(g, "GET", "/v1/assets/pictures/eip155:1.svg", ""); w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("no such kind: %d %v", w.Code, w.Header())
	}
}

func TestMarksCountAgainstNoBudget(t *testing.T) {
	cfg := gateway.DefaultConfig()
	cfg.Limits.OpenRequestsPerSecond, cfg.Limits.OpenBurst = 0.01, 1
	g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{Project: accesstest.Enabled()}, nil)
	for range 5 {
		if w := accesstest.Ask(g, "GET", "/v1/assets/networks/eip155:1.svg", ""); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// iconsIn requests REST and Connect, and counts the icons in the responses.
func iconsIn(t *testing.T, g *gateway.Gateway, path, procedure string, want map[string]int) {
	t.Helper()
	answers := map[string]string{
		"rest":    accesstest.Ask(g, "GET", "http://wallet.test:8080"+path+"&projectId="+accesstest.Known, "").Body.String(),
		"connect": accesstest.Ask(g, "POST", "http://wallet.test:8080"+procedure, "{}", "Content-Type", "application/json", "Hawser-Project-Id", accesstest.Known).Body.String(),
	}
	for protocol, body := range answers {
		for text, times := range want {
			if got := strings.Count(body, text); got != times {
				t.Errorf("%s: %d times %s, want %d: %s", protocol, got, text, times, body)
			}
		}
	}
}

func TestBalancesHaveTheMarksOfTheirTokens(t *testing.T) {
	own := "https://icons.example/own.svg"
	balance := func(address, icon string) *balancesv1.Balance {
		b := &balancesv1.Balance{
			Name: "USD Coin", Symbol: "USDC", ChainId: "eip155:1", IconUrl: icon,
			Quantity: &balancesv1.Quantity{Numeric: "1", Decimals: "0"},
		}
		if address != "" {
			b.Address = &address
		}
		return b
	}
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		balancesv1.BalancesService_GetBalance_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &balancesv1.GetBalanceResponse{Balances: []*balancesv1.Balance{
				balance("", ""), balance(usdcID, ""), balance(lookalikeID, ""), balance(usdcID, own),
			}}, nil
		},
	})
	want := map[string]int{ethMark: 1, usdcMark: 1, own: 1, "/v1/assets/": 2}
	iconsIn(t, g, "/v1/account/0xab/balance?currency=usd", balancesv1.BalancesService_GetBalance_FullMethodName, want)

	call := `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0xab"}}`
	assets := accesstest.Ask(g, "POST", "http://wallet.test:8080/v1/wallet?projectId="+accesstest.Known, call).Body.String()
	for text, times := range want {
		if got := strings.Count(assets, text); got != times {
			t.Errorf("wallet_getAssets: %d times %s, want %d: %s", got, text, times, assets)
		}
	}
}

func TestTokensThatCanBeSwappedHaveTheirMarks(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		convertv1.ConvertService_ListTokens_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &convertv1.ListTokensResponse{Tokens: []*convertv1.Token{
				{Symbol: "ETH", Address: "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}, {Symbol: "USDC", Address: usdcID}, {Symbol: "USDC", Address: lookalikeID},
			}}, nil
		},
	})
	iconsIn(t, g, "/v1/convert/tokens?chainId=eip155:1", convertv1.ConvertService_ListTokens_FullMethodName, map[string]int{ethMark: 1, usdcMark: 1, "/v1/assets/": 2})
}

func TestPricesHaveTheMarksOfTheirTokens(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		balancesv1.BalancesService_ListPrices_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &balancesv1.ListPricesResponse{Fungibles: []*balancesv1.Fungible{{Symbol: "USDC", Address: usdcID}, {Symbol: "USDC", Address: lookalikeID}}}, nil
		},
	})
	w := accesstest.Ask(g, "POST", "http://wallet.test:8080/v1/fungible/price", `{"projectId":"`+accesstest.Known+`","currency":"usd","addresses":["`+usdcID+`"]}`)
	if body := w.Body.String(); strings.Count(body, usdcMark) != 1 || strings.Count(body, "/v1/assets/") != 1 {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestTransfersHaveTheMarksOfTheirTokens(t *testing.T) {
	moved := func(address *string) *activityv1.Transfer {
		return &activityv1.Transfer{FungibleInfo: &activityv1.FungibleInfo{Symbol: "USDC", Icon: &activityv1.Icon{}, Address: address}}
	}
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		activityv1.ActivityService_GetHistory_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &activityv1.GetHistoryResponse{Data: []*activityv1.Transaction{
				{
					Metadata: &activityv1.Metadata{
						OperationType: "approve", Chain: "eip155:1", SentTo: strings.TrimPrefix(usdcID, "eip155:1:"), Application: &activityv1.Application{Name: "USD Coin"},
					},
					Transfers: []*activityv1.Transfer{moved(nil), moved(proto.String(usdcID)), moved(proto.String(lookalikeID)), {NftInfo: &activityv1.NftInfo{Address: usdcID}}},
				},
				// A purchase names its token without an address: that is not the native currency.
				{Metadata: &activityv1.Metadata{OperationType: "buy", Chain: "eip155:1"}, Transfers: []*activityv1.Transfer{moved(nil)}},
			}}, nil
		},
	})
	iconsIn(t, g, "/v1/account/0xab/history?", activityv1.ActivityService_GetHistory_FullMethodName, map[string]int{ethMark: 1, usdcMark: 2, "/v1/assets/": 3})
}

func TestPicturesOfWalletsAreServedByTheirIds(t *testing.T) {
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(accesstest.Conn{}, "projects")}, gateway.DefaultConfig(), gatewaytest.Deps(t))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/getWalletImage/metamask?projectId=" + accesstest.Known + "&st=appkit": http.StatusOK,
		"/v1/assets/wallets/metamask.svg":                                       http.StatusOK,
		"/getWalletImage/unknown":                                               http.StatusNotFound,
		"/v1/assets/wallets/unknown.svg":                                        http.StatusNotFound,
	} {
		res := accesstest.Ask(g, http.MethodGet, path, "")
		if res.Code != want || want == http.StatusOK && res.Header().Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %d %s", path, res.Code, res.Header().Get("Content-Type"))
		}
		if !strings.Contains(res.Header().Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s may run scripts", path)
		}
	}
}
