package evm

import (
	"encoding/hex"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestQuestionsOfSeveralKindsAreAskedAtOnce(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	refuses := place(t, chain, 40, revertsWithData)
	results, err := Ask(t.Context(), chain.Forward,
		Question{Method: "eth_chainId", Params: []any{}},
		Question{Method: "eth_call", Params: []any{map[string]string{"to": refuses.String()}, "latest"}},
		Question{Method: "eth_getCode", Params: []any{refuses.String(), "latest"}},
		Question{Method: "hawser_isNoMethod", Params: []any{}},
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
		t.Errorf("an unknown method is the node's refusal, not a contract's: %v", results[3].Err())
	}
}
