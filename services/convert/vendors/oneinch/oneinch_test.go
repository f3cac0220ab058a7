package oneinch

import (
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
)

func TestErrorsAreClassifiedByTheirDescription(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   error
	}{
		{400, `{"description":"insufficient liquidity"}`, vendors.ErrNoLiquidity},
		{400, `{"description":"Insufficient liquidity"}`, vendors.ErrNoLiquidity},
		{400, `{"description":"cannot sync token"}`, vendors.ErrToken},
		{400, `{"description":"Cannot sync 0x1111111111111111111111111111111111111111, token is not valid"}`, vendors.ErrToken},
		{400, `{"description":"amount is not set"}`, nil},
		{404, `{"message":"Cannot GET /swap/v6.1/8217/quote"}`, vendors.ErrChain},
		{404, `<html>`, nil},
		{500, `{"description":"Internal Server Error"}`, nil},
		{400, ``, nil},
	} {
		if got := explain(tt.status, []byte(tt.body)); !errors.Is(got, tt.want) {
			t.Errorf("%d %s is %v, want %v", tt.status, tt.body, got, tt.want)
		}
	}
}
