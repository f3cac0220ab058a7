package traces

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// answerSize is the size of the answers of these tests.
const answerSize = 2 << 20

// repeated returns a list of about answerSize bytes.
func repeated(element string) string {
	return "[" + element + strings.Repeat(","+element, answerSize/(len(element)+1)) + "]"
}

// taken returns how many bytes a function allocates, of which some may be free again.
func taken(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestManyShortTracesTakeFewBytes(t *testing.T) {
	for _, element := range []string{"0", "{}", "null"} {
		list := []byte(repeated(element))
		var err error
		n := taken(func() { _, err = Read(TraceBlock, Block{}, list) })
		if !errors.Is(err, ErrUntraced) || n > 1<<20 {
			t.Errorf("%s: %d bytes are taken for %d, %v", element, n, len(list), err)
		}
	}
}

// withFrames returns the answer of callTracer with a frame that has these calls, and another transaction after it.
func withFrames(calls string) []byte {
	const other = `{"txHash":"0x0000000000000000000000000000000000000000000000000000000000000002","result":{"type":"CALL","calls":[
		{"type":"CALL","from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002","value":"0x7"}]}}`
	return fmt.Appendf(nil, `[{"txHash":"%s","result":{"type":"CALL","calls":%s}},%s]`, common.HexToHash("1"), calls, other)
}

const paying = `{"type":"CALL","from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002","value":"0x7"}`

// deep returns calls that are nested this often.
func deep(n int) string {
	return strings.Repeat(`[{"type":"CALL","value":"0x0","calls":`, n) + "[" + paying + "]" + strings.Repeat("}]", n)
}

func TestFramesThatAreReadTakeFewBytes(t *testing.T) {
	for name, c := range map[string]struct {
		calls string
		// moved is how many transfers the transaction has, and skipped whether they are not read.
		moved   int
		skipped bool
		most    uint64
	}{
		"empty frames":              {repeated("{}"), 0, false, 1 << 20},
		"frames with empty lists":   {repeated(`{"calls":[]}`), 0, false, 1 << 20},
		"lists of frames":           {repeated(`{"calls":[{},{},{}]}`), 0, false, 1 << 20},
		"frames as deep as a chain": {deep(maxDepth - 1), 1, false, 1 << 20},
		"deeper frames":             {deep(maxDepth), 0, true, 1 << 20},
		"frames deep and wide":      {"[" + strings.Repeat(strings.Trim(deep(900), "[]")+",", 40) + "{}]", 40, false, 4 << 20},
		"transfers":                 {"[" + strings.Repeat(paying+",", maxOfTransaction-1) + "{}]", maxOfTransaction - 1, false, 8 << 20},
		"50,000 transfers":          {"[" + strings.Repeat(paying+",", 50_000) + "{}]", 0, true, 8 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			answer := withFrames(c.calls)
			var trace Trace
			var err error
			n := taken(func() { trace, err = Read(DebugTrace, Block{}, answer) })
			if err != nil || len(trace.Transfers) != c.moved+1 || trace.Transfers[c.moved].Transaction != common.HexToHash("2") {
				t.Errorf("%d transfers, %v", len(trace.Transfers), err)
			}
			if slices.Contains(trace.Skipped, common.HexToHash("1")) != c.skipped || len(trace.Skipped) > 1 {
				t.Errorf("%v are skipped", trace.Skipped)
			}
			t.Logf("%d bytes are taken for %d", n, len(answer))
			if n > c.most {
				t.Errorf("%d bytes are taken for %d", n, len(answer))
			}
		})
	}
}

func TestAFlatTraceWithTooManyOrTooDeepCallsIsSkipped(t *testing.T) {
	element := func(transaction, address string) string {
		return fmt.Sprintf(`{"action":{"callType":"call","from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002","value":"0x7"},`+
			`"blockHash":"%s","traceAddress":[%s],"transactionHash":"%s","type":"call"}`, common.Hash{}, address, common.HexToHash(transaction))
	}
	far := strings.TrimSuffix(strings.Repeat("0,", maxDepth+1), ",")
	answer := "[" + strings.Repeat(element("1", "0")+",", maxOfTransaction+1) + element("2", "0") + "," + element("3", far) + "," + element("3", "0") + "," +
		element("4", strings.TrimSuffix(far, ",0")) + "]"
	trace, err := Read(TraceBlock, Block{}, []byte(answer))
	if err != nil || len(trace.Transfers) != 2 || trace.Transfers[0].Transaction != common.HexToHash("2") || trace.Transfers[1].Transaction != common.HexToHash("4") {
		t.Errorf("%v, %v", trace.Transfers, err)
	}
	if !slices.Equal(trace.Skipped, []common.Hash{common.HexToHash("1"), common.HexToHash("3")}) {
		t.Errorf("%v are skipped", trace.Skipped)
	}
}

// The transfers of a block are bounded too, so that transactions beyond them are skipped.
func TestABlockHasABoundedNumberOfTransfers(t *testing.T) {
	var all []string
	for n := range maxTransfers/(maxOfTransaction-1) + 1 {
		calls := strings.Repeat(paying+",", maxOfTransaction-2) + paying
		all = append(all, fmt.Sprintf(`{"txHash":"%s","result":{"calls":[%s]}}`, common.HexToHash(fmt.Sprintf("%x", n+1)), calls))
	}
	trace, err := Read(DebugTrace, Block{}, []byte("["+strings.Join(all, ",")+"]"))
	if err != nil || len(trace.Transfers) > maxTransfers || len(trace.Transfers)%(maxOfTransaction-1) != 0 || len(trace.Skipped) != 1 {
		t.Errorf("%d transfers, %v are skipped, %v", len(trace.Transfers), trace.Skipped, err)
	}
}

// The place of a transfer is that of its call: after the one that made it, and before those inside it.
func TestTransfersOfNestedCallsAreInTheOrderOfTheCalls(t *testing.T) {
	const calls = `[{"calls":[
		{"value":"0x2","to":"0x0000000000000000000000000000000000000002","type":"CALL"},
		{"calls":[{"type":"CALL","to":"0x0000000000000000000000000000000000000002","value":"0x9"}],"type":"CALL","error":"reverted"},
		{"type":"CALL","to":"0x0000000000000000000000000000000000000002","value":"0x3"}],
		"type":"CALL","to":"0x0000000000000000000000000000000000000002","value":"0x1"}]`
	trace, err := Read(DebugTrace, Block{}, withFrames(calls))
	var values []int64
	for _, m := range trace.Transfers {
		values = append(values, m.Value.Int64())
	}
	if err != nil || !slices.Equal(values, []int64{1, 2, 3, 7}) {
		t.Errorf("%v, %v", values, err)
	}
}
