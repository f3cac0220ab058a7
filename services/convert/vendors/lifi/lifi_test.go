package lifi

import (
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
)

func TestErrorsAreClassifiedByTheirCode(t *testing.T) {
	for body, want := range map[string]error{
		`{"code":1002,"message":"No available quotes for the requested transfer","errors":{}}`: vendors.ErrNoLiquidity,
		`{"code":1005,"message":"Rate limit exceeded"}`:                                        vendors.ErrRateLimited,
		`{"code":1010,"message":"Unauthorized"}`:                                               vendors.ErrKey,
		`{"code":1011,"message":"Invalid toToken"}`:                                            vendors.ErrToken,
		`{"code":1011,"message":"Invalid fromChain"}`:                                          vendors.ErrChain,
		`{"code":1011,"message":"Invalid fromAmount"}`:                                         nil,
		`{"code":1008,"message":"a token of a third party"}`:                                   nil,
		`{"message":"a token without a code"}`:                                                 nil,
		`<html>`:                                                                               nil,
	} {
		if got := explain(400, []byte(body)); !errors.Is(got, want) {
			t.Errorf("%s is %v, want %v", body, got, want)
		}
	}
}
