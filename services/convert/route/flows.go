package route

import "slices"

const (
	// mostPaths bounds the paths of a plan.
	mostPaths = 32
	// leastShare is the part of the amount below which no path is created.
	leastShare = 1e-7
)

// flow is what a pool trades at the dual's prices, and how much of it paths already use.
type flow struct {
	edge
	tail, head  int32
	in, out     float64
	taken, paid float64
}

// rate returns the average output rate of the part that no path uses yet.
func (f *flow) rate() float64 { return (f.out - f.paid) / (f.in - f.taken) }

// next returns the output of a path for an input after the paths before it.
func (f *flow) next(in float64) float64 {
	out, _ := f.curve.forward(f.taken+in, f.from)
	return out - f.paid
}

// paths decomposes the trades of the dual into paths, each with its share of the amount. Paths are executed in order,
// so the first path through a pool gets a better price than the last. The shares are chosen such that each path
// delivers the output that the dual requires.
func (s *search) paths() []share {
	flows := s.flows()
	left := s.amount
	var shares []share
	for len(shares) < mostPaths && left > leastShare*s.amount {
		route := s.widest(flows, left)
		if route == nil {
			break
		}
		sent := fill(flows, route, left)
		if sent < leastShare*s.amount {
			break
		}
		path := make([]edge, len(route))
		amount := sent
		for i, k := range route {
			f := &flows[k]
			path[i] = f.edge
			out := f.next(amount)
			f.taken += amount
			f.paid += out
			amount = out
		}
		left -= sent
		shares = append(shares, share{path, sent})
	}
	return shares
}

// fill returns the largest input, up to a limit, for which a route does not use more of any pool than the dual trades.
func fill(flows []flow, route []int32, limit float64) float64 {
	fits := func(amount float64) bool {
		for _, k := range route {
			f := &flows[k]
			if f.taken+amount > f.in*(1+tiny) {
				return false
			}
			amount = f.next(amount)
		}
		return true
	}
	if fits(limit) {
		return limit
	}
	low, high := 0.0, limit
	for range 40 {
		if middle := (low + high) / 2; fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// flows lists the trades of the dual's pools.
func (s *search) flows() []flow {
	d := &s.workspace.dual
	flows := s.workspace.flows[:0]
	for i := range d.members {
		m := &d.members[i]
		t := d.trade(m)
		if t.in == 0 || t.in*d.nodes[m.ends[t.from]].price < leastShare*s.amount*d.nodes[soldNode].price {
			continue
		}
		f := &s.graph.layout.pools[m.pool]
		flows = append(flows, flow{
			edge: edge{arc: arc{pool: m.pool, to: f.ends[1-t.from], venue: f.venue, from: t.from}, curve: m.curve},
			tail: m.ends[t.from], head: m.ends[1-t.from], in: t.in, out: t.out,
		})
	}
	s.workspace.flows = flows
	return flows
}

// brought is the largest amount that can be brought to a node.
type brought struct {
	amount float64
	flow   int32
}

// widest returns the flows of the path that brings the most from the sold to the bought token; nil if there is no such
// path.
func (s *search) widest(flows []flow, amount float64) []int32 {
	n := len(s.workspace.dual.nodes)
	table := cleared(s.workspace.brought, n*(s.longest+1))
	s.workspace.brought = table
	table[soldNode] = brought{amount, -1}
	best, hops := 0.0, 0
	for h := range s.longest {
		here, next := table[h*n:(h+1)*n], table[(h+1)*n:(h+2)*n]
		for i := range flows {
			f := &flows[i]
			have := here[f.tail].amount
			if have == 0 || f.taken >= f.in*(1-leastShare) || f.head == soldNode || f.tail == boughtNode || passes(table, flows, n, h, f.tail, f.head) {
				continue
			}
			if got := min(have, f.in-f.taken) * f.rate(); got > next[f.head].amount {
				next[f.head] = brought{got, int32(i)}
			}
		}
		if next[boughtNode].amount > best {
			best, hops = next[boughtNode].amount, h+1
		}
	}
	if hops == 0 {
		return nil
	}
	route := make([]int32, 0, hops)
	for h, at := hops, int32(boughtNode); h > 0; h-- {
		k := table[h*n+int(at)].flow
		route = append(route, k)
		at = flows[k].tail
	}
	slices.Reverse(route)
	return route
}

// passes reports whether the path found to a node goes through another node.
func passes(table []brought, flows []flow, n, h int, at, other int32) bool {
	for ; h > 0; h-- {
		if at == other {
			return true
		}
		at = flows[table[h*n+int(at)].flow].tail
	}
	return at == other
}
