package leases_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/leases"
)

// BenchmarkTake compares taking a token from a limit that replicas share with taking it from a limit of one process,
// and prints the ratio. Leases are renewed while it runs.
func BenchmarkTake(b *testing.B) {
	conn, err := nats.Connect(bustest.Server(b))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	shared, err := leases.New(b.Context(), conn, clock.System{}, leases.Config{Service: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	defer shared.Close()
	local := limit.NewLocal(clock.System{}, 0)
	r := limit.Rate{Name: "requests", PerSecond: 100_000_000, Burst: 10_000_000}
	const n = 2_000_000
	take := func(l limit.Limiter) float64 {
		begun := time.Now()
		for range n {
			l.Take(b.Context(), alice, r, 1)
		}
		return float64(time.Since(begun).Nanoseconds()) / n
	}
	var one, other float64
	for b.Loop() {
		one += take(local)
		other += take(shared)
	}
	b.ReportMetric(one/float64(b.N), "local-ns")
	b.ReportMetric(other/float64(b.N), "shared-ns")
	b.ReportMetric(other/one, "shared/local")
}
