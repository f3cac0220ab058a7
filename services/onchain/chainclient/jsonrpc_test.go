package chainclient

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestABatchMayHaveCallsOfSeveralKinds(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	refuses := placeCode(t, chain)
	results, err := Transport(chain.Forward).Batch(t.Context(),
		Call{Method: "eth_chainId", Params: []any{}},
		Call{Method: "eth_call", Params: []any{map[string]string{"to": refuses.String()}, "latest"}},
		Call{Method: "eth_getCode", Params: []any{refuses.String(), "latest"}},
		Call{Method: "hawser_isNoMethod", Params: []any{}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := results[0].Quantity(); err != nil || id.Int64() != 31337 {
		t.Errorf("chain id: got %v %v", id, err)
	}
	if data, failed := results[1].Executed(); !failed || len(data) != 32 || data[0] != 8 {
		t.Errorf("a contract that reverts with a word: got %x %v", data, failed)
	}
	if code, err := results[2].Bytes(); err != nil || "0x"+hex.EncodeToString(code) != revertsWithData {
		t.Errorf("code: got %x %v", code, err)
	}
	if _, failed := results[3].Executed(); failed || results[3].Err() == nil {
		t.Errorf("an unknown method is not a failure of a contract: %v", results[3].Err())
	}
}

func TestALongResultIsTheResultOfTheResponse(t *testing.T) {
	cases := map[string]struct {
		body, want string
		ok         bool
	}{
		"plain":                      {`{"jsonrpc":"2.0","id":0,"result":"0x0102"}`, `"0x0102"`, true},
		"in another order":           {`{"result":"0x0102","id":0}`, `"0x0102"`, true},
		"of a nested object":         {`{"id":0,"error":{"code":1,"message":"","data":{"result":"0x01"}}}`, "", false},
		"beside an error":            {`{"id":0,"result":"0x01","error":{"code":1,"message":"x"}}`, "", false},
		"inside another text":        {`{"id":0,"error":"\"result\":\"0x01\""}`, "", false},
		"cut":                        {`{"id":0,"result":"0x01`, "", false},
		"followed by something else": {`{"id":0,"result":"0x01"} garbage`, "", false},
		"spaced":                     {`{"id": 0, "result": "0x01"}`, "", false},
	}
	for name, c := range cases {
		got, ok := longResult([]byte(c.body))
		if ok != c.ok || string(got) != c.want {
			t.Errorf("%s: got %s %v, want %s %v", name, got, ok, c.want, c.ok)
		}
	}
}

func TestRevertDataIsFoundInEachFormOfNodes(t *testing.T) {
	for _, raw := range []string{`"0x0102"`, `"Reverted 0x0102"`, `{"data":"0x0102"}`} {
		if out, ok := (&NodeError{Data: json.RawMessage(raw)}).RevertData(); !ok || string(out) != "\x01\x02" {
			t.Errorf("%s: got %x %v", raw, out, ok)
		}
	}
}

// placeCode deploys a contract that reverts with one word, starting with 8, and returns its address.
func placeCode(tb testing.TB, chain devnettest.Chain) common.Address {
	tb.Helper()
	at := common.HexToAddress("0xbad0c0de")
	chain.Call(tb, "anvil_setCode", at.String(), revertsWithData)
	return at
}

const revertsWithData = "0x7f080000000000000000000000000000000000000000000000000000000000000060005260206000fd"
