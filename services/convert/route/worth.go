package route

import "context"

// probe is the share of the deepest pool's reserve that the small trade of Worth sells.
const probe = 1e-6

// Worth estimates the value of a base unit of one token in base units of another, after fees, along at most three
// pools; 0 if no pools connect them. It uses the rate of a small trade, so that a nearly empty pool with a stale price
// has no effect. Use it to compare, not to quote.
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
