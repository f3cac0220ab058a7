package jsonrpc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

func TestAListIsDecodedUpToItsLimit(t *testing.T) {
	if list, err := jsonrpc.DecodeList[int]([]byte(" [1, 2,3] "), 3); err != nil || !slices.Equal(list, []int{1, 2, 3}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, text := range []string{"", "null", "{}", "[1,2,3,4]", "[1", "[1,]", "[1]2", `["a"]`, "[1,2,3" + strings.Repeat(",4", 1_000)} {
		if list, err := jsonrpc.DecodeList[int]([]byte(text), 3); err == nil {
			t.Errorf("%.20s: decoded as %v", text, list)
		}
	}
}
