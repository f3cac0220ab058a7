package chains

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/faultnode"
)

// warmUp is how long the doors are asked before anything is measured.
const warmUp = 10 * time.Second

// BenchmarkDoor asks the same balance of the node itself, of a door on two healthy nodes, of one whose preferred node hangs, and of one
// with seven bad nodes before its good one. The four take turns, so that the machine's moods meet all of them. The budget of the last two is a
// p99 of twice the healthy one.
func BenchmarkDoor(b *testing.B) {
	w := startWorld(b)
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["` + receiver + `","latest"]}`)
	healthy := w.door(b, w.node(b, faultnode.None), w.node(b, faultnode.None))
	hung := w.door(b, w.node(b, faultnode.Hung), w.node(b, faultnode.None))
	one := w.door(b,
		w.node(b, faultnode.Hung), w.node(b, faultnode.Broken), w.node(b, faultnode.TooMany), w.node(b, wrongChain),
		w.node(b, faultnode.Lagging), w.node(b, faultnode.HTML), w.node(b, faultnode.Drip), w.node(b, faultnode.None))
	// The node itself stands behind the same proxy, as every node of a door here does.
	node := w.node(b, faultnode.None)
	paths := []func() error{
		func() error { _, _, err := healthy.pool.poster.PostJSON(b.Context(), node.URL, body); return err },
		func() error { _, err := healthy.answer(b.Context(), body); return err },
		func() error { _, err := hung.answer(b.Context(), body); return err },
		func() error { _, err := one.answer(b.Context(), body); return err },
	}
	for started := time.Now(); time.Since(started) < warmUp; {
		for _, ask := range paths {
			if err := ask(); err != nil {
				b.Fatal(err)
			}
		}
	}
	took := make([][]time.Duration, len(paths))
	for b.Loop() {
		for i, ask := range paths {
			started := time.Now()
			if err := ask(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(started))
		}
	}
	at := func(path int, percent int) float64 {
		slices.Sort(took[path])
		return float64(took[path][(len(took[path])-1)*percent/100])
	}
	b.ReportMetric(at(1, 50)/at(0, 50), "door/node-p50")
	b.ReportMetric(at(1, 99)/at(0, 99), "door/node-p99")
	b.ReportMetric(at(2, 99)/at(1, 99), "hung/healthy-p99")
	b.ReportMetric(at(3, 99)/at(1, 99), "seven-bad/healthy-p99")
}
