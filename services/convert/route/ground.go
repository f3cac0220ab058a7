package route

// ground is the part of a market that a bound is about: the pools on the webs, each the ways that the webs go through it.
type ground struct {
	pools []plot
	// place is where in pools a pool is, if stamp says that it is there at all.
	place []int32
	stamp []int64
	turn  int64
	// The plots that touch a node are touching[first[key]:first[key+1]].
	first, touching []int32
	// threshold is what a unit of the sold token becomes at most on a path that leaves the ground.
	threshold float64
	// entry is the least gas of a pool that trades the sold token, and exit of one that trades the bought token; direct tells that one trades
	// both.
	entry, exit float64
	direct      bool
}

// plot is a pool of the ground.
type plot struct {
	pool int32
	ends [2]int32 // the nodes' keys
	ways ways
}

func (g *ground) fit(pools, nodes int) {
	g.first = cleared(g.first, nodes+2)
	if len(g.place) < pools {
		g.place, g.stamp = make([]int32, pools), make([]int64, pools)
	}
}

// survey takes the webs' arcs as the ground.
func (s *search) survey(webs []*web) {
	g := &s.desk.ground
	g.turn++
	g.pools = g.pools[:0]
	g.threshold = 0
	for _, w := range webs {
		g.threshold = max(g.threshold, w.threshold)
		for i := range w.arcs {
			a := &w.arcs[i].arc
			if g.stamp[a.pool] != g.turn {
				g.stamp[a.pool], g.place[a.pool] = g.turn, int32(len(g.pools))
				f := &s.market.layout.pools[a.pool]
				g.pools = append(g.pools, plot{pool: a.pool, ends: [2]int32{s.nodeKey(f.ends[0], f.venue), s.nodeKey(f.ends[1], f.venue)}})
			}
			g.pools[g.place[a.pool]].ways |= 1 << a.from
		}
	}
	g.connect()
	g.entry, g.direct = s.leastGas(s.request.From, s.request.To)
	g.exit, _ = s.leastGas(s.request.To, s.request.From)
}

// connect sorts the plots by the nodes that they touch.
func (g *ground) connect() {
	clear(g.first)
	for i := range g.pools {
		for _, key := range g.pools[i].ends {
			g.first[key+2]++
		}
	}
	for key := range len(g.first) - 1 {
		g.first[key+1] += g.first[key]
	}
	g.touching = cleared(g.touching, 2*len(g.pools))
	for i := range g.pools {
		for _, key := range g.pools[i].ends {
			g.touching[g.first[key+1]] = int32(i)
			g.first[key+1]++
		}
	}
}

// at lists the plots that touch a node.
func (g *ground) at(key int32) []int32 { return g.touching[g.first[key]:g.first[key+1]] }

// leastGas is what the cheapest pool of a token costs in gas, and whether there is one that trades it for another.
func (s *search) leastGas(token, other Token) (gas float64, direct bool) {
	least := ^uint64(0)
	for _, a := range s.market.layout.leaving(token) {
		if s.scope.admits(a.pool, a.venue) {
			least = min(least, s.market.layout.pools[a.pool].gasHop)
			direct = direct || a.to == other
		}
	}
	return float64(least), direct
}

// waysOf are the ways that the ground goes through a pool.
func (g *ground) waysOf(pool int32) ways {
	if g.stamp[pool] != g.turn {
		return bothWays
	}
	return g.pools[g.place[pool]].ways
}
