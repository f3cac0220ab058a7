package chains

import (
	"slices"
	"time"
)

// latencyWindow is how many answers a node's pace is judged by.
const latencyWindow = 64

// latencies is the pace of one node: how long its last answers took.
type latencies struct {
	ring  [latencyWindow]time.Duration
	count int
	mean  time.Duration
	p95   time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.ring[l.count%latencyWindow] = d
	l.count++
	if l.count == 1 {
		l.mean = d
	}
	// An exponential mean over about eight answers.
	l.mean += (d - l.mean) / 8
	if l.count < 8 || l.count%8 == 0 {
		l.p95 = l.quantile()
	}
}

func (l *latencies) quantile() time.Duration {
	sorted := slices.Clone(l.ring[:min(l.count, latencyWindow)])
	slices.Sort(sorted)
	return sorted[(len(sorted)*95-1)/100]
}
