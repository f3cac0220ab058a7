package pool

import (
	"math"
	"time"
)

const (
	// errorHalfLife is after what time a call counts half in the error rate of a node, and errorPrior how many calls that succeeded are added to them,
	// so that one failure of few calls says little.
	errorHalfLife = time.Minute
	errorPrior    = 8
	// failingRate is the error rate from which other nodes are preferred.
	failingRate = 0.25
)

// errorRate is the part of a node's latest calls that failed.
type errorRate struct {
	calls, failures float64
	at              time.Time
}

// add records the end of a call.
func (r *errorRate) add(failed bool, now time.Time) {
	*r = r.decayed(now)
	r.calls++
	if failed {
		r.failures++
	}
}

// get returns the rate, from 0 to 1. A node that is not called any more because of it approaches 0, and is tried again.
func (r *errorRate) get(now time.Time) float64 {
	d := r.decayed(now)
	return d.failures / (d.calls + errorPrior)
}

func (r *errorRate) decayed(now time.Time) errorRate {
	factor := 1.0
	if age := now.Sub(r.at); !r.at.IsZero() && age > 0 {
		factor = math.Exp2(-age.Seconds() / errorHalfLife.Seconds())
	}
	return errorRate{calls: r.calls * factor, failures: r.failures * factor, at: now}
}

// Score is how good a node is at a moment, from 0 to 1, and the parts of which it is the product. Nodes are not selected by the product, but in the
// operator's order as long as each part is good enough.
type Score struct {
	// Latency is that of the fastest node in relation to this one's.
	Latency float64
	// Errors is the part of its latest calls that did not fail; 0 while it backs off.
	Errors float64
	// Freshness is 1 at the chain's height, and 0 where the node is not asked for the newest block any more.
	Freshness float64
	// Correctness is 0 for a node of another chain, or that has another block than most nodes at a height that is final.
	Correctness float64
}

// Total returns the product of the parts.
func (s Score) Total() float64 { return s.Latency * s.Errors * s.Freshness * s.Correctness }

// score returns the score of a node whose state is known.
func (p *Pool) score(s nodeState, fastest time.Duration) Score {
	score := Score{Latency: 1, Errors: 1 - s.errors, Freshness: 1, Correctness: 1}
	if s.latency > fastest && fastest >= 0 {
		score.Latency = float64(fastest+slowMargin) / float64(s.latency+slowMargin)
	}
	if s.backoff > 0 {
		score.Errors = 0
	}
	if top, lag := p.height.get(), p.maxLag(); s.head < top {
		score.Freshness = max(0, 1-float64(top-s.head)/float64(lag+1))
	}
	if s.isOther() {
		score.Correctness = 0
	}
	return score
}

// scores returns the scores of the nodes that were asked, by their index.
func (p *Pool) scores(now time.Time) map[int]Score {
	states := make([]nodeState, 0, len(p.nodes))
	for _, n := range p.nodes {
		if s := n.state(now); s.known {
			states = append(states, s)
		}
	}
	fastest, scores := fastestOf(states), map[int]Score{}
	for _, s := range states {
		scores[s.node.index] = p.score(s, fastest)
	}
	return scores
}

// fastestOf returns the least latency of the nodes that do not back off; negative if there is none.
func fastestOf(states []nodeState) time.Duration {
	fastest := time.Duration(-1)
	for _, s := range states {
		if s.backoff == 0 && !s.isOther() && (fastest < 0 || s.latency < fastest) {
			fastest = s.latency
		}
	}
	return fastest
}
