package route

import (
	"math"
	"slices"
)

// maxHops bounds the MaxHops of a request. Up to this length, two paths that use a pool in opposite directions can be
// joined to two paths that avoid the pool and are not longer, so bounds need not include pools that are used in both
// directions.
const maxHops = 4

// tiny is the relative difference below which values count as equal.
const tiny = 1e-9

// subgraph is the part of a graph that contains the good paths from one token to another: one layer per hop, with the
// tokens that a path may have reached and the useful arcs from there.
type subgraph struct {
	from, to Token
	hops     int
	layers   [maxHops][]layerToken
	edges    []edge
	// bestOutput is the output for a unit of the sold token at the best marginal prices.
	bestOutput float64
	// threshold is the largest output for a unit on paths that are not entirely in the subgraph.
	threshold float64
}

// layerToken is a token that a path may have reached, with the edges that leave it.
type layerToken struct {
	token       Token
	first, last int32
}

// edge is an arc that may be part of a good path.
type edge struct {
	arc
	curve *curve
	// bestOutput is the largest final output for a unit of the arc's output: the product of the best marginal prices from
	// there on.
	bestOutput float64
	// bestTotal is the largest final output for a unit of the sold token over this arc.
	bestTotal float64
}

// potentials holds the best marginal prices per hop; its slices are reused from search to search.
type potentials struct {
	// onward[h][t] is the largest final output for a unit of t in at most h hops, computed backward from the bought
	// token.
	onward [maxHops + 1][]float64
	// reached[t] is the largest amount of t for a unit of the sold token.
	reached [2][]float64
	changed []Token
	seen    []bool
}

func (p *potentials) fit(tokens, hops int) {
	for h := range hops + 1 {
		p.onward[h] = cleared(p.onward[h], tokens)
	}
	p.reached[0], p.reached[1] = cleared(p.reached[0], tokens), cleared(p.reached[1], tokens)
	p.seen = cleared(p.seen, tokens)
}

// cleared returns a slice of n zero values, in the memory of s if that is large enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// compute fills in the best marginal prices towards a token. It reports whether there is any path from the other token.
func (p *potentials) compute(m *Graph, s *scope, from, to Token, hops int) bool {
	p.fit(m.layout.tokens, hops)
	p.onward[0][to] = 1
	p.changed = append(p.changed[:0], to)
	for h := 1; h <= hops; h++ {
		before, now := p.onward[h-1], p.onward[h]
		copy(now, before)
		frontier := len(p.changed)
		for _, t := range p.changed[:frontier] {
			worth := before[t]
			for _, arc := range m.layout.leaving(t) {
				if arc.to == to || t == from {
					continue
				}
				// The arc leads from t; a path to the bought token uses it in the opposite direction.
				rate := m.rates(arc.pool)[1-arc.from]
				if value := rate * worth; value > now[arc.to] && value < math.MaxFloat64 && s.admits(arc.pool, arc.venue) {
					now[arc.to] = value
					if !p.seen[arc.to] {
						p.seen[arc.to] = true
						p.changed = append(p.changed, arc.to)
					}
				}
			}
		}
		p.changed = append(p.changed[:0], p.changed[frontier:]...)
		for _, t := range p.changed {
			p.seen[t] = false
		}
	}
	return p.onward[hops][from] > 0
}

// collect fills in the arcs over which the final output for a unit of the sold token can exceed a threshold.
func (g *subgraph) collect(m *Graph, s *scope, p *potentials, from, to Token, hops int, threshold float64) {
	g.from, g.to, g.hops = from, to, hops
	g.edges = g.edges[:0]
	g.bestOutput, g.threshold = p.onward[hops][from], threshold
	clear(p.reached[0])
	reached, next := p.reached[0], p.reached[1]
	reached[from] = 1
	g.layers[0] = append(g.layers[0][:0], layerToken{token: from})
	for h := range hops {
		onward := p.onward[hops-h-1]
		clear(next)
		if h+1 < hops {
			g.layers[h+1] = g.layers[h+1][:0]
		}
		for i := range g.layers[h] {
			at := &g.layers[h][i]
			at.first = int32(len(g.edges))
			for _, arc := range m.layout.leaving(at.token) {
				bestOutput := onward[arc.to]
				if bestOutput == 0 || arc.to == from {
					continue
				}
				became := reached[at.token] * m.rate(arc)
				if bestTotal := became * bestOutput; bestTotal > threshold && s.admits(arc.pool, arc.venue) {
					g.edges = append(g.edges, edge{arc, m.curve(arc.pool), bestOutput, bestTotal})
					if arc.to != to && h+1 < hops {
						if next[arc.to] == 0 {
							g.layers[h+1] = append(g.layers[h+1], layerToken{token: arc.to})
						}
						next[arc.to] = max(next[arc.to], became)
					}
				}
			}
			at.last = int32(len(g.edges))
		}
		reached, next = next, reached
	}
}

// tighten drops the edges whose bestTotal is not above a threshold.
func (g *subgraph) tighten(threshold float64) {
	g.threshold = threshold
	kept := g.edges[:0]
	for h := range g.hops {
		for i := range g.layers[h] {
			at := &g.layers[h][i]
			first := int32(len(kept))
			for _, e := range g.edges[at.first:at.last] {
				if e.bestTotal > threshold {
					kept = append(kept, e)
				}
			}
			at.first, at.last = first, int32(len(kept))
		}
		g.layers[h] = slices.DeleteFunc(g.layers[h], func(t layerToken) bool { return t.first == t.last })
	}
	g.edges = kept
}
