package catalog_test

import (
	"errors"
	"math/big"
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
