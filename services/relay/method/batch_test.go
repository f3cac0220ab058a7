package method

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// An item of a batch takes memory even if its text is two bytes, and a frame has room for 700,000 of them.
func TestABatchOfManyShortItemsTakesLittleMemory(t *testing.T) {
	many := func(item string) string { return "[" + strings.Repeat(item+",", 700_000) + item + "]" }
	for name, params := range map[string]string{
		"irn_batchPublish":           `{"messages":` + many("{}") + `}`,
		"irn_batchSubscribe":         `{"topics":` + many(`""`) + `}`,
		"irn_batchSubscribeBlocking": `{"topics":` + many(`""`) + `}`,
		"irn_subscribe":              `{"topics":` + many(`""`) + `}`,
		"irn_batchUnsubscribe":       `{"subscriptions":` + many("{}") + `}`,
		"irn_batchReceive":           `{"receipts":` + many("{}") + `}`,
		"irn_batchFetchMessages":     `{"topics":` + many(`""`) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			raw := json.RawMessage(params)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, failure := methods[name](t.Context(), &Call{}, raw)
			runtime.ReadMemStats(&after)
			if failure == nil {
				t.Error("it was accepted")
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(raw)) {
				t.Errorf("it took %d bytes for params of %d", took, len(raw))
			}
		})
	}
}
