package route

import "slices"

const (
	// mostPaths bounds the paths of a plan.
	mostPaths = 32
	// leastShare is the part of the amount below which no path is made.
	leastShare = 1e-7
)

// flow is what a pool trades at the dual's prices, as far as no path has taken it.
type flow struct {
	thread
	tail, head int32
	left, rate float64
}

// paths takes the trades of the dual apart into paths of at most so many hops, each with its share of the amount. What they leave is spread
// over all.
func (s *search) paths() []share {
	flows := s.flows()
	left := s.amount
	var shares []share
	for len(shares) < mostPaths && left > leastShare*s.amount {
		route := s.widest(flows, left)
		if route == nil {
			break
		}
		sent := left
		for i, at := 0, 1.0; i < len(route); i++ {
			f := &flows[route[i]]
			sent = min(sent, f.left/at)
			at *= f.rate
		}
		if sent < leastShare*s.amount {
			break
		}
		path := make([]thread, len(route))
		amount := sent
		for i, k := range route {
			f := &flows[k]
			path[i] = f.thread
			f.left -= amount
			amount *= f.rate
		}
		left -= sent
		shares = append(shares, share{path, sent})
	}
	return shares
}

// flows lists what the dual's pools trade.
func (s *search) flows() []flow {
	d := &s.desk.dual
	flows := s.desk.flows[:0]
	for i := range d.members {
		m := &d.members[i]
		t := d.trade(m)
		if t.in == 0 || t.in*d.nodes[m.ends[t.from]].price < leastShare*s.amount*d.nodes[soldNode].price {
			continue
		}
		f := &s.market.layout.pools[m.pool]
		a := arc{pool: m.pool, to: f.ends[1-t.from], venue: f.venue, from: t.from}
		flows = append(flows, flow{
			thread: thread{arc: a, curve: m.curve}, tail: m.ends[t.from], head: m.ends[1-t.from], left: t.in, rate: t.out / t.in,
		})
	}
	s.desk.flows = flows
	return flows
}

// brought is the most that can be brought to a node.
type brought struct {
	amount float64
	flow   int32
}

// widest returns the flows of the path that brings most from the sold to the bought token; nil when none brings anything.
func (s *search) widest(flows []flow, amount float64) []int32 {
	n := len(s.desk.dual.nodes)
	table := cleared(s.desk.brought, n*(s.longest+1))
	s.desk.brought = table
	table[soldNode] = brought{amount, -1}
	best, hops := 0.0, 0
	for h := range s.longest {
		here, next := table[h*n:(h+1)*n], table[(h+1)*n:(h+2)*n]
		for i := range flows {
			f := &flows[i]
			have := here[f.tail].amount
			if have == 0 || f.left <= 0 || f.head == soldNode || f.tail == boughtNode || passes(table, flows, n, h, f.tail, f.head) {
				continue
			}
			if got := min(have, f.left) * f.rate; got > next[f.head].amount {
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

// passes tells whether the path that was found to a node goes through another.
func passes(table []brought, flows []flow, n, h int, at, other int32) bool {
	for ; h > 0; h-- {
		if at == other {
			return true
		}
		at = flows[table[h*n+int(at)].flow].tail
	}
	return at == other
}
