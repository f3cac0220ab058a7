package chainclient

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

func TestManyShortElementsOfAnAnswerTakeFewBytes(t *testing.T) {
	for _, element := range []string{"0", "{}", "null"} {
		list := "[" + element + strings.Repeat(","+element, 500_000) + "]"
		whole := Transport(func(context.Context, []byte) ([]byte, error) { return []byte(list), nil })
		logs := Transport(func(context.Context, []byte) ([]byte, error) {
			return []byte(`[{"jsonrpc":"2.0","id":0,"result":` + list + `}]`), nil
		})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := whole.Batch(t.Context(), Call{Method: "eth_getLogs"})
		results, logsErr := logs.Batch(t.Context(), Call{Method: "eth_getLogs"})
		if err == nil || logsErr != nil {
			t.Fatalf("%s: a batch of them: %v; in a batch: %v", element, err, logsErr)
		}
		if _, err := results[0].Logs(); err == nil {
			t.Errorf("%s is a log", element)
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
			t.Errorf("%s: %d bytes are taken for %d", element, taken, len(list))
		}
	}
}
