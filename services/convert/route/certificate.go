package route

import "math"

const (
	// feeFactor and summing keep a certificate valid in spite of rounding. feeFactor is a factor on the share of an input
	// that is left after the fee: it increases a small profit, which is a difference of large numbers, by far more than
	// the rounding error. summing is the same for the sum of profits. Together they are below a millionth of a basis
	// point.
	feeFactor = 1 + 1e-12
	summing   = 1 + 1e-11
	// sweeps bounds how often the prices of tokens outside of the dual are corrected.
	sweeps = 3
)

// certify bounds, by weak duality, the output after gas of any plan. At any prices of the tokens the bound is the value
// of the amount plus the profit of arbitrage in the relevant pools; a path through any other pool has at most the
// output of the threshold. It returns the bound, in base units of the bought token, and the pools outside of the dual
// with a profit, largest first.
func (s *search) certify(subgraphs []*subgraph) (float64, []column) {
	r := &s.workspace.relevant
	s.extend(subgraphs)
	for range sweeps {
		if !s.reprice() {
			break
		}
	}
	sold := max(s.workspace.values[s.request.From], r.threshold*feeFactor) * s.amount
	bound := sold
	columns := s.workspace.columns[:0]
	ends := terminals{leastLoss: [2]float64{-s.gasValue * r.entry, -s.gasValue * r.exit}}
	for i := range r.pools {
		p := &r.pools[i]
		gain := s.gain(p)
		ends.add(s, p, gain)
		if gain <= 0 {
			continue
		}
		bound += gain
		if gain > worthwhile*sold && s.workspace.joined[p.pool] != s.workspace.stamp {
			columns = append(columns, column{p.pool, gain})
		}
	}
	rank(columns)
	s.workspace.columns = columns
	return (bound + ends.unavoidable(r.direct)) * summing, columns
}

// reprice improves the prices of tokens outside of the dual: if the price of a token is the bid of a pool with little
// liquidity, a deep pool appears to have a profit. It moves such prices to where arbitrage buys as much of the token as
// it sells. It reports whether any price has moved.
func (s *search) reprice() (moved bool) {
	w := s.workspace
	w.mispriced = w.mispriced[:0]
	w.round++
	least := worthwhile * s.amount * w.values[s.request.From]
	for i := range w.relevant.pools {
		p := &w.relevant.pools[i]
		if s.gain(p) <= least {
			continue
		}
		for _, key := range p.ends {
			if w.active[key] != w.stamp && w.noted[key] != w.round {
				w.noted[key] = w.round
				w.mispriced = append(w.mispriced, key)
			}
		}
	}
	for _, key := range w.mispriced {
		before := w.values[key]
		w.values[key] = balance(before, func(price float64) float64 { return s.surplus(key, price) })
		moved = moved || math.Abs(w.values[key]/before-1) > 1e-5
	}
	return moved
}

// surplus returns how much of a node's token arbitrage buys, less what it sells, at a price.
func (s *search) surplus(key int32, price float64) float64 {
	left := 0.0
	for _, i := range s.workspace.relevant.at(key) {
		p := &s.workspace.relevant.pools[i]
		m := member{curve: s.graph.curve(p.pool), ways: p.ways}
		if p.ends[0] == key {
			left -= m.flow(0, price, s.workspace.values[p.ends[1]])
		} else {
			left -= m.flow(1, price, s.workspace.values[p.ends[0]])
		}
	}
	return left
}

// gain returns an upper bound of the profit of arbitrage in a pool, after gas.
func (s *search) gain(p *relevantPool) float64 {
	value0, value1 := s.workspace.values[p.ends[0]], s.workspace.values[p.ends[1]]
	gas := s.gasValue * float64(s.graph.layout.pools[p.pool].gasHop)
	rates := s.graph.rates(p.pool)
	if rates[0]*value1*feeFactor <= value0 && rates[1]*value0*feeFactor <= value1 {
		return -gas
	}
	relaxed := *s.graph.curve(p.pool)
	relaxed.keep *= feeFactor
	m := member{curve: &relaxed, ways: p.ways}
	from, in, out := m.respond(value0, value1)
	if from == 1 {
		value0, value1 = value1, value0
	}
	return max(0, value1*out-value0*in) - gas
}

// terminals are the pools that trade the sold token, and those that trade the bought token. Every plan uses at least
// one of each, and pays its gas even if arbitrage in it has no profit.
type terminals struct {
	open      [2]bool
	leastLoss [2]float64
}

func (t *terminals) add(s *search, p *relevantPool, gain float64) {
	for i, token := range [2]Token{s.request.From, s.request.To} {
		if key := int32(token); p.ends[0] == key || p.ends[1] == key {
			t.open[i] = t.open[i] || gain > 0
			t.leastLoss[i] = max(t.leastLoss[i], gain)
		}
	}
}

// unavoidable returns the gas cost of the cheapest terminal pools if none has a profit, as a number that is not
// positive. A pool that trades the sold token for the bought token is both kinds of terminal.
func (t *terminals) unavoidable(direct bool) float64 {
	cost := 0.0
	if !t.open[0] {
		cost += t.leastLoss[0]
	}
	if !t.open[1] && !direct {
		cost += t.leastLoss[1]
	}
	return cost
}

// extend sets the price of every token outside of the dual that has no price yet to the best price that the subgraphs
// bid for it. The end of an edge is in a later layer than its start, so the edges are processed backward: each end has
// its price before its edge bids.
func (s *search) extend(subgraphs []*subgraph) {
	w := s.workspace
	for _, n := range w.dual.nodes {
		w.values[n.key] = n.price
		w.via[n.key] = -1
	}
	if w.extended == w.stamp {
		return
	}
	w.extended = w.stamp
	for _, g := range subgraphs {
		for i := len(g.edges) - 1; i >= 0; i-- {
			e := &g.edges[i]
			tail := s.nodeKey(s.graph.layout.pools[e.pool].ends[e.from], e.venue)
			if w.active[tail] == w.stamp {
				continue
			}
			bid := s.graph.rate(e.arc) * w.values[s.nodeKey(e.to, e.venue)]
			if bid = min(max(bid, leastPrice), mostPrice); bid > w.values[tail] {
				w.values[tail], w.via[tail] = bid, e.pool
			}
		}
	}
}
