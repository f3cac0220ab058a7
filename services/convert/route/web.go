package route

import (
	"math"
	"slices"
)

// maxHops bounds what a request may ask for. Up to here two paths that go through a pool in opposite ways can be joined to two that avoid it and
// are no longer, so that bounds need not reckon with pools that are pushed both ways.
const maxHops = 4

// tiny separates rounding from a difference.
const tiny = 1e-9

// web is the part of a market in which the good paths from one token to another run: per hop, the tokens reached and the arcs worth taking.
type web struct {
	from, to Token
	hops     int
	layers   [maxHops][]strand
	arcs     []thread
	// hope is what a unit of the sold token becomes at the best marginal prices.
	hope float64
	// threshold is what it becomes at most on paths that are not all in the web.
	threshold float64
}

// strand is a token that a path may have reached, with the arcs that lead on from it.
type strand struct {
	token       Token
	first, last int32
}

// thread is an arc worth taking.
type thread struct {
	arc
	curve *curve
	// hope is the most that a unit of what is paid can still become: the best chain of marginal prices from there on.
	hope float64
	// promise is the most that a unit of the sold token can become over this arc.
	promise float64
}

// atlas keeps the best marginal prices per hop; its slices are reused from search to search.
type atlas struct {
	// onward[h][t] is what a unit of t becomes at best in at most h hops, backward from the bought token.
	onward [maxHops + 1][]float64
	// reached[t] is what a unit of the sold token becomes at best on the way to t.
	reached [2][]float64
	changed []Token
	seen    []bool
}

func (a *atlas) fit(tokens, hops int) {
	for h := range hops + 1 {
		a.onward[h] = cleared(a.onward[h], tokens)
	}
	a.reached[0], a.reached[1] = cleared(a.reached[0], tokens), cleared(a.reached[1], tokens)
	a.seen = cleared(a.seen, tokens)
}

// cleared returns a slice of n zero values, the given one's memory if that is large enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// chart fills in the best marginal prices towards a token. It tells whether there is any path from the other.
func (a *atlas) chart(m *Market, s *scope, from, to Token, hops int) bool {
	a.fit(m.layout.tokens, hops)
	a.onward[0][to] = 1
	a.changed = append(a.changed[:0], to)
	for h := 1; h <= hops; h++ {
		before, now := a.onward[h-1], a.onward[h]
		copy(now, before)
		frontier := len(a.changed)
		for _, t := range a.changed[:frontier] {
			worth := before[t]
			for _, arc := range m.layout.leaving(t) {
				if arc.to == to || t == from {
					continue
				}
				// The arc leads from t; a path to the bought token walks it the other way.
				rate := m.rates(arc.pool)[1-arc.from]
				if value := rate * worth; value > now[arc.to] && value < math.MaxFloat64 && s.admits(arc.pool, arc.venue) {
					now[arc.to] = value
					if !a.seen[arc.to] {
						a.seen[arc.to] = true
						a.changed = append(a.changed, arc.to)
					}
				}
			}
		}
		a.changed = append(a.changed[:0], a.changed[frontier:]...)
		for _, t := range a.changed {
			a.seen[t] = false
		}
	}
	return a.onward[hops][from] > 0
}

// weave collects the arcs over which a unit of the sold token can become more than a threshold.
func (w *web) weave(m *Market, s *scope, a *atlas, from, to Token, hops int, threshold float64) {
	w.from, w.to, w.hops = from, to, hops
	w.arcs = w.arcs[:0]
	w.hope, w.threshold = a.onward[hops][from], threshold
	clear(a.reached[0])
	reached, next := a.reached[0], a.reached[1]
	reached[from] = 1
	w.layers[0] = append(w.layers[0][:0], strand{token: from})
	for h := range hops {
		onward := a.onward[hops-h-1]
		clear(next)
		if h+1 < hops {
			w.layers[h+1] = w.layers[h+1][:0]
		}
		for i := range w.layers[h] {
			at := &w.layers[h][i]
			at.first = int32(len(w.arcs))
			for _, arc := range m.layout.leaving(at.token) {
				hope := onward[arc.to]
				if hope == 0 || arc.to == from {
					continue
				}
				became := reached[at.token] * m.rate(arc)
				if promise := became * hope; promise > threshold && s.admits(arc.pool, arc.venue) {
					w.arcs = append(w.arcs, thread{arc, m.curve(arc.pool), hope, promise})
					if arc.to != to && h+1 < hops {
						if next[arc.to] == 0 {
							w.layers[h+1] = append(w.layers[h+1], strand{token: arc.to})
						}
						next[arc.to] = max(next[arc.to], became)
					}
				}
			}
			at.last = int32(len(w.arcs))
		}
		reached, next = next, reached
	}
}

// tighten drops the arcs that promise no more than a threshold.
func (w *web) tighten(threshold float64) {
	w.threshold = threshold
	kept := w.arcs[:0]
	for h := range w.hops {
		for i := range w.layers[h] {
			at := &w.layers[h][i]
			first := int32(len(kept))
			for _, t := range w.arcs[at.first:at.last] {
				if t.promise > threshold {
					kept = append(kept, t)
				}
			}
			at.first, at.last = first, int32(len(kept))
		}
		w.layers[h] = slices.DeleteFunc(w.layers[h], func(s strand) bool { return s.first == s.last })
	}
	w.arcs = kept
}
