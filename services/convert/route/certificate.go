package route

import "math"

const (
	// kindness makes a certificate hold in spite of rounding: it is about pools that keep so much more of an input after the fee. What that adds
	// to a pool's profit is far above what floats lose in computing it, and far below a millionth of a basis point.
	kindness = 1 + 1e-12
	// summing covers the rounding of the sum over all pools.
	summing = 1 + 1e-11
	// sweeps bounds how often the prices of tokens outside of the dual are corrected.
	sweeps = 3
)

// certify bounds by weak duality what any plan is paid, less its gas. At any prices of the tokens it is the worth of the amount and what
// arbitrageurs gain from the pools of the ground; what goes other ways than over the ground is paid no more than the threshold. It returns the
// bound, in base units of the bought token, and the pools outside of the dual that would profit, best first.
func (s *search) certify(webs []*web) (float64, []entrant) {
	g := &s.desk.ground
	s.extend(webs)
	for range sweeps {
		if !s.arbitrate() {
			break
		}
	}
	sold := max(s.desk.values[s.request.From], g.threshold*kindness) * s.amount
	bound := sold
	entrants := s.desk.entrants[:0]
	doors := doors{leastLoss: [2]float64{-s.gasValue * g.entry, -s.gasValue * g.exit}}
	for i := range g.pools {
		p := &g.pools[i]
		gain := s.gain(p)
		doors.pass(s, p, gain)
		if gain <= 0 {
			continue
		}
		bound += gain
		if gain > worthwhile*sold && s.desk.joined[p.pool] != s.desk.stamp {
			entrants = append(entrants, entrant{p.pool, gain})
		}
	}
	rank(entrants)
	s.desk.entrants = entrants
	return (bound + doors.toll(g.direct)) * summing, entrants
}

// arbitrate finds better prices for tokens outside of the dual: one whose price is a thin pool's bid makes a deep one seem to profit. Their
// prices are moved to where what arbitrageurs buy of them is what they sell. It tells whether any has moved.
func (s *search) arbitrate() (moved bool) {
	desk := s.desk
	desk.disputed = desk.disputed[:0]
	desk.round++
	least := worthwhile * s.amount * desk.values[s.request.From]
	for i := range desk.ground.pools {
		p := &desk.ground.pools[i]
		if s.gain(p) <= least {
			continue
		}
		for _, key := range p.ends {
			if desk.active[key] != desk.stamp && desk.noted[key] != desk.round {
				desk.noted[key] = desk.round
				desk.disputed = append(desk.disputed, key)
			}
		}
	}
	for _, key := range desk.disputed {
		before := desk.values[key]
		desk.values[key] = balance(before, func(price float64) float64 { return s.surplus(key, price) })
		moved = moved || math.Abs(desk.values[key]/before-1) > 1e-5
	}
	return moved
}

// surplus is how much of a node's token the ground's arbitrageurs buy, less what they sell, at a price.
func (s *search) surplus(key int32, price float64) float64 {
	left := 0.0
	for _, i := range s.desk.ground.at(key) {
		p := &s.desk.ground.pools[i]
		m := member{curve: s.market.curve(p.pool), ways: p.ways}
		if p.ends[0] == key {
			left -= m.flow(0, price, s.desk.values[p.ends[1]])
		} else {
			left -= m.flow(1, price, s.desk.values[p.ends[0]])
		}
	}
	return left
}

// gain is an upper bound of what an arbitrageur gains from a pool, less its gas.
func (s *search) gain(p *plot) float64 {
	value0, value1 := s.desk.values[p.ends[0]], s.desk.values[p.ends[1]]
	gas := s.gasValue * float64(s.market.layout.pools[p.pool].gasHop)
	rates := s.market.rates(p.pool)
	if rates[0]*value1*kindness <= value0 && rates[1]*value0*kindness <= value1 {
		return -gas
	}
	kinder := *s.market.curve(p.pool)
	kinder.keep *= kindness
	m := member{curve: &kinder, ways: p.ways}
	from, in, out := m.respond(value0, value1)
	if from == 1 {
		value0, value1 = value1, value0
	}
	return max(0, value1*out-value0*in) - gas
}

// doors are the pools that trade the sold token, and those that trade the bought one: every plan goes through one of each, and pays its gas
// even where no arbitrageur gains from it.
type doors struct {
	open      [2]bool
	leastLoss [2]float64
}

func (d *doors) pass(s *search, p *plot, gain float64) {
	for i, token := range [2]Token{s.request.From, s.request.To} {
		if key := int32(token); p.ends[0] == key || p.ends[1] == key {
			d.open[i] = d.open[i] || gain > 0
			d.leastLoss[i] = max(d.leastLoss[i], gain)
		}
	}
}

// toll is what the cheapest doors cost where no door gains; it is not positive. A pool that trades the one token for the other is both.
func (d *doors) toll(direct bool) float64 {
	toll := 0.0
	if !d.open[0] {
		toll += d.leastLoss[0]
	}
	if !d.open[1] && !direct {
		toll += d.leastLoss[1]
	}
	return toll
}

// extend gives every token outside of the dual that has no price yet the best one that the webs bid for it. An arc's end is further along than its beginning, so
// that going backward over the arcs each end has its price before it bids.
func (s *search) extend(webs []*web) {
	desk := s.desk
	for _, n := range desk.dual.nodes {
		desk.values[n.key] = n.price
		desk.via[n.key] = -1
	}
	if desk.extended == desk.stamp {
		return
	}
	desk.extended = desk.stamp
	for _, w := range webs {
		for i := len(w.arcs) - 1; i >= 0; i-- {
			a := &w.arcs[i]
			tail := s.nodeKey(s.market.layout.pools[a.pool].ends[a.from], a.venue)
			if desk.active[tail] == desk.stamp {
				continue
			}
			bid := s.market.rate(a.arc) * desk.values[s.nodeKey(a.to, a.venue)]
			if bid = min(max(bid, leastPrice), mostPrice); bid > desk.values[tail] {
				desk.values[tail], desk.via[tail] = bid, a.pool
			}
		}
	}
}
