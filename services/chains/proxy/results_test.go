package proxy

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/pool"
)

func TestANodeDoesNotConfirmItsOwnResult(t *testing.T) {
	now := time.Unix(1, 0)
	results, result := NewResults(), json.RawMessage(`"0x1"`)
	one, other := new(pool.Node), new(pool.Node)
	for range 2 {
		results.add("key", result, one, false, now)
		if got, ok := results.get("key", now); ok {
			t.Fatalf("%s is kept, which only one node returned", got)
		}
	}
	results.add("key", json.RawMessage(`"0x2"`), other, false, now)
	if got, ok := results.get("key", now); ok {
		t.Fatalf("%s is kept, which two nodes do not agree on", got)
	}
	results.add("key", result, other, false, now)
	if got, ok := results.get("key", now); !ok || string(got) != string(result) {
		t.Errorf("got %s, %t after two nodes agreed", got, ok)
	}
}
