package proxy

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// warmUp is how long the proxies are called before the measurement.
const warmUp = 10 * time.Second

// BenchmarkProxy reads the same balance from the node itself, through a proxy to two healthy nodes, to one whose
// preferred node hangs, and to one with seven faulty nodes before the healthy one. The four paths take turns, so that
// noise of the machine affects all of them equally. For the last two the p99 must be at most twice that of the healthy
// proxy.
func BenchmarkProxy(b *testing.B) {
	w := startWorld(b)
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["` + receiver + `","latest"]}`)
	healthy := w.proxy(b, w.node(b, chainstest.None), w.node(b, chainstest.None))
	hung := w.proxy(b, w.node(b, chainstest.Hung), w.node(b, chainstest.None))
	one := w.proxy(b,
		w.node(b, chainstest.Hung), w.node(b, chainstest.Broken), w.node(b, chainstest.TooMany), w.node(b, wrongChain),
		w.node(b, chainstest.Lagging), w.node(b, chainstest.HTML), w.node(b, chainstest.SlowBody), w.node(b, chainstest.None))
	// The node is read through a chainstest.Node too, as every node of the proxies is.
	node := w.node(b, chainstest.None)
	poster := upstream.New(pool.NodeTimeout, 10<<20)
	b.Cleanup(poster.Close)
	paths := []func() error{
		func() error { _, _, err := poster.PostJSON(b.Context(), node.URL, body); return err },
		func() error { _, err := healthy.Answer(b.Context(), body); return err },
		func() error { _, err := hung.Answer(b.Context(), body); return err },
		func() error { _, err := one.Answer(b.Context(), body); return err },
	}
	took := measure(b, paths)
	b.ReportMetric(took.ratio(1, 0, 50), "proxy/node-p50")
	b.ReportMetric(took.ratio(1, 0, 99), "proxy/node-p99")
	b.ReportMetric(took.ratio(2, 1, 99), "hung/healthy-p99")
	b.ReportMetric(took.ratio(3, 1, 99), "seven-bad/healthy-p99")
}

// BenchmarkSolana reads the same account through a proxy to three healthy nodes of Solana, and through one whose
// preferred node hangs. The p99 of the second must be at most twice that of the first.
func BenchmarkSolana(b *testing.B) {
	chain := devnettest.StartSolana(b)
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["` + chain.Accounts[0].Address + `"]}`)
	poster := upstream.New(pool.NodeTimeout, 10<<20)
	b.Cleanup(poster.Close)
	proxy := func(first chainstest.Fault) *Proxy {
		c := pool.Chain{ID: chain.CAIP2, BlockTime: 400 * time.Millisecond}
		for _, fault := range []chainstest.Fault{first, chainstest.None, chainstest.None} {
			c.Nodes = append(c.Nodes, chainstest.Start(b, chain.RPCURL, fault).URL)
		}
		d := newProxyOf(c, poster, clock.System{})
		b.Cleanup(d.pool.Close)
		return d
	}
	healthy, hung := proxy(chainstest.None), proxy(chainstest.Hung)
	took := measure(b, []func() error{
		func() error { _, err := healthy.Answer(b.Context(), body); return err },
		func() error { _, err := hung.Answer(b.Context(), body); return err },
	})
	b.ReportMetric(took.ratio(1, 0, 99), "hung/healthy-p99")
}

// durations are how long the calls of each path took.
type durations [][]time.Duration

// ratio returns the ratio of a percentile of one path to that of another.
func (d durations) ratio(path, to, percent int) float64 {
	at := func(path int) float64 {
		slices.Sort(d[path])
		return float64(d[path][(len(d[path])-1)*percent/100])
	}
	return at(path) / at(to)
}

// measure calls every path in turn.
func measure(b *testing.B, paths []func() error) durations {
	for started := time.Now(); time.Since(started) < warmUp; {
		for _, ask := range paths {
			if err := ask(); err != nil {
				b.Fatal(err)
			}
		}
	}
	took := make(durations, len(paths))
	for b.Loop() {
		for i, ask := range paths {
			started := time.Now()
			if err := ask(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(started))
		}
	}
	return took
}
