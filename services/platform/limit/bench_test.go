package limit_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// BenchmarkCallers takes 1 from a rate of as many callers in turns, by a limiter that has accounts for all of them, and by one of the default size, and prints
// how long a call takes and how many bytes the limiter has for each caller.
func BenchmarkCallers(b *testing.B) {
	r := limit.Rate{Name: "requests", PerSecond: 50, Burst: 500}
	for _, callers := range []uint32{1_000, 100_000, 300_000, 1_000_000} {
		for name, most := range map[string]int{"all have accounts": int(callers), "the default": 0} {
			b.Run(fmt.Sprintf("%d, %s", callers, name), func(b *testing.B) {
				var used, took float64
				for b.Loop() {
					before := heap()
					l := limit.NewLocal(clock.System{}, most)
					for n := range callers {
						l.Take(b.Context(), numbered(n), r, 1)
					}
					used += float64(int64(heap() - before))
					begun := time.Now()
					for n := range callers {
						l.Take(b.Context(), numbered(n), r, 1)
					}
					took += float64(time.Since(begun).Nanoseconds())
					runtime.KeepAlive(l)
				}
				b.ReportMetric(used/float64(b.N)/float64(callers), "B/caller")
				b.ReportMetric(took/float64(b.N)/float64(callers), "ns/call")
			})
		}
	}
}
