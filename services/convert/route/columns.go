package route

import (
	"cmp"
	"slices"
)

const (
	// columnRounds bounds the rounds in which pools are added to the dual.
	columnRounds = 8
	// columnsAtOnce bounds the pools that one round adds.
	columnsAtOnce = 24
	// worthwhile is the least profit of a pool that is added, as a fraction of the whole.
	worthwhile = 1e-9
)

// nodeKey numbers the nodes of a graph: its tokens or, if each path keeps to one venue, its tokens per venue, except
// the sold and the bought token.
func (s *search) nodeKey(t Token, v Venue) int32 {
	if !s.whole || t == s.request.From || t == s.request.To {
		return int32(t)
	}
	return int32(int(v)*s.graph.layout.tokens + int(t))
}

// open starts a dual without pools.
func (s *search) open() {
	d := &s.workspace.dual
	s.workspace.stamp++
	d.amount = s.amount
	d.members = d.members[:0]
	d.nodes = append(d.nodes[:0], node{key: int32(s.request.To), price: 1})
	s.workspace.active[s.request.To] = s.workspace.stamp
	s.nodeOf(int32(s.request.From))
}

// join adds a pool to the dual, with the prices of values for new tokens.
func (s *search) join(pool int32) {
	if s.workspace.joined[pool] == s.workspace.stamp {
		return
	}
	s.workspace.joined[pool] = s.workspace.stamp
	d := &s.workspace.dual
	f := &s.graph.layout.pools[pool]
	m := member{pool: pool, curve: s.graph.curve(pool), ways: s.workspace.relevant.waysOf(pool)}
	for i, t := range f.ends {
		m.ends[i] = s.nodeOf(s.nodeKey(t, f.venue))
	}
	d.members = append(d.members, m)
}

func (s *search) nodeOf(key int32) int32 {
	d := &s.workspace.dual
	for i := range d.nodes {
		if d.nodes[i].key == key {
			return int32(i)
		}
	}
	d.nodes = append(d.nodes, node{key: key, price: min(max(s.workspace.values[key], leastPrice), mostPrice)})
	s.workspace.active[key] = s.workspace.stamp
	return int32(len(d.nodes) - 1)
}

// warmStart starts a dual with the pools of some shares, at the marginal prices after these shares.
func (s *search) warmStart(shares []share) {
	values := s.workspace.values
	clear(values)
	values[s.request.To] = 1
	for range s.hops {
		for _, share := range shares {
			for i := len(share.path) - 1; i >= 0; i-- {
				a := &share.path[i]
				from := s.nodeKey(s.graph.layout.pools[a.pool].ends[a.from], a.venue)
				worth := values[s.nodeKey(a.to, a.venue)] * a.curve.marginal(s.workspace.traffic.in[a.key()], a.from)
				values[from] = max(values[from], worth)
			}
		}
	}
	s.open()
	for _, share := range shares {
		for i := range share.path {
			s.join(share.path[i].pool)
		}
	}
}

// generate solves the dual over its pools, prices all relevant pools with the solution, adds the pools that have a
// profit, and repeats until there are none (column generation). It returns the lowest bound of all rounds, and leaves
// the dual at the prices of the last round.
func (s *search) generate(subgraphs []*subgraph) (bound float64) {
	d := &s.workspace.dual
	for round := range columnRounds {
		d.link()
		if round == 0 {
			d.settle(2)
		}
		d.minimise(newtonRounds, balanced)
		certified, columns := s.certify(subgraphs)
		if round == 0 || certified < bound {
			bound = certified
		}
		if len(columns) == 0 || s.ctx.Err() != nil {
			break
		}
		for _, c := range columns[:min(len(columns), columnsAtOnce)] {
			s.takeIn(c.pool)
		}
	}
	return bound
}

// column is a pool that has a profit at the dual's prices.
type column struct {
	pool   int32
	profit float64
}

// takeIn adds a pool and, for a new token, the pools that determine the token's price.
func (s *search) takeIn(pool int32) {
	layout := s.graph.layout
	for _, end := range layout.pools[pool].ends {
		key := s.nodeKey(end, layout.pools[pool].venue)
		for range maxHops {
			if s.workspace.active[key] == s.workspace.stamp || s.workspace.via[key] < 0 {
				break
			}
			via := s.workspace.via[key]
			s.join(via)
			f := &layout.pools[via]
			other := s.nodeKey(f.ends[0], f.venue)
			if other == key {
				other = s.nodeKey(f.ends[1], f.venue)
			}
			key = other
		}
	}
	s.join(pool)
}

func rank(columns []column) {
	slices.SortFunc(columns, func(a, b column) int {
		return cmp.Or(cmp.Compare(b.profit, a.profit), cmp.Compare(a.pool, b.pool))
	})
}
