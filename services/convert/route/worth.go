package route

import "context"

// probe is the share of the deepest pool's reserve that an estimate of a token's worth sells.
const probe = 1e-6

// Worth is about what a base unit of one token is worth in base units of another, after fees, along at most three pools; 0 where no pools lead
// there. It is what a little is really paid, so that a pool with next to nothing in it at a price of long ago does not count. It is an estimate for
// comparing, not a quote.
func (m *Graph) Worth(of, in Token) float64 {
	if int(of) >= m.layout.tokens || int(in) >= m.layout.tokens {
		return 0
	}
	w, err := borrow(context.Background(), m, searchedHops)
	if err != nil {
		return 0
	}
	defer w.giveBack()
	return w.worth(m, &scope{venues: allVenues}, of, in)
}

func (w *workspace) worth(m *Graph, within *scope, of, in Token) float64 {
	if of == in {
		return 1
	}
	if !w.potentials.compute(m, within, of, in, searchedHops) {
		return 0
	}
	g := w.subgraph(0)
	g.collect(m, within, &w.potentials, of, in, searchedHops, 0)
	little := 0.0
	for _, e := range g.edges[g.layers[0][0].first:g.layers[0][0].last] {
		little = max(little, probe*e.curve.sides[e.from][0].x)
	}
	w.traffic.reset()
	w.traffic.most = 0
	_, paid := g.bestPath(&w.labels, &w.traffic, searchedHops, little, 0, w.path)
	return paid / little
}
