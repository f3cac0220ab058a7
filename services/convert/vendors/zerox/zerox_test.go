package zerox

import (
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
)

func TestErrorsAreClassifiedByTheirName(t *testing.T) {
	for body, want := range map[string]error{
		`{"name":"TOKEN_NOT_SUPPORTED","message":"x","data":{"zid":"0x1"}}`:                                  vendors.ErrToken,
		`{"name":"BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE","message":"x","data":{}}`:                              vendors.ErrToken,
		`{"name":"SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE","message":"x"}`:                                       vendors.ErrToken,
		`{"name":"INPUT_INVALID","data":{"details":[{"field":"taker"},{"field":"chainId","reason":"bad"}]}}`: vendors.ErrChain,
		`{"name":"INPUT_INVALID","data":{"details":[{"field":"sellAmount"}]}}`:                               nil,
		`{"name":"SELL_AMOUNT_TOO_SMALL"}`:                                                                   vendors.ErrNoLiquidity,
		`{"name":"TAKER_NOT_AUTHORIZED_FOR_TRADE"}`:                                                          vendors.ErrRejected,
		`{"name":"UNCATEGORIZED","data":null}`:                                                               nil,
		`{"name":"UNCATEGORIZED","data":[]}`:                                                                 nil,
		`<html>`:                                                                                             nil,
	} {
		if got := explain(400, []byte(body)); !errors.Is(got, want) {
			t.Errorf("%s is %v, want %v", body, got, want)
		}
	}
}
