package route_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func BenchmarkSearch2500(b *testing.B)  { benchmarkSearch(b, 2500) }
func BenchmarkSearch25000(b *testing.B) { benchmarkSearch(b, 25000) }

// benchmarkSearch answers all queries of a market in turn, and reports the median and the 95th percentile of the time,
// and the distance from the bound in basis points.
func benchmarkSearch(b *testing.B, pools int) {
	invented := routetest.Generate(pools)
	market, err := invented.Build()
	if err != nil {
		b.Fatal(err)
	}
	requests := make([]route.Request, len(invented.Queries))
	for i, q := range invented.Queries {
		if requests[i], err = q.Request(); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	gaps := make([]float64, len(requests))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := i % len(requests)
		began := time.Now()
		plan, err := market.Search(b.Context(), requests[at])
		took = append(took, time.Since(began))
		if err != nil {
			b.Fatal(fmt.Errorf("query %d: %w", at, err))
		}
		gaps[at] = plan.BoundBPS
	}
	slices.Sort(took)
	slices.Sort(gaps)
	sum := 0.0
	for _, g := range gaps {
		sum += g
	}
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms/median")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1e3, "ms/p95")
	b.ReportMetric(gaps[len(gaps)/2], "bps/median")
	b.ReportMetric(sum/float64(len(gaps)), "bps/mean")
	b.ReportMetric(gaps[len(gaps)-1], "bps/worst")
}
