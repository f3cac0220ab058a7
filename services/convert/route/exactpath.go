package route

import "github.com/holiman/uint256"

const (
	// coarse is the amount, in base units, below which rounding can change the order of paths.
	coarse = 1 << 30
	// mostQuotes bounds the number of quotes in a search in integers.
	mostQuotes = 20_000
)

// exactPath finds the path with the largest integer output above floor; nil if there is none. It is used for amounts so
// small that rounding matters, and for amounts so large that the best path by floats is refused.
func (g *subgraph) exactPath(m *Graph, amount, floor uint256.Int) []edge {
	e := exactSearch{subgraph: g, graph: m, best: floor}
	e.explore(0, g.from, amount)
	return e.found
}

type exactSearch struct {
	subgraph *subgraph
	graph    *Graph
	way      []edge
	best     uint256.Int
	found    []edge
	quotes   int
}

func (e *exactSearch) explore(h int, at Token, amount uint256.Int) {
	have := amount.Float64() * (1 + tiny)
	for _, here := range e.subgraph.layers[h] {
		if here.token != at {
			continue
		}
		for i := here.first; i < here.last; i++ {
			a := &e.subgraph.edges[i]
			if have*a.curve.spot(a.from)*a.bestOutput < e.best.Float64() || e.visited(a.to) {
				continue
			}
			if e.quotes++; e.quotes > mostQuotes {
				return
			}
			out, ok := e.graph.model(int(a.pool)).quote(&amount, a.from)
			if !ok || out.IsZero() {
				continue
			}
			e.way = append(e.way, *a)
			if a.to == e.subgraph.to {
				if out.Gt(&e.best) {
					e.best, e.found = out, append([]edge(nil), e.way...)
				}
			} else if h+1 < e.subgraph.hops {
				e.explore(h+1, a.to, out)
			}
			e.way = e.way[:len(e.way)-1]
		}
	}
}

func (e *exactSearch) visited(t Token) bool {
	for i := range e.way {
		if e.way[i].to == t {
			return true
		}
	}
	return false
}
