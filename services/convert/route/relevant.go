package route

// relevant holds the pools that a bound must include: those of the subgraphs, each in the directions in which the subgraphs use it.
type relevant struct {
	pools []relevantPool
	// place is the index of a pool in pools, if its stamp is current.
	place []int32
	stamp []int64
	turn  int64
	// The pools that touch a node are touching[first[key]:first[key+1]].
	first, touching []int32
	// threshold is the largest output per unit of the sold token on a path that uses any other pool.
	threshold float64
	// entry is the least gas of a pool that trades the sold token, and exit that of one that trades the bought token;
	// direct says that a pool trades both.
	entry, exit float64
	direct      bool
}

// relevantPool is a pool that a bound must include.
type relevantPool struct {
	pool int32
	ends [2]int32 // the nodes' keys
	ways ways
}

func (r *relevant) fit(pools, nodes int) {
	r.first = cleared(r.first, nodes+2)
	if len(r.place) < pools {
		r.place, r.stamp = make([]int32, pools), make([]int64, pools)
	}
}

// collectRelevant makes the subgraphs' pools the relevant ones.
func (s *search) collectRelevant(subgraphs []*subgraph) {
	r := &s.workspace.relevant
	r.turn++
	r.pools = r.pools[:0]
	r.threshold = 0
	for _, g := range subgraphs {
		r.threshold = max(r.threshold, g.threshold)
		for i := range g.edges {
			a := &g.edges[i].arc
			if r.stamp[a.pool] != r.turn {
				r.stamp[a.pool], r.place[a.pool] = r.turn, int32(len(r.pools))
				f := &s.graph.layout.pools[a.pool]
				r.pools = append(r.pools, relevantPool{pool: a.pool, ends: [2]int32{s.nodeKey(f.ends[0], f.venue), s.nodeKey(f.ends[1], f.venue)}})
			}
			r.pools[r.place[a.pool]].ways |= 1 << a.from
		}
	}
	r.connect()
	r.entry, r.direct = s.leastGas(s.request.From, s.request.To)
	r.exit, _ = s.leastGas(s.request.To, s.request.From)
}

// connect sorts the pools by the nodes that they touch.
func (r *relevant) connect() {
	clear(r.first)
	for i := range r.pools {
		for _, key := range r.pools[i].ends {
			r.first[key+2]++
		}
	}
	for key := range len(r.first) - 1 {
		r.first[key+1] += r.first[key]
	}
	r.touching = cleared(r.touching, 2*len(r.pools))
	for i := range r.pools {
		for _, key := range r.pools[i].ends {
			r.touching[r.first[key+1]] = int32(i)
			r.first[key+1]++
		}
	}
}

// at lists the pools that touch a node.
func (r *relevant) at(key int32) []int32 { return r.touching[r.first[key]:r.first[key+1]] }

// leastGas returns the gas of the cheapest pool of a token, and whether a pool trades the token for the other one.
func (s *search) leastGas(token, other Token) (gas float64, direct bool) {
	least := ^uint64(0)
	for _, a := range s.graph.layout.leaving(token) {
		if s.scope.admits(a.pool, a.venue) {
			least = min(least, s.graph.layout.pools[a.pool].gasHop)
			direct = direct || a.to == other
		}
	}
	return float64(least), direct
}

// waysOf returns the relevant directions of a pool.
func (r *relevant) waysOf(pool int32) ways {
	if r.stamp[pool] != r.turn {
		return bothWays
	}
	return r.pools[r.place[pool]].ways
}
