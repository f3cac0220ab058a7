package mailbox

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

// BenchmarkPublish publishes from many goroutines, each of which waits for its message to be stored: to a server that flushes to the disk once a second, as
// the one inside a process does for the relay, and to one that flushes before each acknowledgement, as with sync_interval: always.
func BenchmarkPublish(b *testing.B) {
	for _, sync := range []string{"second", "always"} {
		for _, streams := range []int{1, 4, 16} {
			for _, publishers := range []int{64, 256} {
				b.Run(fmt.Sprintf("sync=%s/streams=%d/publishers=%d", sync, streams, publishers), func(b *testing.B) {
					from := bustest.Embedded(b)
					conn, _ := from.Shared()
					if sync == "second" {
						var err error
						if conn, err = from.Relaxed(); err != nil {
							b.Fatal(err)
						}
					}
					benchmarkPublish(b, conn, streams, publishers)
				})
			}
		}
	}
}

func benchmarkPublish(b *testing.B, conn *nats.Conn, streams, publishers int) {
	store, err := Open(b.Context(), conn, Config{MaxBytes: 4 << 30, Streams: streams, Replicas: 1})
	if err != nil {
		b.Fatal(err)
	}
	body := strings.Repeat("x", 1000)
	times := make([]time.Duration, b.N)
	var next atomic.Int64
	var running sync.WaitGroup
	b.ResetTimer()
	for range publishers {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				start := time.Now()
				m := Message{Topic: numbered(int(i)), Body: fmt.Sprint(i, body), Tag: 1, Account: account("p", int(i))}
				if _, err := store.Publish(b.Context(), m, time.Minute); err != nil {
					b.Error(err)
					return
				}
				times[i] = time.Since(start)
			}
		})
	}
	running.Wait()
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkReadMailbox reads a mailbox of five messages, one in each request, and in batches.
func BenchmarkReadMailbox(b *testing.B) {
	for _, most := range []int{1, BatchMessages} {
		b.Run(fmt.Sprint("batch=", most), func(b *testing.B) {
			conn, err := bustest.Embedded(b).Relaxed()
			if err != nil {
				b.Fatal(err)
			}
			store, err := Open(b.Context(), conn, Config{MaxBytes: 64 << 20, Replicas: 1})
			if err != nil {
				b.Fatal(err)
			}
			for i := range 5 {
				if _, err := store.Publish(b.Context(), Message{Topic: Topic{1}, Body: fmt.Sprint(i), Tag: 1}, time.Hour); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				for from, more := uint64(0), true; more; {
					batch, err := store.Read(b.Context(), Topic{1}, from, most)
					if err != nil {
						b.Fatal(err)
					}
					from, more = batch.Next, batch.More
				}
			}
		})
	}
}
