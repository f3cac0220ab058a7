package catalog_test

import (
	"errors"
	"math/big"
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/convert/vendors/vendorstest"
)

// open returns one vendor and its server, with a contract on a local chain.
func open(t *testing.T, name string) (*vendorstest.Server, vendors.Source) {
	t.Helper()
	server := vendorstest.Serve(t, name)
	cfg := server.Config()
	cfg.Contracts = map[string][]string{"eip155:31337": {server.Contract().String()}}
	sources, err := catalog.Open(map[string]vendors.Config{name: cfg})
	if err != nil {
		t.Fatal(err)
	}
	return server, sources[0]
}

// refusal is an answer of a vendor that refuses a quote.
type refusal struct {
	status int
	body   string
	want   error
}

// refusals are how vendors say why they refuse: by a code, a name, or a text.
var refusals = map[string][]refusal{
	"0x": {
		{400, `{"name":"TOKEN_NOT_SUPPORTED","message":"x","data":{"zid":"0x1"}}`, vendors.ErrToken},
		{400, `{"name":"BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE","message":"x","data":{}}`, vendors.ErrToken},
		{400, `{"name":"SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE","message":"x"}`, vendors.ErrToken},
		{400, `{"name":"INPUT_INVALID","data":{"details":[{"field":"taker"},{"field":"chainId","reason":"bad"}]}}`, vendors.ErrChain},
		{400, `{"name":"INPUT_INVALID","data":{"details":[{"field":"sellAmount"}]}}`, vendors.ErrRejected},
		{400, `{"name":"SELL_AMOUNT_TOO_SMALL"}`, vendors.ErrNoLiquidity},
		{403, `{"name":"TAKER_NOT_AUTHORIZED_FOR_TRADE"}`, vendors.ErrRejected},
		{403, `{"name":"UNCATEGORIZED"}`, vendors.ErrKey},
		{400, `{"name":"UNCATEGORIZED","data":null}`, vendors.ErrRejected},
		{400, `{"name":"UNCATEGORIZED","data":[]}`, vendors.ErrRejected},
		{400, `<html>`, vendors.ErrRejected},
	},
	"1inch": {
		{400, `{"description":"insufficient liquidity"}`, vendors.ErrNoLiquidity},
		{400, `{"description":"Insufficient liquidity"}`, vendors.ErrNoLiquidity},
		{400, `{"description":"cannot sync token"}`, vendors.ErrToken},
		{400, `{"description":"Cannot sync 0x1111111111111111111111111111111111111111, token is not valid"}`, vendors.ErrToken},
		{400, `{"description":"amount is not set"}`, vendors.ErrRejected},
		{404, `{"message":"Cannot GET /swap/v6.1/8217/quote"}`, vendors.ErrChain},
		{404, `<html>`, vendors.ErrRejected},
		{500, `{"description":"Internal Server Error"}`, vendors.ErrBroken},
		{400, ``, vendors.ErrRejected},
	},
	"lifi": {
		{400, `{"code":1002,"message":"No available quotes for the requested transfer","errors":{}}`, vendors.ErrNoLiquidity},
		{400, `{"code":1005,"message":"Rate limit exceeded"}`, vendors.ErrRateLimited},
		{400, `{"code":1010,"message":"Unauthorized"}`, vendors.ErrKey},
		{400, `{"code":1011,"message":"Invalid toToken"}`, vendors.ErrToken},
		{400, `{"code":1011,"message":"Invalid fromChain"}`, vendors.ErrChain},
		{400, `{"code":1011,"message":"Invalid fromAmount"}`, vendors.ErrRejected},
		{400, `{"code":1008,"message":"a token of a third party"}`, vendors.ErrRejected},
		{400, `{"message":"a token without a code"}`, vendors.ErrRejected},
		{400, `<html>`, vendors.ErrRejected},
	},
	"velora": {
		{400, `{"error":"No routes found with enough liquidity"}`, vendors.ErrNoLiquidity},
		{400, `{"error":"ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT"}`, vendors.ErrNoLiquidity},
		{400, `{"error":"Amount 1 is too small to proceed"}`, vendors.ErrNoLiquidity},
		{400, `{"error":"Invalid srcToken"}`, vendors.ErrToken},
		{400, `{"error":"Invalid tokens"}`, vendors.ErrToken},
		{400, `{"error":"Unsupported chain"}`, vendors.ErrChain},
		{400, `{"error":"Network 8217 is not supported"}`, vendors.ErrChain},
		{400, `{"error":"Invalid priceRoute"}`, vendors.ErrRejected},
		{400, `{"error":"Price Timeout"}`, vendors.ErrRejected},
	},
	"kyberswap": anyStatus([]int{http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity}, map[string]error{
		`{"code":4008,"message":"as documented"}`: vendors.ErrNoLiquidity,
		`{"code":4009,"message":"as documented"}`: vendors.ErrNoLiquidity,
		`{"code":4010,"message":"as documented"}`: vendors.ErrNoLiquidity,
		`{"code":4011,"message":"as documented"}`: vendors.ErrToken,
		`{"code":4221,"message":"as documented"}`: vendors.ErrToken,
		`{"code":4222,"message":"as documented"}`: vendors.ErrMoved,
		`{"code":4000,"message":"as documented"}`: vendors.ErrRejected,
		`{"code":4227,"message":"as documented"}`: vendors.ErrRejected,
	}),
	"openocean": anyStatus([]int{http.StatusOK, http.StatusInternalServerError}, map[string]error{
		`{"code":500,"error":"Insufficient liquidity"}`:     vendors.ErrNoLiquidity,
		`{"code":500,"message":"No available route"}`:       vendors.ErrNoLiquidity,
		`{"code":500,"error":"token is not exist"}`:         vendors.ErrToken,
		`{"code":500,"error":"chain not support"}`:          vendors.ErrChain,
		`{"code":429,"error":"slow down"}`:                  vendors.ErrRateLimited,
		`{"code":500,"error":"boom","data":"not an offer"}`: vendors.ErrBroken,
	}),
}

// anyStatus returns refusals that mean the same with each status.
func anyStatus(statuses []int, bodies map[string]error) (all []refusal) {
	for body, want := range bodies {
		for _, status := range statuses {
			all = append(all, refusal{status, body, want})
		}
	}
	return all
}

func TestRefusalsAreClassifiedByWhatTheVendorSays(t *testing.T) {
	for name := range catalog.Vendors() {
		t.Run(name, func(t *testing.T) {
			if len(refusals[name]) == 0 {
				t.Fatal("it never refuses")
			}
			server, source := open(t, name)
			for _, r := range refusals[name] {
				server.Answer(say(r.status, r.body))
				if _, err := source.Quote(t.Context(), ask(dai, usdc, big.NewInt(1e18))); !errors.Is(err, r.want) {
					t.Errorf("HTTP %d with %s is %v, want %v", r.status, r.body, err, r.want)
				}
			}
		})
	}
}
