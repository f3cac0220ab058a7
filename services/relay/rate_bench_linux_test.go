package relay

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

const (
	// benchFlush is how long a flush to the disk takes at least.
	benchFlush = 10 * time.Millisecond
	// benchConnections publish in turn, each to the topics of the next one, of which it has benchTopics.
	benchConnections = 128
	benchTopics      = 16
)

// rateBench is a benchmark of publishing at a rate.
type rateBench struct {
	servers, streams int
	// always makes the servers flush before they acknowledge (sync_interval: always). Else they flush after two minutes, the default of NATS.
	always bool
	// rate is how many messages a second are published, whether or not those before are answered.
	rate int
	// received gives each topic a subscriber, which acknowledges, so that each message is deleted as well.
	received bool
}

// BenchmarkPublishAtRate publishes at a fixed rate through one relay to NATS servers with disks that take 10 ms for a flush. A time is from when a message was due
// to when its answer came. CPU is that of clients, relay and servers, which share this process; flushes are those of all servers. Messages count as unanswered after
// 20 seconds, as those of servers do that are far behind.
//
// Run it with -benchtime 5000x, which is a second at the higher rate, on a machine that does nothing else.
func BenchmarkPublishAtRate(b *testing.B) {
	for _, one := range []rateBench{
		{servers: 1, streams: mailbox.MaxStreams, always: true}, {servers: 3, streams: 1, always: true}, {servers: 3, streams: 4, always: true}, {servers: 3, streams: 1},
	} {
		for _, one.rate = range []int{500, 5000} {
			for _, one.received = range []bool{false, true} {
				b.Run(fmt.Sprintf("servers=%d/streams=%d/always=%t/rate=%d/received=%t", one.servers, one.streams, one.always, one.rate, one.received), one.run)
			}
		}
	}
}

func (o rateBench) run(b *testing.B) {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		// The disk of this machine must not add to the time of a flush.
		b.Setenv("TMPDIR", "/dev/shm")
	}
	from := bustest.Open(b, bus.Config{URL: natsServers(b, o.servers, o.always), Replicas: o.servers})
	address, stop := start(b, from, func(c *Config) {
		c.RequestsPerSecond, c.Burst, c.Streams, c.StoreBytes = 1e6, 1e7, o.streams, 4<<30
		// What the relay refuses while the servers are behind would not be in the times.
		c.Publications, c.AddressPublications = 1<<16, 1<<15
	})
	defer stop()
	clients, topics := make([]*relaytest.Client, benchConnections), make([][]string, benchConnections)
	for i := range clients {
		clients[i] = relaytest.Dial(b, address, relaytest.Options{Queue: b.N + 1})
		for range benchTopics {
			topics[i] = append(topics[i], relaytest.Topic())
		}
		if o.received {
			clients[i].MustCall(b, "irn_batchSubscribe", map[string]any{"topics": topics[i]})
		}
	}
	flushes := bustest.SlowFlush(b, benchFlush)
	body := strings.Repeat("x", 1000)
	times := make([]time.Duration, b.N)
	var failed atomic.Int64
	var running sync.WaitGroup
	b.ResetTimer()
	begun, cpu := time.Now(), usedCPU()
	for i := range b.N {
		due := begun.Add(time.Duration(i) * time.Second / time.Duration(o.rate))
		time.Sleep(time.Until(due))
		to := topics[(i+1)%benchConnections]
		running.Go(func() {
			answer, err := clients[i%benchConnections].Call("irn_publish", relaytest.Publication(to[i/benchConnections%benchTopics], fmt.Sprint(i, body), 1))
			if err != nil || answer.Error != nil {
				failed.Add(1)
			}
			times[i] = time.Since(due)
		})
	}
	running.Wait()
	b.StopTimer()
	used, flushed := usedCPU()-cpu, flushes()
	slices.Sort(times)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/message")
	b.ReportMetric(float64(flushed)/float64(b.N), "flushes/message")
	b.ReportMetric(float64(failed.Load()), "unanswered")
}

// usedCPU is the CPU time of this process.
func usedCPU() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
