package relay

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// BenchmarkPublishOverOneConnection publishes to many topics over one connection, without waiting for the answers: to a server that flushes to the disk once a
// second, and to one that flushes before each acknowledgement.
func BenchmarkPublishOverOneConnection(b *testing.B) {
	b.Run("sync=second", func(b *testing.B) { benchmarkOneConnection(b, bustest.Embedded(b), 1) })
	for _, streams := range []int{1, 16} {
		b.Run(fmt.Sprintf("sync=always/streams=%d", streams), func(b *testing.B) {
			benchmarkOneConnection(b, bustest.Open(b, bus.Config{URL: natsServers(b, 1, true)}), streams)
		})
	}
}

func benchmarkOneConnection(b *testing.B, from *bus.Bus, streams int) {
	address, stop := start(b, from, func(c *Config) { c.RequestsPerSecond, c.Burst, c.Streams = 1e6, 1e7, streams })
	defer stop()
	c := relaytest.Dial(b, address, relaytest.Options{})
	const callers = 32
	times := make([]time.Duration, b.N)
	var next atomic.Int64
	var running sync.WaitGroup
	b.ResetTimer()
	for range callers {
		running.Go(func() {
			topic := relaytest.Topic()
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				if i%100 == 0 {
					topic = relaytest.Topic()
				}
				begun := time.Now()
				if answer, err := c.Call("irn_publish", relaytest.Publication(topic, fmt.Sprintf("%01000d", i), 1)); err != nil || answer.Error != nil {
					b.Errorf("%+v, %v", answer.Error, err)
					return
				}
				times[i] = time.Since(begun)
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

// natsServers starts NATS servers, and returns their URLs. always makes them flush before they acknowledge.
func natsServers(b *testing.B, n int, always bool) string {
	if n > 1 {
		url, _ := bustest.Cluster(b, n, func(o *natsserver.Options) { o.SyncAlways = always })
		return url
	}
	options := &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, SyncAlways: always, StoreDir: b.TempDir()}
	server, err := natsserver.NewServer(options)
	if err != nil {
		b.Fatal(err)
	}
	server.Start()
	b.Cleanup(func() {
		server.Shutdown()
		server.WaitForShutdown()
	})
	if !server.ReadyForConnections(10 * time.Second) {
		b.Fatal("the NATS server does not answer")
	}
	return server.ClientURL()
}
