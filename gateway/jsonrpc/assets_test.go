package jsonrpc_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	someAccount = "0x00000000000000000000000000000000000000A1"
	token       = "0x00000000000000000000000000000000000000B1"
	spam        = "0x00000000000000000000000000000000000000B2"
)

// asking returns a request of wallet_getAssets with some parameters.
func asking(params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":` + params + `}`
}

// holding answers GetBalance for two chains, either of which a test may let fail.
func holding(failing map[string]error) accesstest.Conn {
	return accesstest.Conn{balancesv1.BalancesService_GetBalance_FullMethodName: func(req proto.Message) (proto.Message, error) {
		r := req.(*balancesv1.GetBalanceRequest)
		if err := failing[r.GetChainId()]; err != nil {
			return nil, err
		}
		all := []*balancesv1.Balance{
			{Symbol: "ETH", ChainId: "eip155:1", Quantity: &balancesv1.Quantity{Decimals: "18", Numeric: "0.000000000000000010"}, Value: proto.Float64(2)},
			{Symbol: "TOK", ChainId: "eip155:1", Address: proto.String("eip155:1:" + token), Quantity: &balancesv1.Quantity{Decimals: "0", Numeric: "12"}, Value: proto.Float64(9)},
			{Symbol: "FREE", ChainId: "eip155:1", Address: proto.String("eip155:1:" + spam), Quantity: &balancesv1.Quantity{Decimals: "2", Numeric: "1.00"}, Hidden: proto.String("link")},
			{Symbol: "ETH", ChainId: "eip155:8453", Quantity: &balancesv1.Quantity{Decimals: "18", Numeric: "1.000000000000000000"}},
		}
		res := &balancesv1.GetBalanceResponse{}
		for _, b := range all {
			if r.GetChainId() == "" || r.GetChainId() == b.GetChainId() {
				res.Balances = append(res.Balances, b)
			}
		}
		return res, nil
	}}
}

// askWallet returns the status, the symbols by chain, and the error's code.
func askWallet(t *testing.T, failing map[string]error, body string, headers ...string) (int, map[string]string, int) {
	t.Helper()
	p := accesstest.Enabled()
	p.AllowedOrigins = []string{"https://site.example"}
	w := accesstest.Ask(gatewaytest.OpenOn(t, &accesstest.Book{Project: p}, holding(failing)), "POST", "/v1/wallet?projectId="+accesstest.Known, body, headers...)
	var got struct {
		Result map[string][]struct {
			Balance  string
			Metadata struct{ Symbol string }
		} `json:"result"`
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	symbols := map[string]string{}
	for chain, list := range got.Result {
		for _, a := range list {
			symbols[chain] = strings.TrimSpace(symbols[chain] + " " + a.Metadata.Symbol + " " + a.Balance)
		}
	}
	return w.Code, symbols, got.Error.Code
}

func TestAssetsAreFilteredAndSortedByValue(t *testing.T) {
	all := map[string]string{"0x1": "TOK 0xc ETH 0xa", "0x2105": "ETH 0xde0b6b3a7640000"}
	cases := map[string]map[string]string{
		`{}`:                                     all,
		`{"chainFilter":["0x2105"]}`:             {"0x2105": "ETH 0xde0b6b3a7640000"},
		`{"chainFilter":[]}`:                     {},
		`{"assetTypeFilter":["ERC20"]}`:          {"0x1": "TOK 0xc"},
		`{"assetTypeFilter":["NATIVE","ERC20"]}`: all,
		`{"assetTypeFilter":["ERC721"]}`:         {},
		`{"assetFilter":{"0x1":["native"]},"chainFilter":["0x2105"],"assetTypeFilter":["ERC20"]}`: {"0x1": "ETH 0xa"},
		`{"assetFilter":{"0x1":["` + strings.ToLower(token) + `","` + spam + `"]}}`:               {"0x1": "TOK 0xc FREE 0x64"},
		`{"assetFilter":{}}`: {},
	}
	for filters, want := range cases {
		params := strings.Replace(filters, "{", `{"account":"`+someAccount+`",`, 1)
		status, got, code := askWallet(t, nil, asking(strings.Replace(params, ",}", "}", 1)))
		if status != http.StatusOK || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %d %v (code %d), want %v", filters, status, got, code, want)
		}
	}
}

func TestFailuresOfAssetsHaveTheirCodes(t *testing.T) {
	down := fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "down")
	account := `{"account":"` + someAccount + `"`
	cases := map[string]struct {
		failing      map[string]error
		params       string
		status, code int
	}{
		"no parameters":            {nil, `null`, http.StatusBadRequest, -32602},
		"a list of two":            {nil, `[{},{}]`, http.StatusBadRequest, -32602},
		"no account":               {nil, `{}`, http.StatusBadRequest, -32602},
		"a chain that is no hex":   {nil, account + `,"chainFilter":["1"]}`, http.StatusBadRequest, -32602},
		"a filter of another type": {nil, account + `,"assetFilter":{"0x1":[{}]}}`, http.StatusBadRequest, -32602},
		"too many chains":          {nil, account + `,"chainFilter":["0x1"` + strings.Repeat(`,"0x1"`, 32) + `]}`, http.StatusBadRequest, -32602},
		"every chain down":         {map[string]error{"": down}, account + `}`, http.StatusInternalServerError, -5},
		"one chain of two down":    {map[string]error{"eip155:1": down}, account + `,"chainFilter":["0x1","0x2105"]}`, http.StatusOK, 0},
		"something broke":          {map[string]error{"": fault.Internal(nil)}, account + `}`, http.StatusInternalServerError, -32000},
	}
	for name, c := range cases {
		if status, _, code := askWallet(t, c.failing, asking(c.params)); status != c.status || code != c.code {
			t.Errorf("%s: got %d with code %d, want %d with %d", name, status, code, c.status, c.code)
		}
	}
}

func TestWhatIsNoRequestOfAWalletIsRefusedAsREST(t *testing.T) {
	cases := map[string]int{
		`{"jsonrpc":"2.0","id":1}`:                      http.StatusUnprocessableEntity,
		`{"jsonrpc":"2.0","method":"wallet_getAssets"}`: http.StatusUnprocessableEntity,
		`{"jsonrpc":"2.0","id":null,"method":"x"}`:      http.StatusUnprocessableEntity,
		`{"jsonrpc":"1.0","id":1,"method":"x"}`:         http.StatusUnprocessableEntity,
		`{"jsonrpc":2,"id":1,"method":"x"}`:             http.StatusUnprocessableEntity,
		`"wallet_getAssets"`:                            http.StatusUnprocessableEntity,
		``:                                              http.StatusBadRequest,
		`{"jsonrpc":"2.0","id":1,"method":"reown_getExchanges"}`: http.StatusBadRequest,
	}
	for body, want := range cases {
		if status, _, _ := askWallet(t, nil, body); status != want {
			t.Errorf("%s: got %d, want %d", body, status, want)
		}
	}
	if w := accesstest.Ask(gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()}), "GET", "/v1/wallet?projectId="+accesstest.Known, ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: got %d", w.Code)
	}
}

func TestAWalletOnAForeignPageIsRefusedInJSONRPC(t *testing.T) {
	body := asking(`{"account":"` + someAccount + `"}`)
	if status, _, code := askWallet(t, nil, body, "Origin", "https://other.example"); status != http.StatusBadRequest || code != -1 {
		t.Errorf("got %d with code %d, want 400 with %d", status, code, -1)
	}
}
