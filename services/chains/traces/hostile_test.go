package traces

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func TestManyShortTracesTakeFewBytes(t *testing.T) {
	for _, element := range []string{"0", "{}", "null"} {
		list := "[" + element + strings.Repeat(","+element, 300_000) + "]"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(TraceBlock, Block{}, []byte(list))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrUntraced) || taken > 16<<20 {
			t.Errorf("%s: %d bytes are taken for %d, %v", element, taken, len(list), err)
		}
	}
}
